import { expect, test } from "vitest";
import { computeFigures } from "../../../backtest/metric/figures.ts";
import { fromJournal, type JournalSettings } from "../../../backtest/record/from-journal.ts";
import { UNFILLED_ENDS } from "../../../backtest/record/run-record.ts";
import { RunRecorder } from "../../../backtest/record/run-recorder.ts";
import { StepReader } from "../../../backtest/record/step-reader.ts";
import type { Accounts } from "../../../src/bot/accounts/accounts.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import type { Event, OrderReport } from "../../../src/domain/event.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { MovementReport } from "../../../src/domain/movement.ts";
import type { ClientOrderId, Fill } from "../../../src/domain/order.ts";
import type { Decision, OrderIntent, Step } from "../../../src/domain/step.ts";
import { type Millis, millis } from "../../../src/domain/time.ts";
import { runTrace } from "../../support/random-trace.ts";

const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;
const GBP = "GBP" as Asset;
const symbol = "VCHF/CHF" as PairSymbol;
const T0 = Date.UTC(2026, 0, 5);
const at = (seconds: number) => millis(T0 + seconds * 1_000);

const settings: JournalSettings = {
  title: "what really happened",
  strategy: "peg-arbitrage",
  params: {},
  data: "journal of the tests",
  codeVersion: "test",
  from: at(0),
  to: at(86_400),
  currency: CHF,
  riskFreeRate: 0,
  assumptions: [],
  pars: new Map([[symbol, 1]]),
};

const id = (name: string) => name as ClientOrderId;
const instruments: Event = {
  kind: "instruments",
  instruments: [
    {
      symbol,
      base: VCHF,
      quote: CHF,
      status: "online",
      quantityDecimals: 2,
      priceDecimals: 4,
      quantityMin: Quantity.of("10"),
    },
  ],
  receivedAt: at(0),
};

function adoption(seconds: number, chf: string, value?: string): Step {
  const event: Event = { kind: "adoption", amounts: [Money.of(chf, CHF)], reason: "", receivedAt: at(seconds) };
  return step(seconds, value === undefined ? event : { ...event, value: Money.of(value, CHF) });
}

function step(seconds: number, event: Event, decisions: readonly Decision[] = []): Step {
  const commands = decisions.flatMap(({ verdict }) =>
    verdict.kind === "approved" ? [{ kind: "submit" as const, intent: verdict.intent }] : [],
  );
  return { sequence: 0, at: at(seconds), event, decisions, commands, mark: undefined };
}

function approval(seconds: number, name: string, side: "buy" | "sell", limit: string, prices: [number, number]): Step {
  const intent: OrderIntent = {
    clientOrderId: id(name),
    symbol,
    side,
    quantity: Quantity.of("100"),
    limit: Price.of(limit),
    reason: "because",
    decidedAt: at(seconds),
    expiresAt: at(seconds + 3),
  };
  const [bid, ask] = prices;
  const basis = { bid, ask, fair: 1, ageMs: 0, rate: Price.of("1") };
  const event: Event = { kind: "timer", receivedAt: at(seconds) };
  return step(seconds, event, [{ proposal: undefined, basis, verdict: { kind: "approved", intent, capped: [] } }]);
}

function report(seconds: number, name: string, said: OrderReport): Step {
  return step(seconds, { kind: "report", clientOrderId: id(name), report: said, receivedAt: at(seconds) });
}

function filled(seconds: number, name: string, side: "buy" | "sell", quote: string): Step {
  const [base, other] = [Money.of("100", VCHF), Money.of(quote, CHF)];
  const fill: Fill = {
    clientOrderId: id(name),
    orderId: name,
    tradeId: name,
    symbol,
    side,
    bought: side === "buy" ? base : other,
    sold: side === "buy" ? other : base,
    fee: Money.of("0.01", CHF),
    at: at(seconds),
  };
  return report(seconds, name, { kind: "filled", fill, confirmed: false });
}

