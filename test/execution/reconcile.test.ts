import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { MovementReport } from "../../src/domain/movement.ts";
import type { Fill, Side } from "../../src/domain/order.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { TradeRecord } from "../../src/exchange/port.ts";
import type { Arriving } from "../../src/execution/arrivals.ts";
import type { Answer, ExecutorSight } from "../../src/execution/executor.ts";
import { judgeStart } from "../../src/execution/judge-start.ts";
import { planAdoption } from "../../src/execution/plan-adoption.ts";
import { compareWithVenue, reconcileAsks } from "../../src/execution/reconcile.ts";
import type { Flying } from "../../src/execution/under-way.ts";
import { isSameStop } from "../../src/risk/standing.ts";
import { Keeping, type KeepingOptions, orderOf, tradeOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";

const opened = (options: KeepingOptions = {}) =>
  new Keeping(options).opened(Money.of("1000", CHF), Money.of("0", VCHF));
const VGBP = "VGBP" as Asset;
const UNTOUCHED = { CHF: "1000", VCHF: "0" };
const foreignTrade = (name: string | undefined, at?: Millis) =>
  tradeOf("x", { clientOrderId: name, orderId: "o-x", tradeId: "t-x", at });

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
    expect(bot.executor.freeze(bot.now)).toMatchObject({ reason: expect.stringContaining(" and 2 more, of which") });
  });

  test("is one cause whether its trade or its order is seen first, as after a restart", () => {
    const [byTrade] = opened().trades([foreignTrade("A-9")]).controls;
    const [byOrder] = opened().orders([orderOf("A-9", "Filled", { orderId: "o-x" })]).controls;
    const [other] = opened().orders([orderOf("A-9", "Filled", { orderId: "o-y" })]).controls;
    if (byTrade?.kind !== "halt" || byOrder?.kind !== "halt" || other?.kind !== "halt") expect.unreachable("no halts");
    expect([byTrade, byOrder, other].map(({ subject }) => subject)).toEqual(["order o-x", "order o-x", "order o-y"]);
    expect([isSameStop(byTrade, byOrder), isSameStop(byTrade, other)]).toEqual([true, false]);
  });

  test("is asked for where balances differ, and its trade is then the one reason to stop", () => {
    const moved = { CHF: "899.95", VCHF: "100" };
    const bot = opened().balances(UNTOUCHED).balances(moved);
    expect(bot.asks.map(({ witness }) => witness)).toEqual(["balances", "trades"]);
    bot.trades([foreignTrade("A-9")]).balances(moved);
    bot.seconds = 1_000;
    bot.balances(moved);
    expect(bot.controls.map((control) => (control.kind === "halt" ? control.reason : ""))).toEqual(
      // The same again after some minutes.
      [1, 2].map(() => expect.stringContaining('the venue shows trade "t-x"')),
    );
    // Taken over with too little: what is left is a reason of its own.
    adoptAll(bot, { trades: [foreignTrade("A-9")] });
    const more = bot.balances({ CHF: "1", VCHF: "100" }).balances({ CHF: "1", VCHF: "100" }).controls.slice(2);
    expect(more).toMatchObject([{ reason: expect.stringContaining("balances differ from the ledger by") }]);
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
    const { controls } = bot.balances({ CHF: "1", VCHF: "0" }).trades([]).balances({ CHF: "1", VCHF: "0" });
    expect(controls.map((control) => (control.kind === "halt" ? control.reason : ""))).toEqual([
      expect.stringContaining("of which the journal knows nothing"),
      expect.stringContaining("balances differ from the ledger by -999 CHF"),
    ]);
  });

  test("is the one reason to stop also where balances are answered twice before the trades", () => {
    const moved = { CHF: "899.95", VCHF: "100" };
    const twice = () => opened().balances(UNTOUCHED).balances(moved).balances(moved);
    expect(twice().controls).toEqual([]);
    expect(twice().trades([foreignTrade("A-9")]).controls).toMatchObject([
      { reason: expect.stringContaining('the venue shows trade "t-x"') },
    ]);
    const ours = twice();
    expect(ours.trades([]).controls).toEqual([]);
    expect(ours.asks).toMatchObject([{ witness: "balances" }]);
    expect(ours.balances(moved).controls).toMatchObject([{ reason: expect.stringContaining("balances differ") }]);
    // Trades that are never answered hold it no longer than late balances do.
    const silent = twice();
    silent.seconds = 121;
    expect(silent.balances(moved).controls).toMatchObject([{ reason: expect.stringContaining("balances differ") }]);
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

  test("balances that were late are no reason to stop when trades are answered long after them", () => {
    const bot = opened();
    bot.fill();
    bot.balances({ CHF: "1", VCHF: "0" }).balances({ CHF: "1", VCHF: "0" });
    expect(bot.at(200).trades([]).controls).toEqual([]);
  });

  test("a refused order without any name cannot be told from ours, and moved nothing", () => {
    expect(opened().orders([orderOf(undefined, "Rejected", { orderId: "o1" })]).controls).toEqual([]);
  });

  test("a nameless trade that may be an order in doubt is left to the evidence about it", () => {
    const bot = opened();
    const id = bot.doubt();
    bot.trades([foreignTrade(undefined)]);
    expect(bot.controls).toEqual([]);
    expect(bot.state(id)).toBe("fenced");
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

test("of rows that nothing tells apart as many are known as were taken over, also after a restart; of one with an id any number is one", () => {
  const nameless = { ...foreignTrade("A-9"), tradeId: undefined };
  const bot = opened();
  const taken = (rows: readonly TradeRecord[]): number | undefined => {
    const plan = planned(bot, { trades: rows, balances: UNTOUCHED });
    return plan.ok ? plan.value.record.history.ids.length : undefined;
  };
  bot.at(300);
  adoptAll(bot, { trades: [nameless], balances: UNTOUCHED });
  expect(bot.trades([nameless]).controls).toEqual([]);
  expect(bot.trades([nameless, nameless]).controls).toMatchObject([{ cause: "foreign" }]);
  const restarted = new Keeping({ entries: bot.entries });
  expect(restarted.trades([nameless]).controls).toEqual([]);
  expect(restarted.trades([nameless, nameless]).controls.length).toBe(1);
  expect(taken([nameless, nameless])).toBe(1);
  adoptAll(bot, { trades: [nameless, nameless], balances: UNTOUCHED });
  bot.at(1_000).trades([nameless, nameless]);
  expect([bot.controls.length, taken([nameless, nameless])]).toEqual([1, 0]);
  // One that came later is no other one's that its time tells apart, whichever the venue lists first.
  const [old, late] = [100, 400].map((second) => ({ ...nameless, at: millis(second * 1_000) })) as [
    TradeRecord,
    TradeRecord,
  ];
  for (const rows of [
    [old, late],
    [late, old],
  ]) {
    const timed = opened().at(300);
    adoptAll(timed, { trades: [old], balances: UNTOUCHED });
    // Its time was wrong.
    expect(timed.at(500).trades([late]).controls).toEqual([]);
    expect(timed.trades(rows).controls).toMatchObject([{ cause: "foreign" }]);
  }
  const named = opened().at(300);
  adoptAll(named, { trades: [foreignTrade("A-9")], balances: UNTOUCHED });
  expect(named.trades([foreignTrade("A-9"), foreignTrade("A-9")]).controls).toEqual([]);
});

describe("a row that says something else of an order of ours than what it ended with", () => {
  const resume = (bot: Keeping) => {
    const control = { kind: "resume", reason: "looked at it", by: "anna" } as const;
    const record = { kind: "control", at: bot.now.at, control } as const;
    bot.hear({ sequence: bot.entries.length + 1, hash: "", writer: "resume01", record });
  };

  test("stops the bot until a person has taken over just that, also after a restart, and again for anything else", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.state(id)).toBe("settled");
    const corrected = tradeOf(id, { fee: Money.of("0.01", CHF) });
    bot.at(300).trades([corrected]);
    expect(bot.controls).toMatchObject([{ kind: "halt", cause: "contradiction" }]);
    const seen = { trades: [corrected], balances: { CHF: "899.94", VCHF: "100" } };
    const plan = planned(bot, seen);
    expect(plan.ok && plan.value.record).toMatchObject({
      amounts: [Money.of("-0.01", CHF)],
      history: { until: undefined, ids: [expect.stringMatching(/^contested:trade .* fee 0.01 CHF$/)] },
    });
    // Another fee is nothing that who ordered it would do otherwise for.
    expect(plan.ok && [plan.value.unbooked, plan.value.odd]).toEqual([[], []]);
    adoptAll(bot, seen);
    resume(bot);
    bot.trades([corrected]).balances({ CHF: "899.94", VCHF: "100" }).trades([corrected]);
    expect(bot.controls.length).toBe(1);
    const restarted = new Keeping({ entries: bot.entries });
    restarted.trades([corrected]);
    expect(restarted.controls).toEqual([]);
    const again = planned(bot, seen);
    expect(again.ok && again.value.record).toMatchObject({ amounts: [], history: { ids: [] } });
    bot.trades([tradeOf(id, { fee: Money.of("0.02", CHF) })]);
    expect(bot.controls.length).toBe(2);
  });

  test("without an id of its own is one of as many as were taken over", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances({ CHF: "899.95", VCHF: "100" });
    const odd = tradeOf(id, { tradeId: undefined, fee: Money.of("0.01", CHF) });
    bot.at(300).trades([odd]);
    adoptAll(bot, { trades: [odd], balances: { CHF: "899.94", VCHF: "100" } });
    resume(bot);
    expect(bot.trades([odd]).controls.length).toBe(1);
    // The same object, as a venue in process shows it, and another beside it.
    expect(bot.trades([odd, { ...odd }]).controls.length).toBe(2);
    const plan = planned(bot, { trades: [odd, { ...odd }], balances: { CHF: "899.94", VCHF: "100" } });
    expect(plan.ok && plan.value.record.history.ids.length).toBe(1);
  });

  test("confirms an order that waits for history once it is taken over: it is not said to be missing later", () => {
    const bot = opened();
    const id = bot.fill();
    const corrected = tradeOf(id, { fee: Money.of("0.01", CHF) });
    bot.trades([corrected]);
    expect(bot.state(id)).toBe("accepted");
    const seen = { trades: [corrected], balances: { CHF: "899.94", VCHF: "100" } };
    bot.at(300);
    adoptAll(bot, seen);
    resume(bot);
    bot.trades([corrected]);
    expect(bot.state(id)).toBe("confirmed");
    bot.balances({ CHF: "899.94", VCHF: "100" });
    expect(bot.state(id)).toBe("settled");
    bot.at(2_000).trades([corrected]);
    bot.take((out) => bot.executor.time(bot.now, out));
    expect(bot.controls).toMatchObject([{ kind: "halt", cause: "contradiction" }]);
    expect(new Keeping({ entries: bot.entries }).state(id)).toBe("settled");
  });

  test("beside the trade that it was answered with is another, and that one confirms it", () => {
    const bot = opened();
    const id = bot.fill();
    const rows = [tradeOf(id, { tradeId: "t-second" }), tradeOf(id)];
    bot.trades(rows);
    const seen = { trades: rows, balances: { CHF: "899.95", VCHF: "100" } };
    bot.at(300);
    expect(bot.state(id)).toBe("accepted");
    // Who ordered it knows of one.
    expect(unwrap(planned(bot, seen))).toMatchObject({ unbooked: [], odd: [id] });
    adoptAll(bot, seen);
    bot.trades(rows);
    expect(bot.executor.get(id)?.state).toMatchObject({ kind: "confirmed" });
    expect(bot.controls.length).toBe(1);
  });

  test.each([
    ["a fee in a third currency", { fee: Money.of("0.00001", "BTC" as Asset) }, { CHF: "899.95", VCHF: "100" }],
    // 100 at 1.001 are 100.10 at most.
    ["a price beyond its limit", { sold: Money.of("110", CHF) }, { CHF: "890", VCHF: "100" }],
  ])(
    "with %s is never booked: closed as not filled, it is taken over with what the balances show",
    (_what, odd, balances) => {
      const bot = opened();
      const id = bot.doubt();
      const [trade, order] = [tradeOf(id, { ...odd, at: millis(1_000) }), orderOf(id, "Filled")];
      const seen = { trades: [trade], orders: [order], balances };
      bot.trades([trade]);
      expect([bot.state(id), bot.controls]).toMatchObject(["escalated", [{ cause: "contradiction" }]]);
      bot.at(300);
      expect(planned(bot, seen)).toMatchObject({ ok: false, error: expect.stringContaining(`pegbot resolve ${id}`) });
      const resolution = { kind: "not-landed", by: "anna", reason: "the fee is odd" } as const;
      bot.take((out) => bot.executor.resolve(id, resolution, bot.now, out));
      resume(bot);
      const before = bot.controls.length;
      bot.trades([trade]).orders([order]);
      expect(bot.controls.slice(before).map((one) => one.kind === "halt" && one.wayOut)).toEqual(
        // Its trade, and the order that is listed as filled.
        [1, 2].map(() => expect.stringMatching(/^pegbot adopt, then pegbot resume/)),
      );
      // So that what it moved is taken for no cost of a mint, and for no payment.
      const [row] = bot.executor.histories.contested([
        { witness: "trades", rows: [trade], askedAt: bot.now.mono, receivedAt: bot.now.at, nonce: undefined },
      ]);
      expect(row?.moved).toEqual([trade.bought, trade.sold.negated(), trade.fee.negated()]);
      const plan = planned(bot, seen);
      expect(plan.ok && plan.value.record.history.ids).toEqual([
        expect.stringMatching(/^contested:trade /),
        expect.stringMatching(/^contested:order /),
      ]);
      expect(unwrap(plan)).toMatchObject({ unbooked: [id], odd: [] });
      adoptAll(bot, seen);
      resume(bot);
      const stopped = bot.controls.length;
      bot.trades([trade]).orders([order]).balances(balances).balances(balances);
      const restarted = new Keeping({ entries: bot.entries });
      restarted
        .trades([{ ...trade }])
        .orders([order])
        .balances(balances)
        .balances(balances);
      for (const one of [bot, restarted]) {
        expect([one.controls.length, one.state(id)]).toEqual([one === bot ? stopped : 0, "presumed-dead"]);
        expect(one.reports.filter(({ report }) => report.kind === "filled")).toEqual([]);
        expect(one.executor.freeze(one.now)).toEqual({ kind: "none" });
        expect(planned(one, seen)).toMatchObject({ value: { record: { amounts: [], history: { ids: [] } } } });
        // What the venue says of it later is news.
        one.at(700).trades([{ ...trade, fee: Money.of("0.00002", "BTC" as Asset) }]);
        expect(one.controls.at(-1)).toMatchObject({ kind: "halt", cause: "contradiction" });
      }
    },
  );

  test("stays taken over when its order is so old that it is no longer kept", () => {
    const bot = opened({ endedMax: 2 });
    const id = bot.reject();
    const trade = tradeOf(id, { sold: Money.of("110", CHF) });
    const balances = { CHF: "890", VCHF: "100" };
    bot.trades([trade]).at(300);
    adoptAll(bot, { trades: [trade], balances });
    resume(bot);
    for (let i = 0; i < 3; i++) bot.reject();
    const before = bot.controls.length;
    expect(bot.executor.get(id)).toBeUndefined();
    expect(bot.trades([{ ...trade }]).controls.length).toBe(before);
  });

  test("is one stop of all that one answer contradicts", () => {
    const bot = opened();
    const ids = [bot.fill(), bot.fill(), bot.fill()];
    const twice = ids.flatMap((id) => [tradeOf(id), tradeOf(id, { tradeId: `again-${id}` })]);
    bot.trades(twice);
    expect(bot.controls).toMatchObject([
      { cause: "contradiction", reason: expect.stringMatching(/an order fills once.*; and 2 more like it$/) },
    ]);
    expect(bot.trades([...twice]).controls.length).toBe(1);
  });

  test("is at a start the one stop that it is anyway: nobody else has used the account", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances({ CHF: "899.95", VCHF: "100" });
    const restarted = new Keeping({ entries: bot.entries });
    const corrected = tradeOf(id, { fee: Money.of("0.01", CHF) });
    const start = started(restarted, { trades: [corrected], balances: { CHF: "899.95", VCHF: "100" } });
    expect(start).toEqual({ kind: "ready" });
    expect(restarted.trades([corrected]).controls).toMatchObject([{ cause: "contradiction" }]);
  });

  test("is taken over in the list of orders as well, unless it is a fill that its trade will show", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances({ CHF: "899.95", VCHF: "100" });
    const given = bot.reject();
    bot.at(300).orders([orderOf(id, "Rejected"), orderOf(given, "Filled")]);
    const ids = (sight: Sight) => {
      const plan = planned(bot, { balances: { CHF: "899.95", VCHF: "100" }, ...sight });
      return plan.ok ? plan.value.record.history.ids.length : undefined;
    };
    expect(ids({ orders: [orderOf(id, "Rejected"), orderOf(given, "Filled")] })).toBe(1);
    adoptAll(bot, { orders: [orderOf(id, "Rejected")], balances: { CHF: "899.95", VCHF: "100" } });
    const before = bot.controls.length;
    resume(bot);
    bot.orders([orderOf(id, "Rejected")]);
    expect(bot.controls.length).toBe(before);
    bot.orders([orderOf(given, "Filled")]);
    expect(bot.controls.length).toBe(before + 1);
  });
});

