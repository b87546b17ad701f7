// A bench for strategies, known to users as "pegbot/testing": the real engine, gate and books over hand-written events.
// Every proposal, refusal and stop comes out as one readable line; views are fresh and frozen, so that keeping one shows.

import type { KeptBack } from "../../src/bot/account-sight.ts";
import { Accounts } from "../../src/bot/accounts/accounts.ts";
import { createEngine } from "../../src/bot/create-engine.ts";
import type { Engine, EngineSettings } from "../../src/bot/engine.ts";
import { type Asset, assetsOf, type PairSymbol, parseSymbol } from "../../src/domain/asset.ts";
import type { Event } from "../../src/domain/event.ts";
import { createIds } from "../../src/domain/ids.ts";
import type { Instrument } from "../../src/domain/instrument.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { OrderIntent, Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { createPricing, type Pricing } from "../../src/market/fair.ts";
import { createBooks } from "../../src/risk/create-books.ts";
import { createRules } from "../../src/risk/create-rules.ts";
import { createGate } from "../../src/risk/gate.ts";
import { type Limits, unlessOff } from "../../src/risk/limits.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import { saveState } from "../../src/strategy/state.ts";
import { linesOf } from "./step-lines.ts";

export type BenchOptions = {
  readonly symbols: readonly string[];
  /** What the account opens with: `{ CHF: "10000" }`. */
  readonly balances: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, unknown>>;
  /** Limits that differ from those of paper trading. */
  readonly limits?: Partial<Limits>;
  /** Reference prices, told again before every event: `{ "GBP/CHF": 1.12 }`. A coin against its own fiat is at par. */
  readonly fair?: Readonly<Record<string, number>>;
  readonly settings?: Partial<EngineSettings>;
};

export type StrategyBench = {
  /** A quote of the venue, one second after what was before. */
  quote(symbol: string, bid: number, ask: number): Step;
  bar(symbol: string, bar: { open: number; high: number; low: number; close: number }): Step;
  /** Time passes, and nothing happens but a timer at the end of it. */
  pass(ms: number): Step;
  /** The oldest open order fills at its limit, without a fee. */
  fill(): Step;
  /** The oldest open order is rejected by the venue. */
  reject(code?: string): Step;
  send(event: Event): Step;
  /** What the strategy says that fresh quotes would earn now, in the currency of the limits; it must change nothing. */
  worth(): number | undefined;
  /** What was proposed, refused and stopped since the last call. */
  lines(): readonly string[];
  readonly engine: Engine;
  readonly now: Millis;
};

const START = Date.UTC(2026, 0, 5, 12);
const STEP_MS = 1_000;
const SOURCES = ["bench-a", "bench-b"];

export function strategyBench(strategy: unknown, options: BenchOptions): StrategyBench {
  const symbols = options.symbols.map((symbol) => unwrap(parseSymbol(symbol)));
  const engine = benchEngine(strategy, options, symbols);
  const lines: string[] = [];
  let now = START;
  const send = (event: Event): Step => {
    const step = engine.process(event);
    lines.push(...linesOf(step));
    return step;
  };
  const tick = (ms: number): Millis => {
    now += ms;
    for (const [symbol, price] of Object.entries(options.fair ?? {}))
      for (const source of SOURCES) send(quoteOf(symbol, price, price, source, millis(now)));
    return millis(now);
  };
  open(engine, options, symbols);
  return {
    engine,
    send,
    get now() {
      return millis(now);
    },
    quote: (symbol, bid, ask) => send(quoteOf(symbol, bid, ask, "venue", tick(STEP_MS))),
    bar: (symbol, bar) =>
      send({ kind: "bar", symbol: symbol as PairSymbol, ...bar, volume: undefined, receivedAt: tick(STEP_MS) }),
    pass: (ms) => send({ kind: "timer", receivedAt: tick(ms) }),
    fill() {
      const intent = oldest(engine);
      return send(report(intent, { kind: "filled", fill: fillAtLimit(intent), confirmed: true }, tick(STEP_MS)));
    },
    reject(code = "rejected") {
      return send(report(oldest(engine), { kind: "rejected", code, message: "by the bench" }, tick(STEP_MS)));
    },
    worth() {
      const { state } = engine.strategy;
      const before = JSON.stringify(unwrap(saveState(state)));
      const gain = engine.quotesGain(millis(now));
      if (engine.worthProblem !== undefined) throw new Error(engine.worthProblem);
      if (JSON.stringify(unwrap(saveState(state))) !== before) throw new Error("worth must not change the state");
      return gain;
    },
    lines: () => lines.splice(0),
  };
}