const STEPS = [
  step(0, instruments),
  adoption(0, "1000"),
  approval(10, "A", "buy", "0.9990", [0.9985, 0.999]),
  report(10.5, "A", { kind: "sending" }),
  filled(11, "A", "buy", "99.9"),
  approval(15, "B", "sell", "1.0010", [1.001, 1.0015]),
  report(16, "B", { kind: "rejected", code: "unfilled", message: "" }),
  approval(60, "C", "sell", "1.0010", [1.001, 1.0015]),
  filled(61, "C", "sell", "100.1"),
  adoption(70, "50", "50"),
  approval(80, "D", "buy", "0.9990", [0.9985, 0.999]),
  report(81, "D", { kind: "doubt", cause: "timeout" }),
];

test("a journal gives the books, fills, ends and figures of what really happened", () => {
  const record = fromJournal(() => STEPS, settings);
  const { fills, unfilled, books, samples } = record;
  expect(fills).toMatchObject({ length: 2, id: ["A", "C"], sold: ["99.9", "100"], realised: [undefined, "0.18"] });
  expect([...fills.touch, ...fills.fair]).toEqual([0.999, 1.001, 1, 1]);
  expect([...unfilled.end].map((end) => UNFILLED_ENDS[end])).toEqual(["unfilled", "doubt"]);
  // 1000 - 99.9 - 0.01 + 100.1 - 0.01 + 50
  expect(books.closing).toContainEqual({ asset: CHF, amount: "1050.18", rate: "1" });
  expect(books.opening).toContainEqual({ asset: CHF, amount: "1000", rate: "1" });
  // after the first fill: 900.09 + 100 coins at a bid of 0.9985
  expect([...samples.equity]).toContain(900.09 + 100 * 0.9985);
  const figures = computeFigures(record);
  expect(figures.netProfit).toEqual({ kind: "known", value: Money.of("0.18", CHF) });
  expect(figures.profitOverHolding).toEqual({ kind: "known", value: Money.of("0.18", CHF) });
  expect(figures.slotsUsed).toMatchObject({ kind: "n/a" });
  expect(figures.capitalHours).toMatchObject({ kind: "n/a" });
});

test("what no decision was about is valued by somebody else's rate, or the run has no opening", () => {
  const pounds: Event = { kind: "adoption", amounts: [Money.of("10", GBP)], reason: "", receivedAt: at(0) };
  const steps = [step(0, pounds), ...STEPS];
  expect(fromJournal(() => steps, settings).samples.length).toBe(0);
  const asked: Asset[] = [];
  const otherRate = (asset: Asset, when: Millis): string => {
    asked.push(asset);
    return when < at(60) ? "1.1" : "1.2";
  };
  const { samples, books, settings: said } = fromJournal(() => steps, { ...settings, otherRate });
  expect(new Set(asked)).toEqual(new Set([GBP]));
  expect([...samples.equity]).toContain(900.09 + 100 * 0.9985 + 11);
  expect(books.closing).toContainEqual({ asset: GBP, amount: "10", rate: "1.2" });
  expect(said.assumptions).toMatchObject([{ name: "rate of GBP in the journal" }]);
});

test("an asset is worth what somebody else says at each moment where that counts first, and others what decisions say", () => {
  const pounds: Event = { kind: "adoption", amounts: [Money.of("10", GBP)], reason: "", receivedAt: at(0) };
  const otherRate = (asset: Asset): string => (asset === CHF ? "1" : "2");
  const rates = (isOtherFirst: (asset: Asset) => boolean) =>
    fromJournal(() => [step(0, pounds), ...STEPS], { ...settings, otherRate, isOtherFirst }).books.closing.map(
      ({ asset, rate }) => `${asset} ${Number(rate).toFixed(2)}`,
    );
  expect(rates(() => false).sort()).toEqual(["CHF 1.00", "GBP 2.00", "VCHF 1.00"]);
  expect(rates((asset) => asset === VCHF).sort()).toEqual(["CHF 1.00", "GBP 2.00", "VCHF 2.00"]);
});

