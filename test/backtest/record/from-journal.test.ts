import { expect, test } from "vitest";
import { computeFigures } from "../../../backtest/metric/figures.ts";
import { fromJournal, type JournalSettings } from "../../../backtest/record/from-journal.ts";
import { UNFILLED_ENDS } from "../../../backtest/record/run-record.ts";
import type { Accounts } from "../../../src/bot/accounts/accounts.ts";
import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import type { Event, OrderReport } from "../../../src/domain/event.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { MovementReport } from "../../../src/domain/movement.ts";
import type { ClientOrderId, Fill } from "../../../src/domain/order.ts";
import type { Decision, OrderIntent, Step } from "../../../src/domain/step.ts";
import { millis } from "../../../src/domain/time.ts";
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

test("markouts rest on prices that decisions saw after the fill", () => {
  const { fills } = fromJournal(() => STEPS, settings);
  // A filled at 11 s; the decision at 15 s saw a mid of 1.00125, that at 60 s the same; nothing within a second
  expect(fills.mids.slice(0, 3).map((column) => column[0])).toEqual([NaN, 1.00125, 1.00125]);
});

test("only the time asked for is recorded, on books that know all before it", () => {
  const record = fromJournal(() => STEPS, { ...settings, from: at(50), to: at(75) });
  expect(record.fills).toMatchObject({ length: 1, id: ["C"], realised: ["0.18"] });
  expect(record.unfilled.length).toBe(0);
  expect(record.books.opening).toContainEqual({ asset: VCHF, amount: "100", rate: "1" });
  expect(record.books.adopted).toHaveLength(1);
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
