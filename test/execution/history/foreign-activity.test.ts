import { describe, expect, test } from "vitest";
import { Money } from "../../../src/domain/money/money.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Unread } from "../../../src/exchange/port.ts";
import type { Answer } from "../../../src/execution/effects.ts";
import { Keeping, opened, orderOf, tradeOf } from "../keeping.ts";
import { VCHF } from "../life.ts";
import { adoptAll, asked, compared, foreignTrade, mintOf, UNTOUCHED, VGBP } from "../sight.ts";

describe("activity that the journal does not know", () => {
  test.each([
    ["under a name of somebody else", foreignTrade("A-9")],
    ["under an id of our form that is in no intent", foreignTrade("T-elsewhere1-3")],
    ["without a name", foreignTrade(undefined)],
  ])("a trade %s freezes everything and halts by name; the way out is adopt", (_how, trade) => {
    const bot = opened().trades([trade]);
    expect(bot.controls).toMatchObject([
      {
        kind: "halt",
        cause: "foreign",
        reason: expect.stringContaining('trade "t-x"'),
        wayOut: expect.stringContaining("pegbot adopt"),
      },
    ]);
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "everything" });
    // Also when the list no longer shows it.
    bot.trades([]);
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "everything" });
  });

  test.each([
    ["an order", { witness: "orders", rows: [orderOf("A-9", "Rejected")] }],
    [
      "a nameless order that was not refused",
      { witness: "orders", rows: [orderOf(undefined, "Filled", { orderId: "o1" })] },
    ],
    ["a rail", { witness: "rails", rows: [{ railId: "r1", status: "pending", reason: undefined }] }],
    ["a mint", { witness: "supply-changes", asset: VCHF, rows: [mintOf("m1")] }],
  ] as const)("%s halts as well", (_what, answer) => {
    const bot = opened();
    bot.answer({ ...answer, ...asked(bot) } as Answer);
    expect(bot.controls).toMatchObject([
      { kind: "halt", cause: "foreign", wayOut: expect.stringContaining("pegbot adopt") },
    ]);
  });

  test.each([
    [
      "a rail, and money that goes",
      { witness: "rails", rows: [{ railId: "r1", status: "active", reason: undefined }] },
    ],
    ["a refused order, and money that goes", { witness: "orders", rows: [orderOf("A-9", "Rejected")] }],
    ["a mint of other money", { witness: "supply-changes", asset: VGBP, rows: [{ ...mintOf("m1"), asset: VGBP }] }],
  ] as const)("%s are two reasons to stop: the row has not moved it", (_what, answer) => {
    const bot = opened().balances(UNTOUCHED);
    bot.answer({ ...answer, ...asked(bot) } as Answer);
    const { controls } = bot.balances({ CHF: "1", VCHF: "0" }).at(120).balances({ CHF: "1", VCHF: "0" });
    expect(controls.map((control) => (control.kind === "halt" ? control.reason : ""))).toEqual([
      expect.stringContaining("which the journal does not know"),
      expect.stringContaining("a difference of -999"),
    ]);
  });

  test("an order of ours that was given up is the one reason to stop, where trades show it after the balances", () => {
    const bot = opened();
    const [id, filled] = [bot.reject(), { CHF: "899.95", VCHF: "100" }];
    bot
      .at(300)
      .balances(filled)
      .balances(filled)
      .trades([tradeOf(id)]);
    expect(bot.balances(filled).controls).toMatchObject([{ reason: expect.stringContaining("given up (rejected)") }]);
  });

  test("a refused order without any name cannot be told from ours, and moved nothing", () => {
    expect(opened().orders([orderOf(undefined, "Rejected", { orderId: "o1" })]).controls).toEqual([]);
  });

  test("a nameless trade that may be an order of unknown outcome is left to the evidence about it", () => {
    const bot = opened();
    const id = bot.doubt();
    bot.trades([foreignTrade(undefined)]);
    expect(bot.controls).toEqual([]);
    expect(bot.phase(id)).toBe("fenced");
    const other = opened();
    other.doubt();
    // Twice the quantity that was ordered.
    other.trades([{ ...foreignTrade(undefined), bought: Money.of("200", VCHF) }]);
    expect(other.controls.length).toBe(1);
  });

  test("is covered by an adoption, with all that is older, and not with what is younger; also after a restart", () => {
    const bot = opened();
    const rows = [foreignTrade("A-9", millis(5_000))];
    bot.seconds = 10;
    adoptAll(bot, { trades: rows });
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    const after = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const keeping of [bot, after]) {
      keeping.trades([...rows, { ...foreignTrade("A-7", millis(4_000)), tradeId: "t-7" }]);
      expect(keeping.controls).toEqual([]);
      keeping.trades([...rows, { ...foreignTrade("A-11", millis(5_001)), tradeId: "t-11" }]);
      expect(keeping.controls.length).toBe(1);
    }
  });

  test("that has stopped the bot stops it no longer when a person has taken it over", () => {
    const bot = opened().trades([foreignTrade("A-9")]);
    expect(bot.executor.freeze(bot.now).kind).toBe("everything");
    adoptAll(bot, { trades: [foreignTrade("A-9")] });
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    expect(bot.trades([foreignTrade("A-9")]).controls.length).toBe(1);
  });
});

test("rows that nothing tells apart are adopted together, also after a restart; what one more of them moves differs", () => {
  const nameless = { ...foreignTrade("A-9"), tradeId: undefined };
  const bot = opened().at(300);
  adoptAll(bot, { trades: [nameless], balances: UNTOUCHED });
  for (const one of [bot, new Keeping({ entries: bot.entries })]) {
    expect(one.trades([nameless]).trades([nameless, nameless]).controls).toEqual([]);
    one.seconds = 300;
    one.balances({ CHF: "899.95", VCHF: "100" }).at(420).balances({ CHF: "899.95", VCHF: "100" });
    expect(one.controls).toMatchObject([{ cause: "balances" }]);
  }
});

describe("a row that cannot be read", () => {
  const portal: Unread = {
    problem: "[0] must have clordid or ordid",
    keys: { conversion: '"x-0"', amount: '"00"' },
    lines: [],
    words: ["c-7", "10"],
    digest: "d1g3s7",
  };
  const trades = (bot: Keeping, ...unread: Unread[]) =>
    bot.answer({ witness: "trades", rows: [], unread, ...asked(bot) } as Answer);

  test("without an id of ours halts by name, and adopt ends it for good", () => {
    const bot = opened();
    trades(bot, portal);
    expect(bot.controls).toMatchObject([{ kind: "halt", cause: "foreign", subject: "unread d1g3s7" }]);
    const [halt] = bot.controls;
    expect(halt).toMatchObject({ wayOut: expect.stringContaining("pegbot adopt") });
    expect(halt).toMatchObject({ reason: expect.stringContaining('conversion: "x-0"') });
    adoptAll(bot, { unread: [portal] });
    trades(bot, portal);
    expect([bot.controls.length, bot.executor.freeze(bot.now).kind]).toEqual([1, "none"]);
    trades(bot, portal, { ...portal, digest: "other" });
    expect(bot.controls[1]).toMatchObject({ subject: "unread other" });
  });

  test("with an id of ours leaves the list unreadable: nothing is sent, and nothing is adopted", () => {
    const bot = opened();
    const id = bot.send();
    const ours = { ...portal, words: ["Filled", id] };
    trades(bot, ours);
    expect(bot.controls).toEqual([]);
    bot.seconds += 600;
    trades(bot, ours);
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "everything" });
    expect(() => compared(bot, { unread: [ours] })).toThrow("trades cannot be read");
  });
});