test("fills from before everything held has a rate are in no figure, and it says so and from when", () => {
  const pounds: Event = { kind: "adoption", amounts: [Money.of("10", GBP)], reason: "", receivedAt: at(0) };
  // The first rate of GBP comes after the fill of A and before that of C.
  const otherRate = (asset: Asset, when: Millis): string | undefined =>
    asset === GBP && when >= at(15) ? "1.1" : undefined;
  const {
    fills,
    books,
    samples,
    settings: said,
  } = fromJournal(() => [step(0, pounds), ...STEPS], { ...settings, otherRate });
  expect(fills.id).toEqual(["C"]);
  expect([said.from, samples.time[0]]).toEqual([at(15), at(15)]);
  // With what A bought: 1000 - 99.9 - 0.01.
  expect(books.opening).toContainEqual({ asset: CHF, amount: "900.09", rate: "1" });
  expect(said.data).toContain(
    "it begins at 2026-01-05 00:00: before that nobody says what all of its holdings are worth in CHF, so fills and fees from 2026-01-05 00:00 until then are in no figure",
  );
  expect(said.assumptions[0]).toMatchObject({ name: "beginning of the journal's part" });
});

test("markouts rest on prices that decisions saw after the fill", () => {
  const { fills } = fromJournal(() => STEPS, settings);
  // A filled at 11 s; the decision at 15 s saw a mid of 1.00125, that at 60 s the same; nothing within a second
  expect(fills.mids.slice(0, 3).map((column) => column[0])).toEqual([NaN, 1.00125, 1.00125]);
});

test("a fill has no markout for a moment after the journal's end, nor by a price of soon after it alone", () => {
  const { fills } = fromJournal(() => STEPS, settings);
  // C filled at 61 s; the decision at 80 s saw a price, and with 81 s the journal ends: 121 s is nobody's.
  expect(fills.mids.slice(0, 3).map((column) => column[1])).toEqual([NaN, NaN, NaN]);
  const quiet = [
    ...STEPS.slice(0, 5),
    approval(13, "B", "sell", "1.0010", [1.001, 1.0015]),
    approval(200, "C", "sell", "1.0010", [1.0, 1.0005]),
  ];
  // A filled at 11 s; 2 s after it there was a price, and none until 200 s.
  expect(
    fromJournal(() => quiet, settings)
      .fills.mids.slice(0, 3)
      .map((column) => column[0]),
  ).toEqual([NaN, NaN, NaN]);
});

test("only the time asked for is recorded, on books that know all before it", () => {
  const record = fromJournal(() => STEPS, { ...settings, from: at(50), to: at(75) });
  expect(record.fills).toMatchObject({ length: 1, id: ["C"], realised: ["0.18"] });
  expect(record.unfilled.length).toBe(0);
  expect(record.books.opening).toContainEqual({ asset: VCHF, amount: "100", rate: "1" });
  expect(record.books.adopted).toHaveLength(1);
});

test("a part ends at the worth that the next one begins with, and what the first record of one did is in it", () => {
  const pounds: Event = { kind: "adoption", amounts: [Money.of("10", GBP)], reason: "", receivedAt: at(0) };
  const otherRate = (_: Asset, when: Millis): string => `1.${Math.floor((when - T0) / 1_000) + 100}`;
  const part = (from: number, to: number) =>
    fromJournal(() => [step(0, pounds), ...STEPS], { ...settings, from: at(from), to: at(to), otherRate });
  for (const border of [11, 13, 61, 75]) {
    const [before, after] = [part(0, border), part(border, 100)];
    expect(after.books.opening, `at ${border} s`).toEqual(before.books.closing);
    expect([before.samples.time.at(-1), after.samples.time[0]], `at ${border} s`).toEqual([at(border), at(border)]);
    expect(after.samples.equity[0], `at ${border} s`).toBe(before.samples.equity.at(-1));
  }
  // The fill at 61 s brings 100.1 CHF less its fee for 100 coins; then 50 CHF are put in.
  expect(part(61, 75).books.opening).toContainEqual({ asset: CHF, amount: "900.09", rate: "1" });
});