function benchEngine(strategy: unknown, options: BenchOptions, symbols: readonly PairSymbol[]): Engine {
  const quantities = Object.fromEntries(symbols.map((symbol) => [symbol, Quantity.of("50000")]));
  const limits: Limits = { ...paperLimits, symbols: [...symbols], orderQuantityMax: quantities, ...options.limits };
  const currency = limits.currency as Asset;
  return createEngine({
    strategy: unwrap(prepareStrategy(strategy, options.params)),
    gate: createGate(createRules(limits), currency, createIds("T", "bench000")),
    books: createBooks(currency),
    accounts: new Accounts(20),
    pricing: benchPricing(symbols),
    settings: { currency, lifetimeMsMax: 3_000, views: "fresh", kept: keptBack(limits), ...options.settings },
  });
}

function keptBack({ reserveBpsMin, feeBpsMax }: Limits): KeptBack {
  return { reserveBps: unlessOff(reserveBpsMin) ?? 0, feeBps: unlessOff(feeBpsMax) ?? 0 };
}

/** Par for every coin against its own fiat, references for the rest. */
export function benchPricing(symbols: readonly PairSymbol[]): Pricing {
  const coins = symbols.filter((symbol) => assetsOf(symbol).base === `V${assetsOf(symbol).quote}`);
  return createPricing({
    par: new Map(coins.map((symbol) => [symbol, { bandBps: 50 }])),
    venueAgeMsMax: 5_000,
    referenceAgeMsMax: 5_000,
    frozenMsMax: 3_600_000,
    sourcesMin: 2,
    disagreementBpsMax: 30,
  });
}

/** What a bot is told before it trades: the list of pairs, its books, its balances. */
function open(engine: Engine, { balances }: BenchOptions, symbols: readonly PairSymbol[]): void {
  const amounts = Object.entries(balances).map(([asset, text]) => Money.of(text, asset as Asset));
  const told = amounts.map((available) => ({ asset: available.asset, available, pending: undefined }));
  const receivedAt = millis(START);
  engine.process({ kind: "instruments", instruments: symbols.map(instrumentOf), receivedAt });
  engine.process({ kind: "adoption", amounts, reason: "the bench opens its books", receivedAt });
  engine.process({ kind: "balances", balances: told, receivedAt });
}

export function instrumentOf(symbol: PairSymbol): Instrument {
  const grids = { status: "online", quantityDecimals: 2, priceDecimals: 5, quantityMin: Quantity.of("10") };
  return { symbol, ...assetsOf(symbol), ...grids };
}

function quoteOf(symbol: string, bid: number, ask: number, source: string, receivedAt: Millis): Event {
  const sizes = { bidSize: undefined, askSize: undefined };
  return { kind: "quote", symbol: symbol as PairSymbol, bid, ask, ...sizes, source, at: undefined, receivedAt };
}

function oldest({ context }: Engine): OrderIntent {
  const [order] = (context.accounts as Accounts).open.values();
  if (order === undefined) throw new Error("the bench has no open order");
  return order.intent;
}

type Report = Extract<Event, { kind: "report" }>["report"];

function report({ clientOrderId }: OrderIntent, report: Report, receivedAt: Millis): Event {
  return { kind: "report", clientOrderId, report, receivedAt };
}

export function fillAtLimit({ clientOrderId, symbol, side, quantity, limit, decidedAt }: OrderIntent) {
  const { base, quote } = assetsOf(symbol);
  const inBase = quantity.of(base);
  const inQuote = limit.times(quantity, quote, side === "buy" ? "up" : "down");
  const [bought, sold] = side === "buy" ? [inBase, inQuote] : [inQuote, inBase];
  const ids = { clientOrderId, orderId: `O-${clientOrderId}`, tradeId: `X-${clientOrderId}` };
  return { ...ids, symbol, side, bought, sold, fee: Money.zero(quote), at: decidedAt };
}