describe("venue totals", () => {
  test("that differ by one unit freeze the asset at once, and halt at the second answer when nothing of ours moved and no trade of a stranger", () => {
    const bot = opened().balances({ CHF: "1000.000000000000000001", VCHF: "0" });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [CHF] });
    expect(bot.controls).toEqual([]);
    expect(bot.asks.map(({ witness }) => witness)).toEqual(["balances", "trades"]);
    bot.trades([]).balances({ CHF: "1000.000000000000000001", VCHF: "0" });
    expect(bot.controls).toMatchObject([
      {
        kind: "halt",
        cause: "balances",
        reason: expect.stringContaining("0.000000000000000001 CHF"),
        wayOut: expect.stringContaining("adopt"),
      },
    ]);
  });

  test("that one answer brings to several who asked count once", () => {
    const bot = opened().balances({ CHF: "1001", VCHF: "0" });
    bot.nonce--;
    bot.balances({ CHF: "1001", VCHF: "0" }).trades([]);
    expect(bot.controls).toEqual([]);
    bot.balances({ CHF: "1001", VCHF: "0" });
    expect(bot.controls).toMatchObject([{ kind: "halt" }]);
  });

  test("that are right again free the asset, and a difference later begins anew", () => {
    const bot = opened().balances({ CHF: "1001", VCHF: "0" }).balances(UNTOUCHED);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    bot.balances({ CHF: "1001", VCHF: "0" });
    expect(bot.controls).toEqual([]);
  });

  test("that nobody can read freeze everything after 120 s, until they are read again", () => {
    const bot = opened();
    const unread = (second: number) => {
      bot.at(second);
      const question = { witness: "balances", askedAt: bot.now.mono, code: "unreadable" } as const;
      return bot.take((out) => bot.executor.unanswered(question, bot.now, out));
    };
    unread(10);
    unread(100);
    bot.at(129);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    bot.at(130);
    expect(bot.executor.freeze(bot.now)).toEqual({
      kind: "everything",
      reason: "the venue's balances cannot be read for 0:02:00 or more: what was booked since is checked by nobody",
    });
    bot.balances(UNTOUCHED);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    // Counted anew: one that fails now and then freezes nothing.
    unread(140);
    bot.at(200).balances(UNTOUCHED);
    bot.at(300);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    expect(bot.controls).toEqual([]);
  });

  test.each(["trades", "orders"] as const)("and %s that nobody can read freeze everything after as long", (witness) => {
    const bot = opened();
    const unread = (second: number, code = "venue-down") => {
      const question = { witness, askedAt: bot.at(second).now.mono, code } as const;
      bot.take((out) => bot.executor.unanswered(question, bot.now, out));
    };
    unread(10);
    bot.at(129).balances(UNTOUCHED);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    unread(130);
    expect(bot.executor.freeze(bot.now)).toEqual({
      kind: "everything",
      reason: `the venue's ${witness} cannot be read for 0:02:00 or more: what was booked since is checked by nobody`,
    });
    if (witness === "trades") bot.trades([]);
    else bot.orders([]);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    expect(bot.controls).toEqual([]);
  });

  test("may be late after a fill: half of it freezes for up to 120 s and only then halts", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances(UNTOUCHED);
    // All of it late is explained.
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    bot.at(10).balances({ CHF: "899.95", VCHF: "0" });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [VCHF] });
    bot.at(100).balances({ CHF: "899.95", VCHF: "0" });
    expect(bot.controls).toEqual([]);
    bot.at(130).balances({ CHF: "899.95", VCHF: "0" });
    expect(bot.controls).toMatchObject([{ kind: "halt", reason: expect.stringContaining("-100 VCHF") }]);
  });

  test("that never show a fill halt when they must", () => {
    const bot = opened();
    bot.trades([tradeOf(bot.fill())]);
    bot.at(119).balances(UNTOUCHED);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
    bot.at(121).balances(UNTOUCHED);
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets" });
    bot.at(241).balances(UNTOUCHED);
    expect(bot.controls).toMatchObject([{ kind: "halt" }]);
  });

  describe("behind many fills", () => {
    /** Each other than the one before. */
    function fillOnce(bot: Keeping, turn: number): void {
      const sold = Money.of(`99.${10 + turn}`, CHF);
      bot.at(4 * turn).trades([tradeOf(bot.fill(undefined, { sold }), { sold })]);
    }
    function busy(count: number): Keeping {
      const bot = new Keeping({}).opened(Money.of("90000", CHF), Money.of("0", VCHF));
      for (let turn = 0; turn < count; turn++) fillOnce(bot, turn);
      return bot;
    }
    /** So many of them, and what others moved. */
    const showing = (shown: number, besides = 0): { CHF: string; VCHF: string } => {
      let cents = 9_000_000 + 100 * besides;
      for (let turn = 0; turn < shown; turn++) cents -= 9_910 + turn;
      return { CHF: String(cents / 100), VCHF: String(100 * shown) };
    };
    const frozen = (bot: Keeping) => bot.executor.freeze(bot.now);

    test.each([11, 20])("of which %i are late halt nothing and freeze nothing within their time", (count) => {
      const bot = busy(count);
      bot.at(100).balances(showing(0));
      bot.at(110).balances(showing(7));
      bot.at(119).balances(showing(count - 1));
      expect(frozen(bot)).toEqual({ kind: "none" });
      bot.at(200).balances(showing(count));
      expect([frozen(bot), bot.controls, [...bot.executor.open()].length]).toEqual([{ kind: "none" }, [], 0]);
    });

    test("that were sent in another order than they were decided on freeze nothing", () => {
      const bot = new Keeping({}).opened(Money.of("90000", CHF), Money.of("0", VCHF));
      for (let turn = 0; turn < 12; ) {
        // The slot goes to whichever is worth the most by then: here the last of four comes first.
        for (const id of Array.from({ length: 4 }, () => bot.intend()).toReversed()) {
          const sold = Money.of(`99.${10 + turn}`, CHF);
          bot.at(4 * turn++).trades([tradeOf(bot.fill(bot.send(id), { sold }), { sold })]);
        }
      }
      for (const shown of [0, 2, 6, 10]) {
        bot.at(60 + shown).balances(showing(shown));
        expect(frozen(bot), `${shown} of 12`).toEqual({ kind: "none" });
      }
      bot.at(119).balances(showing(12));
      expect([bot.controls, [...bot.executor.open()].length]).toEqual([[], 0]);
    });

    test("that they never show freeze when the first must be there, and halt as long after that", () => {
      const bot = busy(20);
      const look = (seconds: number) => bot.at(seconds).trades([]).balances(showing(0));
      look(119);
      expect(frozen(bot)).toEqual({ kind: "none" });
      look(121);
      expect(frozen(bot)).toMatchObject({ kind: "assets", assets: [VCHF, CHF] });
      for (const seconds of [140, 180, 220, 240]) look(seconds);
      expect(bot.controls).toEqual([]);
      look(241);
      expect(bot.controls).toMatchObject([{ kind: "halt", cause: "balances" }]);
    });

    test.each([
      ["come and nobody knows from where, when they have caught up", 11, 0, 11, 5_000],
      ["are gone, while they show none", 20, 0, 0, -5_000],
      ["are gone, while they show half", 20, 10, 10, -5_000],
      ["are gone, while they show half of many", 29, 9, 14, -5_000],
    ])("freeze at once, and halt, where 5,000 CHF %s", (_what, count, before, shown, besides) => {
      const bot = busy(count);
      const end = 4 * count;
      const look = (seconds: number) =>
        bot
          .at(end + seconds)
          .trades([])
          .balances(showing(seconds < 20 ? shown : count, besides));
      bot.at(end - 1).balances(showing(before));
      expect(frozen(bot)).toEqual({ kind: "none" });
      look(0);
      expect(frozen(bot)).toMatchObject({ kind: "assets", assets: [CHF] });
      expect(frozen(bot)).toMatchObject({ reason: expect.stringContaining(`ledger by ${besides} CHF`) });
      for (let second = 10; second < 120; second += 10) look(second);
      expect(bot.controls).toEqual([]);
      look(120);
      expect(bot.controls).toMatchObject([{ kind: "halt", cause: "balances" }]);
      expect(bot.controls[0]).toMatchObject({ reason: expect.stringContaining(`${besides} CHF`) });
    });

    test("for as long as the bot trades settle what they show, freeze nothing, and see what others move", () => {
      const bot = busy(1);
      for (let turn = 1; turn < 80; turn++) {
        fillOnce(bot, turn);
        // 70 s behind: 17 fills or 18.
        bot.balances(showing(Math.max(0, turn - 17)));
        expect(frozen(bot), `turn ${turn}`).toEqual({ kind: "none" });
      }
      expect([bot.controls, [...bot.executor.open()].length]).toEqual([[], 18]);
      bot.balances(showing(62, -1));
      expect(frozen(bot)).toMatchObject({ kind: "assets", assets: [CHF] });
    });
  });

  test("are explained by an order in doubt as long as it is, escalated or not", () => {
    const bot = opened();
    const id = bot.doubt();
    for (const seconds of [1, 2, 200, 901, 2_000]) bot.at(seconds).balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.state(id)).toBe("escalated");
    expect(bot.controls).toEqual([]);
  });

  test("are explained by an order that is being sent, also by another process", () => {
    const bot = opened();
    const command = new Keeping({ writer: "order001", entries: bot.entries });
    command.send();
    for (const entry of command.entries.slice(bot.entries.length)) bot.hear(entry);
    bot.balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("of an unknown pending part, or of an asset that is no longer listed, freeze it and halt nothing", () => {
    const bot = opened().balances({ CHF: "1000+?", VCHF: "0" }).balances({ CHF: "1000+?", VCHF: "0" });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [CHF] });
    bot.balances(UNTOUCHED).balances({ VCHF: "0" });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets", assets: [CHF] });
    expect(bot.controls).toEqual([]);
  });

  test("that no longer list what we hold halt when that has lasted for 120 s, whatever else they list", () => {
    const bot = opened().balances(UNTOUCHED);
    const others = { VCHF: "0", VGBP: "0" };
    bot.at(10).balances(others);
    expect(bot.executor.freeze(bot.now)).toMatchObject({
      kind: "assets",
      assets: [CHF],
      reason: "the venue does not say what there is of CHF",
    });
    bot.at(129).balances(others);
    expect(bot.controls).toEqual([]);
    // Counted anew: a row that is left out now and then is no reason to stop.
    bot.at(130).balances({ ...UNTOUCHED, VGBP: "0" });
    bot.at(140).balances(others).at(259).balances(others);
    expect(bot.controls).toEqual([]);
    bot.at(260).balances(others);
    expect(bot.controls).toMatchObject([
      {
        ...{ kind: "halt", cause: "balances", reason: "the venue does not say what there is of CHF" },
        wayOut: expect.stringMatching(/when its balances list it again, pegbot resume/),
      },
    ]);
  });

  test("may leave out what an order in doubt may have taken whole, for as long as it is in doubt", () => {
    const bot = opened().balances(UNTOUCHED);
    const id = bot.doubt();
    for (const seconds of [1, 121, 242, 500]) bot.at(seconds).balances({ VCHF: "0" });
    expect(bot.state(id)).toBe("fenced");
    expect(bot.controls).toEqual([]);
  });

  test("need not list an asset of which there is nothing", () => {
    const bot = opened().balances(UNTOUCHED).balances({ CHF: "1000" });
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("below nothing halt at once", () => {
    expect(opened().balances({ CHF: "1000", VCHF: "-1" }).controls).toMatchObject([
      { kind: "halt", cause: "balances", reason: expect.stringContaining("must not be negative") },
    ]);
  });

  test("count what is pending", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([tradeOf(id)]).balances({ CHF: "899.95", VCHF: "0+100" });
    expect(bot.state(id)).toBe("settled");
  });
});