test("fees of payments are what was taken at either end, and none of what was given back", () => {
  const moved = (second: number, id: string, report: MovementReport): Step =>
    step(second, { kind: "movement", id, report, receivedAt: at(second) });
  const sent = (second: number, id: string, fee: string): Step =>
    moved(second, id, {
      kind: "departed",
      door: "payment",
      spent: Money.of("10", CHF),
      fee: Money.of(fee, CHF),
      comes: Money.of("10", VCHF),
    });
  const steps = [
    ...STEPS,
    sent(100, "one", "0"),
    sent(101, "two", "2"),
    moved(110, "one", { kind: "arrived", at: "account", fee: Money.of("4", VCHF) }),
    moved(111, "two", { kind: "returned", reason: "refused" }),
  ];
  const record = fromJournal(() => steps, { ...settings, to: at(120) });
  expect(record.settlements?.map(({ id, fees: taken }) => [id, taken])).toEqual([
    ["one", [{ at: at(110), amount: "4", asset: VCHF, rate: "0.9985" }]],
    ["two", []],
  ]);
  expect(fromJournal(() => steps, { ...settings, from: at(111), to: at(120) }).settlements).toMatchObject([
    { id: "two" },
  ]);
});

test("a fill after the order had been given up is a fill and nothing else", () => {
  const late = [...STEPS, report(90, "D", { kind: "dead", reason: "absent" }), filled(95, "D", "buy", "99.9")];
  const { fills, unfilled } = fromJournal(() => late, settings);
  expect(fills.id).toEqual(["A", "C", "D"]);
  expect(unfilled.id).toEqual(["B"]);
});

test("a fill that is told twice is one fill, and one of nobody's order is none", () => {
  const twice = [...STEPS, filled(62, "C", "sell", "100.1"), filled(63, "X", "buy", "99")];
  expect(fromJournal(() => twice, settings).fills.length).toBe(2);
});

test("a fee that was taken off what was bought is put back into the leg", () => {
  const taken = filled(11, "A", "buy", "99.9");
  if (taken.event.kind !== "report" || taken.event.report.kind !== "filled") throw new Error("must be a fill");
  const { fill } = taken.event.report;
  const net = { ...fill, bought: Money.of("99.98", VCHF), fee: Money.of("0.02", VCHF) };
  const steps = [...STEPS.slice(0, 3), report(11, "A", { kind: "filled", fill: net, confirmed: true })];
  const { fills, books } = fromJournal(() => steps, settings);
  expect(fills).toMatchObject({ bought: ["100"], fee: ["0.02"], feeAsset: [VCHF] });
  expect(books.closing).toContainEqual({ asset: VCHF, amount: "99.98", rate: "0.9985" });
});

test("a coin counts at its bid and no more than par, at the rate of what it is quoted in", () => {
  const closedAt = (bid: number, ask: number) => {
    const priced = approval(10, "A", "buy", "0.9990", [bid, ask]);
    const [decision] = priced.decisions as [Decision];
    const francs = { ...decision, basis: { ...decision.basis, rate: Price.of("1.25") } };
    const steps = [step(0, instruments), adoption(0, "1000"), { ...priced, decisions: [francs] }];
    return fromJournal(() => steps, { ...settings, currency: GBP });
  };
  const record = closedAt(0.999, 1.001);
  // 0.999 * 1.25
  expect(record.books.closing).toContainEqual({ asset: VCHF, amount: "0", rate: "1.24875" });
  expect(record.books.closing).toContainEqual({ asset: CHF, amount: "1000", rate: "1.25" });
  // Its one step, and the end of the time asked for.
  expect([...record.samples.equity]).toEqual([1_250, 1_250]);
  expect(closedAt(1.002, 1.003).books.closing).toContainEqual({ asset: VCHF, amount: "0", rate: "1.25" });
});

test("a coin that decisions know in another coin alone counts at that bid, and no more than par", () => {
  const refusal = { rule: "RC01", limit: "", value: "", message: "" };
  const refused = (pair: string, bid: number): Decision => ({
    proposal: { symbol: pair as PairSymbol, side: "buy", limit: 1, size: 1, reason: "", lifetimeMs: undefined },
    basis: { bid, ask: bid, fair: bid, ageMs: 0, rate: Price.of("1") },
    verdict: { kind: "refused", refusal },
  });
  const event: Event = { kind: "timer", receivedAt: at(10) };
  const closedAt = (bid: number) => {
    const known = step(10, event, [refused("GBP/CHF", 1.2), refused("VGBP/VCHF", bid)]);
    const { books } = fromJournal(() => [step(0, instruments), adoption(0, "1000"), known], settings);
    return books.closing.find(({ asset }) => asset === "VGBP")?.rate;
  };
  expect([closedAt(1.19), closedAt(1.21)]).toEqual(["1.19", "1.2"]);
});

