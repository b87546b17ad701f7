import { describe, expect, test } from "vitest";
import { Money } from "../../../src/domain/money/money.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Unread } from "../../../src/exchange/port.ts";
import type { Answer } from "../../../src/execution/effects.ts";
import { Keeping, opened, orderOf, tradeOf } from "../keeping.ts";
import { CHF, VCHF } from "../life.ts";
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

  test("a trade that is found a second time as its order is one reason to stop, and another stranger is no second", () => {
    const bot = opened().trades([foreignTrade("A-9")]);
    bot.orders([orderOf("A-9", "Filled")]).trades([{ ...foreignTrade("A-7"), tradeId: "t-7" }]);
    expect(bot.controls.length).toBe(1);
    expect(bot.executor.freeze(bot.now)).toMatchObject({
      reason: expect.stringContaining(" and 2 more, which the journal does not know"),
    });
  });

  test("is asked for where balances differ, and its trade is then the one reason to stop", () => {
    const moved = { CHF: "899.95", VCHF: "100" };
    const bot = opened().balances(UNTOUCHED).balances(moved);
    expect(bot.asks.map(({ witness }) => witness)).toEqual(["trades", "balances"]);
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [CHF, VCHF] });
    bot.trades([foreignTrade("A-9")]).balances(moved);
    bot.seconds = 1_000;
    bot.balances(moved);
    expect(bot.controls.map((control) => (control.kind === "halt" ? control.reason : ""))).toEqual(
      // The same again after some minutes.
      [1, 2].map(() => expect.stringContaining('the venue shows trade "t-x"')),
    );
    // Adopted with too little: what is left is a reason of its own.
    adoptAll(bot, { trades: [foreignTrade("A-9")] });
    bot.balances({ CHF: "1", VCHF: "100" }).at(1_120).balances({ CHF: "1", VCHF: "100" });
    expect(bot.controls.slice(2)).toMatchObject([
      { reason: expect.stringContaining("the venue has 1 CHF and the books 1000, a difference of -999") },
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

  test("is covered by its id too, whatever time it had before, or has later, by a wrong clock of the venue", () => {
    const bot = opened();
    bot.seconds = 10;
    // Seen while the venue's clock was 20 s ahead, and taken over when it was right again.
    bot.trades([foreignTrade("A-9", millis(25_000))]);
    adoptAll(bot, { trades: [foreignTrade("A-9", millis(5_000))] });
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    const after = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const keeping of [bot, after]) {
      const before = keeping.controls.length;
      keeping.trades([foreignTrade("A-9", millis(25_000))]);
      expect(keeping.controls.length).toBe(before);
    }
  });

  test("that has no time, or one ahead of ours, is covered by its id and covers nothing else", () => {
    const bot = opened();
    const future = foreignTrade("A-9", millis(9_999_000));
    adoptAll(bot, { trades: [future], rails: [{ railId: "r1", status: "pending", reason: undefined }] });
    bot.trades([future]);
    bot.answer({ witness: "rails", rows: [{ railId: "r1", status: "rejected", reason: "name" }], ...asked(bot) });
    expect(bot.controls).toEqual([]);
    bot.trades([future, { ...foreignTrade("A-10", millis(20_000)), tradeId: "t-10" }]);
    expect(bot.controls.length).toBe(1);
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
