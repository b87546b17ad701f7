import { describe, expect, test } from "vitest";
import { Money } from "../../src/domain/money/money.ts";
import type { Side } from "../../src/domain/order.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import type { TradeRecord } from "../../src/exchange/port.ts";
import { planAdoption } from "../../src/execution/adjustment.ts";
import { Keeping, opened, tradeOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";
import { adoptAll, compared, foreignTrade, planned, started, UNTOUCHED, VGBP } from "./sight.ts";

describe("an adoption", () => {
  test("is none of balances below nothing", () => {
    expect(planned(opened(), { balances: { CHF: "1000", VCHF: "-1" } })).toEqual({
      ok: false,
      error: "balances must not be negative, was -1 VCHF",
    });
  });

  test("covers rows by time up to the newest that is not ahead of us, and by id what that leaves out and the newest thousand", () => {
    const row = (key: string, at: number | undefined) => ({
      ...{ key, text: key, subject: key, assets: [] },
      at: at === undefined ? undefined : millis(at),
    });
    const historyOf = (rows: readonly ReturnType<typeof row>[]) => {
      const comparison = { differences: [], costs: [], rows, unclear: [], escalateAfterMs: 0, receivedAt: millis(7) };
      const plan = planAdoption(comparison, { reason: "wire", by: "anna" }, millis(9));
      return plan.ok ? plan.value.record.history : undefined;
    };
    const rows = [row("timeless", undefined), row("old", 3), row("now", 7), row("ahead", 8), row("newer", 5)];
    expect(historyOf(rows)).toEqual({ until: 7, ids: ["timeless", "ahead", "now", "newer", "old"] });
    expect(historyOf([row("timeless", undefined), row("ahead", 8)])).toEqual({
      until: undefined,
      ids: ["timeless", "ahead"],
    });
    const many = Array.from({ length: 1_002 }, (_, i) => row(`r${i}`, i / 1_000));
    const { ids = [], until } = historyOf(many) ?? {};
    expect([until, ids.length, ids[0], ids.at(-1)]).toEqual([1.001, 1_000, "r1001", "r2"]);
  });

  test("takes over the difference of every asset, and the books are the venue's", () => {
    const bot = opened().at(7);
    expect(planned(bot, { balances: { CHF: "1500", VCHF: "0" } })).toMatchObject({
      value: {
        event: { reason: "wire", receivedAt: bot.now.at },
        record: { reason: "wire", by: "anna", at: bot.now.at },
      },
    });
    adoptAll(bot, { balances: { CHF: "1500", VCHF: "0", EUR: "2" } });
    expect(bot.accounts.held(CHF)).toEqual(Money.of("1500", CHF));
    bot.balances({ CHF: "1500", VCHF: "0", EUR: "2" });
    expect(bot.controls).toEqual([]);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("and a start know an asset of nothing that the venue no longer lists; of one that we hold nothing is known", () => {
    const bot = opened();
    // VCHF is zero in the books, CHF is not.
    expect(started(bot, { balances: { CHF: "1000" } })).toEqual({ kind: "ready" });
    expect(started(bot, { balances: { VCHF: "0" } })).toMatchObject({ code: "unexplained-balance" });
    expect(planned(bot, { balances: { VCHF: "0" } })).toMatchObject({ ok: false });
    adoptAll(bot, { balances: { CHF: "1010" } });
    expect([bot.accounts.held(CHF), bot.accounts.held(VCHF)]).toEqual([Money.of("1010", CHF), Money.zero(VCHF)]);
  });

  test("is refused while an order is in doubt, or a fill may not be in the balances yet", () => {
    const bot = opened();
    const id = bot.doubt();
    expect(planned(bot, {})).toMatchObject({ ok: false, error: expect.stringContaining(`pegbot resolve ${id}`) });
    expect(planned(bot, {}, { takesOver: true })).toEqual(planned(bot, {}));
    const other = opened();
    other.fill();
    expect(planned(other, {})).toMatchObject({
      ok: false,
      error: expect.stringMatching(/have until 1970-01-01T00:02:00Z to show it: try again then; what differs .* halts/),
    });
    other.at(7);
    const last = other.fill();
    const text = `what ${last} and 1 before it moved may not be in the venue's balances yet, which have until 1970-01-01T00:02:07Z`;
    expect(planned(other, {})).toMatchObject({ ok: false, error: expect.stringContaining(text) });
    const unknown = other.doubt();
    expect(planned(other, {})).toMatchObject({ error: expect.stringContaining(`the outcome of ${unknown} must be`) });
  });

  test("does not wait for a fill without which more would differ, and does where half of it may be late", () => {
    const bot = opened();
    bot.trades([tradeOf(bot.fill())]);
    const amounts = (CHF: string, VCHF: string): string => {
      const plan = planned(bot, { balances: { CHF, VCHF } }, { takesOver: true });
      return plan.ok ? plan.value.event.amounts.map((one) => `${one} ${one.asset}`).join(", ") : "waits";
    };
    // 100 VCHF for 100.05 CHF: all of it shown, beside a deposit; neither; the coins, and not yet what paid for them; another of both.
    expect([
      amounts("1399.95", "100"),
      amounts("1500", "0"),
      amounts("1000", "100"),
      amounts("1399.95", "107"),
    ]).toEqual(["500 CHF", "waits", "waits", "waits"]);
    // Of which nobody says what is pending.
    expect([amounts("1000+?", "100"), amounts("1399.95", "100+?")]).toEqual(["waits", "waits"]);
    // Whoever starts waits: the bot decides by two answers.
    expect(started(bot, { balances: { CHF: "1399.95", VCHF: "100" } }).kind).toBe("ready");
  });

  test("is possible when balances had their time to show a fill, also for a process that has just begun", () => {
    const bot = opened();
    bot.trades([tradeOf(bot.fill())]);
    const wire = { balances: { CHF: "1399.95", VCHF: "100" } };
    const command = new Keeping({ writer: "adopt001", entries: bot.entries });
    command.seconds = 119;
    expect(planned(command, wire)).toMatchObject({ ok: false });
    command.seconds = 120;
    expect(planned(command, wire)).toMatchObject({ ok: true, value: { event: { amounts: [Money.of("500", CHF)] } } });
  });

  test("beside a rail of a stranger, or of balances of which nothing is said, is planned or refused by name", () => {
    const rails = [{ railId: "r1", status: "pending", reason: undefined }];
    expect(planned(opened(), { rails }, { takesOver: true })).toMatchObject({
      value: { record: { history: { ids: ["rail:r1"] } } },
    });
    expect(planned(opened(), { balances: { CHF: "1000+?", VCHF: "0" } }, { takesOver: true })).toMatchObject({
      error: expect.stringContaining("CHF"),
    });
    const [id, state] = ["M-1", { kind: "confirmed", receipt: {} }];
    const unclear = [{ submission: { id, state, kind: "mint" } as never, dueAt: undefined }];
    const comparison = { differences: [], costs: [], rows: [], unclear, escalateAfterMs: 0, receivedAt: millis(7) };
    expect(planAdoption(comparison, { reason: "wire", by: "anna" }, millis(9))).toMatchObject({
      error: expect.stringMatching(/^what M-1 moved may not be in the venue's balances yet: try again then; /),
    });
  });

  test("tells how many trades in it this bot has made and lost: strategies must not go on from before them", () => {
    const lostIn = (...trades: readonly TradeRecord[]) => {
      const plan = planned(opened(), { trades }, { takesOver: true });
      return plan.ok ? plan.value.lost : plan.error;
    };
    const [one, other] = ["T-restored0-24", "T-restored0-25"].map((id, i) =>
      tradeOf(id, { orderId: `9${i}`, tradeId: `t9${i}` }),
    );
    const wire = tradeOf("x", { clientOrderId: undefined, orderId: "95", tradeId: "t95" });
    expect(lostIn(wire)).toBe(0);
    expect(lostIn(one as TradeRecord, wire, other as TradeRecord)).toBe(2);
  });

  test("of history means that an empty list proves nothing any more", () => {
    const bot = opened();
    adoptAll(bot, { trades: [foreignTrade("A-9", millis(0))] });
    const id = bot.doubt();
    bot.trades([]);
    for (const seconds of [0, 5, 120, 300]) bot.at(seconds).trades([]).orders([]).balances(UNTOUCHED);
    expect(bot.executor.get(id)?.state).toMatchObject({ kind: "fenced", negatives: 0 });
  });
});

describe("an order that was closed as not filled and that only the balances show", () => {
  const closed = (...sides: readonly Side[]): { bot: Keeping; ids: readonly string[] } => {
    const bot = new Keeping({}).opened(Money.of("1000", CHF), Money.of("0", VCHF), Money.of("50", VGBP));
    const ids = (sides.length === 0 ? (["buy", "buy"] as const) : sides).map((side) =>
      bot.doubt(bot.send(bot.intend(undefined, { side }))),
    );
    bot.at(1_000).trades([]);
    bot.take((out) => bot.executor.time(bot.now, out));
    const resolution = { kind: "not-landed", by: "anna", reason: "the portal has none" } as const;
    for (const id of ids) bot.take((out) => bot.executor.resolve(id, resolution, bot.now, out));
    return { bot, ids };
  };
  const takesOver = { takesOver: true };

  test("is told to who takes over, and to the strategy: of two that are alike nobody can say which", () => {
    const { bot, ids } = closed();
    // A wire of something else says nothing about it.
    const seen = { balances: { CHF: "899.95", VCHF: "100", VGBP: "70" } };
    expect(compared(bot, seen, takesOver).likeness).toBe(
      ids
        .map((id) => `; 100 VCHF, -100.05 CHF is what order ${id} may have moved, which was closed as not filled`)
        .join(""),
    );
    expect(unwrap(planned(bot, seen, takesOver))).toMatchObject({ unbooked: ids, odd: [] });
    expect(unwrap(planned(bot, { balances: { CHF: "799.9", VCHF: "200", VGBP: "50" } }, takesOver)).unbooked).toEqual(
      ids,
    );
  });

  test.each([
    ["nothing differs", { CHF: "1000", VCHF: "0", VGBP: "50" }],
    ["one side differs", { CHF: "1000", VCHF: "100", VGBP: "50" }],
    // 100 at 1.001 are 100.10 at most.
    ["it is more than the order allowed", { CHF: "890", VCHF: "100", VGBP: "50" }],
    ["something else differs", { CHF: "1000", VCHF: "0", VGBP: "51" }],
  ])("is not said where %s", (_what, balances) => {
    const { bot } = closed();
    expect(unwrap(planned(bot, { balances }, takesOver)).unbooked).toEqual([]);
  });

  test("and whose opposite was closed so too is not told by what neither of them moved", () => {
    const { bot, ids } = closed("buy", "sell", "buy");
    const unbooked = (balances: Record<string, string>): readonly string[] =>
      unwrap(planned(bot, { balances }, takesOver)).unbooked;
    expect(unbooked({ CHF: "1000", VCHF: "0", VGBP: "70" })).toEqual([]);
    // Either bought it; that the third was sold again nothing says.
    expect(unbooked({ CHF: "899.95", VCHF: "100", VGBP: "50" })).toEqual([ids[0], ids[2]]);
    // Bought and sold at other prices.
    expect(unbooked({ CHF: "1000.4", VCHF: "0", VGBP: "50" })).toEqual(ids);
  });
});