test("a refused proposal for a pair that cannot be is counted and names no asset", () => {
  const refusal = { rule: "RC01", limit: "", value: "", message: "" };
  const proposal = {
    symbol: "<b>" as PairSymbol,
    side: "buy",
    limit: 1,
    size: 1,
    reason: "",
    lifetimeMs: undefined,
  } as const;
  const basis = { bid: NaN, ask: NaN, fair: NaN, ageMs: undefined, rate: Price.of("1") };
  const event: Event = { kind: "timer", receivedAt: at(100) };
  const steps = [...STEPS, step(100, event, [{ proposal, basis, verdict: { kind: "refused", refusal } }])];
  const record = fromJournal(() => steps, settings);
  expect(record.refusals).toEqual({ RC01: 1 });
  expect(record.samples.assets.map(({ asset }) => asset)).toEqual([CHF, VCHF]);
});

test("a replay that knows why an order was killed says so, and samples when it wants", () => {
  const recorder = new RunRecorder([CHF, VCHF], [{ symbol, par: 1 }]);
  const markOf = () => Price.of("1");
  const reader = new StepReader({
    recorder,
    assets: [CHF, VCHF],
    from: at(0),
    markOf,
    whyUnfilled: () => "unfilled-depth",
  });
  for (const one of STEPS) {
    reader.step(one);
    if (one.at === at(0) || one.at === at(61)) reader.sample(one.at);
  }
  const { pars: _, ...rest } = settings;
  const ended = { ...rest, source: "backtest", seed: 1, traceHash: "f00d" } as const;
  const record = reader.finish({ settings: ended, slots: undefined, settlements: [] });
  expect([...record.unfilled.end].map((end) => UNFILLED_ENDS[end])).toEqual(["unfilled-depth", "doubt"]);
  // Before anything is held there is nothing to sample: the list of pairs comes first.
  expect([...record.samples.time]).toEqual([at(0), at(61)]);
  expect([...record.samples.equity]).toEqual([1_000, 1_000.18]);
  expect(record.settings.traceHash).toBe("f00d");
});

test("over random lives of orders the record's books are the engine's, to the last digit", () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const { engine, recorded } = runTrace(seed, 3_000, true);
    const accounts = engine.context.accounts as Accounts;
    const last = recorded.at(-1) as Step;
    const from = (recorded[0] as Step).at;
    // The engine of the trace had its pairs before the first event.
    const listed = [...engine.instruments.values()];
    const pairs = {
      ...(recorded[0] as Step),
      event: { ...instruments, instruments: listed },
      decisions: [],
      commands: [],
    } as Step;
    // With a rate for everything from the beginning no fill is left out.
    const rated = { otherRate: (): string => "1", isOtherFirst: () => true };
    const time = { from, to: millis(last.at + 1) };
    const record = fromJournal(() => [pairs, ...recorded], { ...settings, ...time, ...rated });
    for (const { asset, amount } of record.books.closing)
      expect(amount, `seed ${seed}, ${asset}`).toBe((accounts.held(asset) ?? Money.zero(asset)).toString());
    for (const [pair, { realised }] of accounts.profit.positions) {
      const results = record.fills.realised.filter((_, row) => record.fills.symbol[row] === pair);
      const sum = Money.sum(
        results.map((text) => Money.of(text ?? "0", realised.asset)),
        realised.asset,
      );
      expect(sum.toString(), `seed ${seed}, ${pair}`).toBe(realised.toString());
    }
    expect(record.fills.length, `seed ${seed}`).toBeGreaterThan(0);
    expect(JSON.stringify(computeFigures(record)), `seed ${seed}`).not.toContain("null");
  }
});
