// The life of an order that goes well, and of one that was given up; what stops the bot, and how often that is said.

import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { kindsOf, ONE_FILLED, UNTOUCHED } from "./first-fill.ts";
import { fillOf, type Keeping, opened, orderOf, tradeOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";

const STRANGERS_WAY_OUT =
  /^was it you\? If not, revoke the key in the venue's portal first; then pegbot adopt, then pegbot resume --reason "..."$/;

describe("an order that goes well", () => {
  test("is booked by its answer, confirmed by history and settled by the balances, with one record each", () => {
    const bot = opened();
    const id = bot.fill();
    expect(bot.asks).toEqual([{ witness: "trades", asset: undefined, class: "confirmation" }]);
    bot.trades([tradeOf(id)]);
    expect(bot.state(id)).toBe("confirmed");
    bot.balances(ONE_FILLED);
    expect(bot.state(id)).toBe("settled");
    expect(kindsOf(bot, id)).toEqual(["intent", "sending", "outcome", "evidence", "settled"]);
    expect(bot.reports.map(({ report }) => report)).toMatchObject([
      { kind: "filled", confirmed: false },
      { kind: "filled", confirmed: true, fill: { tradeId: `t-${id}` } },
    ]);
    expect([...bot.executor.open()]).toEqual([]);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("is settled by balances that agree with the books, and not before, also next to an unknown outcome", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances(UNTOUCHED);
    expect(bot.state(id)).toBe("confirmed");
    bot.doubt();
    bot.balances({ CHF: "850", VCHF: "100" });
    expect(bot.state(id)).toBe("confirmed");
    bot.balances({ CHF: "799.90", VCHF: "200" });
    expect(bot.state(id)).toBe("settled");
  });

  test("is confirmed together with all others that one answer shows, and never twice", () => {
    const bot = opened();
    const ids = [bot.fill(), bot.fill(), bot.fill()];
    bot.trades(ids.map((id) => tradeOf(id)));
    expect(ids.map((id) => bot.state(id))).toEqual(["confirmed", "confirmed", "confirmed"]);
    const { length } = bot.entries;
    bot.trades(ids.map((id) => tradeOf(id)));
    expect(bot.entries.length).toBe(length);
    expect(bot.accounts.held(VCHF)).toEqual(Money.of("300", VCHF));
  });

  test("is confirmed by a trade that the venue lists only under its own order id", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id, { clientOrderId: undefined })]);
    expect(bot.state(id)).toBe("confirmed");
    expect(bot.controls).toEqual([]);
  });

  test("stays ours under the venue's order id when it is no longer kept in full", () => {
    const bot = opened({ endedMax: 2 });
    const rows = [1, 2, 3, 4].map((count) => {
      const row = tradeOf(bot.fill(), { clientOrderId: undefined });
      bot.trades([row]).balances({ CHF: `${1_000 - 100.05 * count}`, VCHF: `${100 * count}` });
      return row;
    });
    expect(bot.executor.get("T-bot00001-1")).toBeUndefined();
    bot.trades([...rows]).orders([orderOf(undefined, "Filled", { orderId: "o-T-bot00001-1" })]);
    expect(bot.controls).toEqual([]);
    bot.trades([tradeOf("T-elsewhere-1", { clientOrderId: undefined })]);
    expect(bot.controls).toMatchObject([{ kind: "halt", cause: "foreign" }]);
  });

  test("uses its client order id once", () => {
    const bot = opened();
    const id = bot.fill();
    expect(() => bot.take((out) => bot.executor.intend({ ...intentOf(bot, id) }, undefined, bot.now, out))).toThrow(
      `${id} must be used once`,
    );
  });
});

describe("an order that was given up", () => {
  test("is recognised after ten thousand others, when only its end is remembered", () => {
    const bot = opened();
    const id = bot.reject();
    for (let count = 0; count < 10_000; count++) bot.reject();
    expect(bot.executor.get(id)).toBeUndefined();
    bot.orders([orderOf(id, "Rejected")]);
    expect(bot.controls).toEqual([]);
    bot.trades([tradeOf(id)]);
    expect(bot.controls).toMatchObject([
      {
        kind: "halt",
        cause: "foreign",
        reason: expect.stringContaining(id),
        wayOut: expect.stringMatching(STRANGERS_WAY_OUT),
      },
    ]);
    expect(() => bot.send(bot.intend(id))).toThrow("must be used once");
  });

  test("or was never sent, and is listed as an order, stops the bot", () => {
    const bot = opened();
    const rejected = bot.reject();
    bot.orders([orderOf(rejected, "Rejected")]);
    expect(bot.controls).toEqual([]);
    bot.orders([orderOf(rejected, "Filled")]);
    expect(bot.controls).toMatchObject([
      { reason: `the venue lists ${rejected} as Filled, which had been given up (rejected)` },
    ]);
    const intended = bot.intend();
    bot.orders([orderOf(intended, "Rejected")]);
    expect(bot.controls.at(-1)).toMatchObject({
      cause: "foreign",
      reason: `the venue lists ${intended}, which was never sent`,
      wayOut: expect.stringMatching(STRANGERS_WAY_OUT),
    });
  });
});

test("a wall clock that is set makes a booking neither older nor younger", () => {
  const young = (wallMs: number, seconds: number) => {
    const bot = opened();
    bot.seconds = 7_200;
    const id = bot.fill();
    bot.trades([tradeOf(id)]);
    bot.seconds += seconds;
    const now = { at: millis(bot.now.at + wallMs), mono: bot.now.mono };
    return bot.executor.balances.ofOurs([CHF], now).map((own) => own.id === id);
  };
  const HOUR = 3_600_000;
  expect([young(0, 119), young(HOUR, 119), young(-HOUR, 119)]).toEqual([[true], [true], [true]]);
  expect([young(0, 120), young(HOUR, 120), young(-HOUR, 120)]).toEqual([[], [], []]);
});

test("a fill that contradicts its answer halts once, and again after somebody resumed", () => {
  const bot = opened();
  const id = bot.fill();
  const other = tradeOf(id, { sold: Money.of("100.06", CHF) });
  bot.trades([other]).trades([other]);
  expect(bot.controls.length).toBe(1);
  expect(bot.controls[0]).toMatchObject({
    kind: "halt",
    cause: "contradiction",
    reason: expect.stringContaining("100.06 CHF"),
  });
  const control = { kind: "resume", reason: "looked at it", by: "anna" } as const;
  bot.hear({
    sequence: bot.entries.length + 1,
    hash: "",
    writer: "resume01",
    record: { kind: "control", at: bot.now.at, control },
  });
  bot.trades([other]);
  expect(bot.controls.length).toBe(2);
  expect(fillOf(id).sold).toEqual(Money.of("100.05", CHF));
});

function intentOf(bot: Keeping, id: string): Parameters<Keeping["executor"]["intend"]>[0] {
  return bot.executor.get(id)?.request as Parameters<Keeping["executor"]["intend"]>[0];
}