describe("a start", () => {
  test("reads all histories first, and the balances last", () => {
    const witnesses = reconcileAsks([VCHF]).map(({ witness, asset }) => [witness, asset]);
    expect(witnesses).toEqual([
      ["trades", undefined],
      ["orders", undefined],
      ["rails", undefined],
      ["supply-changes", VCHF],
      ["balances", undefined],
    ]);
    expect(new Set(reconcileAsks([VCHF], true).map((ask) => ask.class))).toEqual(new Set(["doubt"]));
    const withRails = reconcileAsks([], true).map(({ witness }) => witness);
    expect(withRails).toEqual(["trades", "orders", "rails", "payments", "balances"]);
  });

  test("on an untouched account opens the books with the venue's balances, and is ready from then on", () => {
    const bot = new Keeping();
    const start = started(bot, { balances: { CHF: "1000", VCHF: "0" } });
    expect(start).toMatchObject({
      kind: "first",
      note: "first start: the venue's balances are the opening entry: 1000 CHF, 0 VCHF",
      plan: {
        record: { history: { until: undefined, ids: [] }, by: "bot" },
        event: { kind: "adoption", amounts: [Money.of("1000", CHF), Money.zero(VCHF)] },
      },
    });
    expect(started(new Keeping(), { balances: {} })).toMatchObject({
      note: "first start: the venue's balances are the opening entry: none",
    });
    if (start.kind !== "first") return;
    bot.adopt(start.plan.record);
    expect(started(bot, { balances: { CHF: "1000", VCHF: "0" } })).toEqual({ kind: "ready" });
    expect(bot.controls).toEqual([]);
  });

  test.each([
    ["a trade", { trades: [foreignTrade("A-9")] }],
    ["an order", { orders: [orderOf("A-9", "Rejected")] }],
    ["a rail", { rails: [{ railId: "r1", status: "pending", reason: undefined }] }],
    ["a mint", { mints: [mintOf("m1")] }],
  ] as const)("with an empty journal beside %s refuses, and names adopt", (_what, sight) => {
    expect(started(new Keeping(), sight)).toMatchObject({
      kind: "refused",
      code: "history-without-journal",
      wayOut: "pegbot adopt",
    });
  });

  test("on balances whose pending part is unknown opens nothing", () => {
    expect(started(new Keeping(), { balances: { CHF: "1000+?" } })).toMatchObject({
      kind: "refused",
      code: "unknown-balance",
    });
  });

  test("after a foreign trade, or with other balances than the ledger's, refuses", () => {
    expect(started(opened(), { trades: [foreignTrade("A-9")] })).toMatchObject({
      code: "foreign-activity",
      wayOut: expect.stringContaining("pegbot adopt"),
      stop: { cause: "foreign", subject: "order o-x" },
    });
    expect(started(opened(), { balances: { CHF: "1000", VCHF: "0", EUR: "5" } })).toMatchObject({
      code: "unexplained-balance",
      reason: "the venue's balances differ from the ledger by 5 EUR, which no order of ours explains",
      wayOut: expect.stringContaining("pegbot adopt"),
      stop: { cause: "balances" },
    });
  });

  test("with an order in doubt is ready where its assets explain the difference: they are frozen", () => {
    const bot = opened();
    bot.doubt();
    expect(started(bot, { balances: { CHF: "899.95", VCHF: "100" } })).toEqual({ kind: "ready" });
    expect(bot.executor.freeze(bot.now).kind).toBe("assets");
  });

  test("is not judged without every witness", () => {
    const bot = opened();
    expect(compareWithVenue(bot.executor, [], bot.accounts, bot.now)).toEqual({
      ok: false,
      error: "the venue's trades must be read, and were not",
    });
    const witnesses = ["trades", "orders", "rails", "balances"] as const;
    const answers = witnesses.map((witness, i) => ({ ...asked(bot), witness, rows: [], receivedAt: millis(7 - i) }));
    for (const missing of witnesses) {
      const others = answers.filter(({ witness }) => witness !== missing) as readonly Answer[];
      expect(compareWithVenue(bot.executor, others, bot.accounts, bot.now)).toMatchObject({
        error: `the venue's ${missing} must be read, and were not`,
      });
    }
    // As of the youngest of them.
    const all = compareWithVenue(bot.executor, answers as readonly Answer[], bot.accounts, bot.now);
    expect(all).toMatchObject({ value: { receivedAt: 7 } });
  });

  test("says of how many rows the journal knows nothing, by how much an asset differs, and of which nothing is known", () => {
    const rows = ["1", "2", "3"].map((n) => ({ ...foreignTrade(`A-${n}`), tradeId: `t-${n}`, orderId: `o-${n}` }));
    const reason = (bot: Keeping, sight: Sight): string => {
      const start = started(bot, sight);
      return start.kind === "refused" ? start.reason : start.kind;
    };
    expect(reason(opened(), { trades: rows })).toMatch(/^the venue shows trade "t-1".* and 2 more, of which the/);
    expect(reason(new Keeping(), { trades: rows.slice(1) })).toContain(" and 1 more: the books must not begin at zero");
    expect(reason(new Keeping(), { trades: rows.slice(2) })).toMatch(/"t-3"(?!.* more).*: the books must not begin at/);
    expect(reason(opened(), { trades: rows.slice(2) })).not.toContain(" more");
    expect(reason(opened(), { balances: { VCHF: "0", CHF: "1005" } })).toBe(
      "the venue's balances differ from the ledger by 5 CHF, which no order of ours explains",
    );
    expect(reason(opened(), { balances: { VCHF: "0" } })).toBe("the venue does not say what there is of CHF");
    expect(
      compared(opened(), { balances: { VCHF: "0", EUR: "1", CHF: "1" } }).differences.map(({ asset }) => asset),
    ).toEqual(["CHF", "EUR", "VCHF"]);
  });
});

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

describe("a payment that comes onto the account while venue and journal are compared", () => {
  const arriving = (status: string): Keeping => {
    const bot = opened();
    const move = (report: MovementReport): void => {
      const event = { kind: "movement", id: "payment:p1", report, receivedAt: bot.now.at } as const;
      const step = { sequence: 1, at: bot.now.at, event, decisions: [], commands: [] } as unknown as Step;
      bot.hear({ sequence: 1, hash: "", writer: "bot00001", record: { kind: "step", at: bot.now.at, step } });
    };
    const comes = Money.of("10000", VCHF);
    move({ kind: "departed", door: "payment", spent: Money.zero(CHF), fee: Money.zero(CHF), comes });
    move({ kind: "told", status, reason: undefined });
    return bot;
  };
  const amountsOf = (bot: Keeping, held: string): readonly string[] => {
    const plan = planned(bot, { balances: { CHF: "1000", VCHF: held } });
    if (!plan.ok) throw new Error(plan.error);
    return plan.value.record.amounts.map((amount) => `${amount} ${amount.asset}`);
  };

  test.each(["0", "10000", "9990"])("is no difference, whether it is there or not, fee or none: %s held", (held) => {
    for (const status of ["pending", "settled"]) {
      const bot = arriving(status);
      expect([amountsOf(bot, held), started(bot, { balances: { CHF: "1000", VCHF: held } }).kind]).toEqual([
        [],
        "ready",
      ]);
    }
  });

  test("is not taken over with another difference: it would be booked a second time when it arrives", () => {
    expect(amountsOf(arriving("settled"), "10500")).toEqual(["500 VCHF"]);
    expect(amountsOf(arriving("pending"), "500")).toEqual(["500 VCHF"]);
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

describe("balances that are behind the last fills", () => {
  /** What `adopt` says when the venue shows these. */
  function adopting(bot: Keeping, trades: readonly TradeRecord[], balances: Record<string, string>): string {
    const rows = Object.entries(balances).map(([asset, amount]) => bot.balanceOf(asset, amount));
    const lists = [
      { witness: "trades", rows: trades },
      { witness: "orders", rows: [] },
      { witness: "rails", rows: [] },
      { witness: "balances", rows },
    ];
    const answers = lists.map((one) => ({ ...one, ...asked(bot) })) as unknown as readonly Answer[];
    const compared = unwrap(compareWithVenue(bot.executor, answers, bot.accounts, bot.now, { takesOver: true }));
    const plan = planAdoption(compared, { reason: "looked", by: "ann" }, bot.now.at);
    return plan.ok ? plan.value.record.amounts.map((one) => `${one} ${one.asset}`).join(", ") : plan.error;
  }

  test("stop the bot with their names and the advice to wait, and are not taken over", () => {
    const bot = opened();
    const ids = [bot.fill(), bot.fill()];
    const trades = ids.map((id) => tradeOf(id));
    bot.trades(trades);
    for (const seconds of [130, 140, 300]) bot.at(seconds).trades(trades).balances(UNTOUCHED);
    const text = `-200 VCHF, 200.1 CHF is just what the books have of the last 2 orders, from ${ids[0]} to ${ids[1]}, and the balances do not show it`;
    const wayOut = expect.stringMatching(/^wait until the balances show it.* then pegbot resume --reason "..."$/);
    expect(bot.controls[0]).toMatchObject({ cause: "balances", reason: expect.stringContaining(text), wayOut });
    // Once they show one of them, it is the same stop.
    for (const seconds of [310, 320]) bot.at(seconds).trades(trades).balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.controls).toHaveLength(1);
    expect(adopting(bot, trades, UNTOUCHED)).toMatch(/^-200 VCHF, 200.1 CHF is just .* its balances are behind/);
    // One of them may never have filled, and what else differs is nobody's: both are for a person.
    expect(adopting(bot, [tradeOf(ids[0] as string)], UNTOUCHED)).toBe("200.1 CHF, -200 VCHF");
    expect(adopting(bot, trades, { CHF: "1000", VCHF: "1" })).toBe("200.1 CHF, -199 VCHF");
  });

  test("of two pairs are one stop, whichever of them they show next", () => {
    const [GBP, symbol] = ["GBP" as Asset, "VGBP/GBP" as Fill["symbol"]];
    const bot = new Keeping({}).opened(...[CHF, VCHF, GBP, VGBP].map((asset) => Money.of("500", asset)));
    const pounds = { symbol, bought: Money.of("100", VGBP), sold: Money.of("100.05", GBP), fee: Money.zero(GBP) };
    const trades = [0, 1].flatMap(() => [
      tradeOf(bot.fill()),
      tradeOf(bot.fill(bot.send(bot.intend(undefined, { symbol })), pounds), pounds),
    ]);
    const left = ["500", "399.95", "299.9"];
    const look = (seconds: number, francs: 0 | 1 | 2, others: 0 | 1 | 2) =>
      bot
        .at(seconds)
        .trades(trades)
        .balances({
          CHF: left[francs] as string,
          VCHF: String(500 + 100 * francs),
          GBP: left[others] as string,
          VGBP: String(500 + 100 * others),
        });
    for (const seconds of [130, 140, 260]) look(seconds, 0, 0);
    expect(bot.controls).toMatchObject([{ cause: "balances", subject: `fills up to ${trades[3]?.clientOrderId}` }]);
    for (const seconds of [270, 280]) look(seconds, 1, 0);
    for (const seconds of [290, 300]) look(seconds, 1, 1);
    for (const seconds of [310, 320]) look(seconds, 2, 1);
    expect(bot.controls).toHaveLength(1);
    // As the way out says.
    expect(bot.controls[0]).toMatchObject({
      wayOut: expect.stringContaining("then pegbot status calls nothing frozen"),
    });
    expect(bot.executor.freeze(bot.now)).toMatchObject({ kind: "assets" });
    look(330, 2, 2);
    expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
  });

  test("are told by all that differs, also where one asset is no reason to stop yet", () => {
    const bot = opened();
    const ids = [bot.fill(), bot.fill()];
    const trades = ids.map((id) => tradeOf(id));
    bot.trades(trades);
    bot.at(130).trades(trades).balances({ CHF: "799.9", VCHF: "0" });
    bot.at(140).trades(trades).balances(UNTOUCHED);
    const text = `differ from the ledger by -200 VCHF, which no order of ours explains; -200 VCHF, 200.1 CHF is just what the books have of the last 2 orders, from ${ids[0]} to ${ids[1]}`;
    expect(bot.controls).toMatchObject([
      { reason: expect.stringContaining(text), wayOut: expect.stringMatching(/^wait until the balances show it/) },
    ]);
  });

  test("are waited for, and what differs beside them is taken over, however many of theirs are no reason to stop yet", () => {
    const bot = new Keeping({}).opened(Money.of("1000", CHF), Money.of("0", VCHF), Money.of("50", VGBP));
    const trades = [bot.fill(), bot.fill()].map((id) => tradeOf(id));
    bot.trades(trades);
    bot.at(130).trades(trades).balances({ CHF: "799.9", VCHF: "0", VGBP: "40" });
    bot
      .at(140)
      .trades(trades)
      .balances({ ...UNTOUCHED, VGBP: "40" });
    const wayOut = expect.stringMatching(/^wait until the balances show it.*, then pegbot adopt, then pegbot resume/);
    expect(bot.controls).toMatchObject([{ subject: "difference of VCHF, VGBP", wayOut }]);
  });

  test("are not behind where they show a later one: the venue is asked about the one that they lack", () => {
    const bot = opened();
    const first = bot.fill();
    const sold = Money.of("99", CHF);
    const later = bot.fill(undefined, { sold });
    const trades = [tradeOf(first), tradeOf(later, { sold })];
    bot.trades(trades);
    const shown = { CHF: String(bot.accounts.settled(CHF)?.plus(Money.of("100.05", CHF))), VCHF: "100" };
    for (const seconds of [130, 140, 300]) bot.at(seconds).trades(trades).balances(shown);
    expect(bot.controls[0]).toMatchObject({
      finding: `fill of ${first}`,
      wayOut: expect.stringContaining(`ask the venue whether it has taken ${first} back (then pegbot adopt --beside`),
    });
    expect(adopting(bot, trades, shown)).toContain("its balances show later ones");
    // Taken over as taken back, it is not as who ordered it was told.
    const seen = compared(bot, { trades, balances: shown }, { takesOver: true });
    const plan = planAdoption(seen, { reason: "reversed", by: "ann", beside: [first] }, bot.now.at);
    expect(unwrap(plan)).toMatchObject({ unbooked: [], odd: [first] });
  });

  test("are told from what others moved also where they had shown the fill before", () => {
    const bot = opened();
    const first = bot.fill();
    bot.trades([tradeOf(first)]).balances({ CHF: "899.95", VCHF: "100" });
    expect(bot.state(first)).toBe("settled");
    for (const seconds of [10, 140, 300])
      bot
        .at(seconds)
        .trades([tradeOf(first)])
        .balances(UNTOUCHED);
    expect(bot.controls[0]).toMatchObject({ reason: expect.stringContaining(`of order ${first}, and the balances`) });
    expect(adopting(bot, [tradeOf(first)], UNTOUCHED)).toContain("its balances are behind");
  });
});

describe("coins on their way", () => {
  type Way = {
    readonly flights?: readonly Flying[];
    readonly arriving?: readonly Arriving[];
    readonly rest?: object;
  };
  const money = (text: string): Money => Money.of(text, VCHF);
  /** What the ledger is held against, by what the venue shows; available, and after a plus what is pending. */
  function heldAgainst(
    shown: string,
    ledger: string | undefined,
    { flights = [], arriving = [], rest = {}, ...how }: Way & { readonly takesOver?: boolean },
  ): string {
    const bot = opened();
    const movements = { inFlight: () => flights, arriving: () => arriving, uncosted: () => [], ...rest };
    const histories = { strangers: () => [], contested: () => [], ...rest };
    const balances = { unclear: () => [], likeness: () => ({ text: "", finding: "", backs: [] }), ...rest };
    const { terms } = bot.executor;
    const executor = { movements, histories, balances, terms } as unknown as ExecutorSight;
    const answers = ["trades", "orders", "rails", "balances"].map((witness) => ({
      ...{ witness, ...asked(bot) },
      rows: witness === "balances" ? [bot.balanceOf(VCHF, shown)] : [],
    })) as unknown as readonly Answer[];
    const books = { assets: [VCHF], settled: () => (ledger === undefined ? undefined : money(ledger)) };
    const comparison = compareWithVenue(executor, answers, books, bot.now, how);
    return comparison.ok ? String(comparison.value.differences[0]?.ledger) : comparison.error;
  }
  const flight = (coins: string, isSettled: boolean): Flying => ({ coins: money(coins), isSettled }) as Flying;

  test("of mints may be there or not; beside another difference those count that are pending, have settled by the list, or leave less over", () => {
    const flights = [flight("100", true), flight("40", false)];
    const against = (shown: string, ledger?: string) => heldAgainst(shown, ledger, { flights });
    expect([against("1000", "1000"), against("1140", "1000"), against("1000+140", "1000")]).toEqual([
      "1000",
      "1140",
      "1140",
    ]);
    // 50 more than there should be: with all of it pending, with a part, and with none that has settled.
    expect([against("1050+140", "1000"), against("1050+139", "1000"), against("1050", "1000")]).toEqual([
      "1140",
      "1140",
      "1100",
    ]);
    const single = { flights: [flight("40", false)] };
    // As near to both it counts as there: what is wrongly left out would be in the books twice.
    expect(heldAgainst("1020", "1000", single)).toBe("1040");
    expect(heldAgainst("1008", "1000", { flights: [flight("10", false), flight("8.5", false)] })).toBe("1008.5");
    expect(["1050", "1040", "1000", "1019", "995"].map((shown) => heldAgainst(shown, "1000", single))).toEqual([
      "1040",
      "1040",
      "1000",
      "1000",
      "1000",
    ]);
    // A part of what is pending is missing, and so is much of what was there.
    expect([heldAgainst("1000+35", "1000", single), heldAgainst("970+40", "1000", single)]).toEqual(["1040", "1040"]);
    // Of a coin that the books never had.
    expect([against("0"), against("140"), against("7")]).toEqual(["undefined", "140", "100"]);
    expect([heldAgainst("7", undefined, single), against("5+?", "3")]).toEqual(["undefined", "3"]);
  });

  test("of a mint that the list has called settled for a day count as there for whoever takes over: else nothing would ever end it", () => {
    const { at } = opened().now;
    const since = (listedMs: number): Flying => ({ ...flight("40", true), listedAt: millis(at - listedMs) });
    const against = (shown: string, listedMs: number, takesOver: boolean) =>
      heldAgainst(shown, "1000", { flights: [since(listedMs), flight("7", false)], takesOver });
    expect([against("1000", 86_400_000, true), against("1047", 86_400_000, true)]).toEqual(["1040", "1047"]);
    expect([against("1000", 86_399_999, true), against("1000", 86_400_000, false)]).toEqual(["1000", "1000"]);
    // The list has called it something else since.
    const flights = [{ ...since(86_400_000), isSettled: false }];
    expect(heldAgainst("1000", "1000", { flights, takesOver: true })).toBe("1000");
  });

  test("of a mint and of a payment together, and beside what may be owed for a mint or was moved by a stranger", () => {
    const flights = [flight("100", false)];
    const arriving = [{ least: money("50"), most: money("50"), isSettled: false }];
    const both = ["1150", "1050+100", "1050"].map((shown) => heldAgainst(shown, "1000", { flights, arriving }));
    expect(both).toEqual(["1150", "1150", "1050"]);
    const owed = { rest: { uncosted: () => [{ id: "M-1", least: money("5"), most: money("6") }] } };
    expect([heldAgainst("5+?", "3", owed), heldAgainst("7", undefined, owed)]).toEqual(["3", "undefined"]);
    // 100 more, of which a trade says that it moved 90.
    const changes: string[] = [];
    const row = { key: "trade:x", text: "", subject: "", assets: [VCHF], at: undefined, moved: [money("90")] };
    const rest = {
      strangers: ({ witness }: Answer) => (witness === "trades" ? [row] : []),
      likeness(moved: readonly Money[]) {
        changes.push(...moved.map(String));
        return { text: "", finding: "", backs: [] };
      },
    };
    heldAgainst("1100", "1000", { rest, takesOver: true });
    expect(changes).toEqual(["10"]);
    // Not of an order: what it moved is no fill.
    const mint = { id: "M-1", kind: "mint", request: {}, state: { kind: "confirmed", receipt: {} }, assets: [VCHF] };
    const waiting = { unclear: () => [mint], dueAt: () => undefined };
    expect(heldAgainst("1000", "1000", { rest: waiting, takesOver: true })).toBe("1000");
  });

  test("of payments are what the venue shows where they explain it; beside another difference those count that have settled, or leave less over", () => {
    const payment = (most: string, isSettled: boolean): Arriving => ({
      ...{ least: money(most).minus(money("10")), most: money(most) },
      isSettled,
    });
    const arriving = [payment("1000", true), payment("400", false)];
    const against = (shown: string, ledger?: string) => heldAgainst(shown, ledger, { arriving });
    expect(["500", "1500", "1490", "1900", "900"].map((shown) => against(shown, "500"))).toEqual([
      "500",
      "1500",
      "1490",
      "1900",
      "900",
    ]);
    expect([against("1501", "500"), against("1489.9", "500"), against("7"), against("5+?", "3")]).toEqual([
      "1500",
      "1500",
      "1000",
      "3",
    ]);
    // Both are there, though the list calls one pending, and something else.
    expect([against("1930", "500"), against("1690", "500")]).toEqual(["1900", "1500"]);
    // So many that nobody tries them all.
    const many = Array.from({ length: 40 }, () => payment("1000", false));
    expect(heldAgainst("501", "500", { arriving: many })).toBe("500");
  });
});

type Sight = {
  readonly trades?: readonly ReturnType<typeof tradeOf>[];
  readonly orders?: readonly ReturnType<typeof orderOf>[];
  readonly rails?: Extract<Answer, { witness: "rails" }>["rows"];
  readonly mints?: readonly ReturnType<typeof mintOf>[];
  readonly balances?: Readonly<Record<string, string>>;
};

function asked(bot: Keeping): Pick<Answer, "askedAt" | "receivedAt" | "nonce"> {
  return { askedAt: bot.now.mono, receivedAt: bot.now.at, nonce: undefined };
}

function compared(
  bot: Keeping,
  { trades = [], orders = [], rails = [], mints = [], balances = UNTOUCHED }: Sight,
  how = {},
) {
  const rows = Object.entries(balances).map(([asset, text]) => bot.balanceOf(asset, text));
  const answers: readonly Answer[] = [
    { witness: "trades", rows: trades, ...asked(bot) },
    { witness: "orders", rows: orders, ...asked(bot) },
    { witness: "rails", rows: rails, ...asked(bot) },
    { witness: "supply-changes", asset: VCHF, rows: mints, ...asked(bot) },
    { witness: "balances", rows, ...asked(bot) },
  ];
  const comparison = compareWithVenue(bot.executor, answers, bot.accounts, bot.now, how);
  if (!comparison.ok) throw new Error(comparison.error);
  return comparison.value;
}

function started(bot: Keeping, sight: Sight): ReturnType<typeof judgeStart> {
  return judgeStart(bot.executor, compared(bot, sight), bot.now);
}

function planned(bot: Keeping, sight: Sight, how = {}): ReturnType<typeof planAdoption> {
  return planAdoption(compared(bot, sight, how), { reason: "wire", by: "anna" }, bot.now.at);
}

function adoptAll(bot: Keeping, sight: Sight): void {
  const plan = planned(bot, sight);
  if (!plan.ok) throw new Error(plan.error);
  bot.adopt(plan.value.record);
}

function mintOf(requestId: string) {
  return {
    requestId,
    transactionId: undefined,
    asset: VCHF,
    blockchain: "ETH",
    quantity: undefined,
    status: "pending",
    reason: undefined,
    at: undefined,
  };
}
