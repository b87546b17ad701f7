// A bench for strategies, known to users as "pegbot/testing": the real engine, gate and books over hand-written events.
// Every proposal, refusal and stop comes out as one readable line.

import type { KeptBack } from "../../src/books/account-view.ts";
import type { Accounts } from "../../src/books/accounts/accounts.ts";
import type { Core } from "../../src/bot/core.ts";
import { Engine } from "../../src/bot/engine.ts";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { KeptStates, unsaved } from "../../src/bot/strategy-host/strategy-state.ts";
import { type Asset, assetsOf, type PairSymbol, parseSymbol } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import { fiatOf } from "../../src/domain/coin.ts";
import { type Event, UNFILLED } from "../../src/domain/event.ts";
import { createIds } from "../../src/domain/ids.ts";
import type { Instrument } from "../../src/domain/instrument.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { Fill } from "../../src/domain/order.ts";
import { unwrap } from "../../src/domain/result.ts";
import { isRecorded, type OrderIntent, type Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { createExecutor } from "../../src/execution/executor.ts";
import { DEFAULT_SETTINGS } from "../../src/execution/parameters.ts";
import { FxWeek } from "../../src/market/fx-week.ts";
import { Pricing } from "../../src/market/pricing.ts";
import { createRules } from "../../src/risk/create-rules.ts";
import { createGate } from "../../src/risk/gate.ts";
import { type Limits, unlessOff } from "../../src/risk/limits.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { createMovementGate } from "../../src/risk/treasury-gate.ts";
import { prepareStrategy, type Strategy } from "../../src/strategy/prepare.ts";
import { type BenchOptions, type BenchRejection, onBench, readOptions, requireRejection } from "./bench-options.ts";
import { endLines, linesOf } from "./step-lines.ts";
import { testBooks } from "./test-books.ts";

export type { BenchOptions } from "./bench-options.ts";

export type StrategyBench<S = unknown> = {
  /** A quote of the venue, one second after what was before. Sizes are in base units; untold, the venue does not say. */
  quote(symbol: string, bid: number, ask: number, sizes?: BenchSizes): Step;
  bar(symbol: string, bar: { open: number; high: number; low: number; close: number }): Step;
  /** Time passes, and nothing happens but a timer at the end of it. */
  pass(ms: number): Step;
  /** From the next event on a reference price is this; undefined: nobody tells it any more, and it gets old. */
  fair(symbol: string, price: number | undefined): void;
  /** The oldest open order fills at its limit, or at a better price; then the venue tells the balances. */
  fill(price?: number): Step;
  /** The oldest open order is killed: nobody takes the other side at its limit. */
  kill(): Step;
  /** The oldest open order is rejected by the venue, with one of the codes in docs/guides/requests.md; `rejected` unless told. */
  reject(code?: BenchRejection): Step;
  send(event: Event): Step;
  /**
   * As a bot that is started again: the state is saved and given back, to another version or with other parameters if told.
   * After a hard end (`kill -9`) it is that of the last safe point.
   */
  restart(anew?: BenchRestart): void;
  /** What was proposed, refused and stopped since the last call; with the option `ends` how orders ended, too. */
  lines(): readonly string[];
  readonly state: S;
  readonly engine: Engine;
  readonly now: Millis;
};

type BenchRestart = {
  readonly strategy?: unknown;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly hard?: boolean;
  readonly fresh?: boolean;
};

type BenchSizes = { readonly bidSize?: number; readonly askSize?: number };

/** What `view.state` is for the strategy. */
type StateOf<T> = T extends { readonly state?: infer F }
  ? NonNullable<F> extends (...given: never[]) => infer S
    ? S
    : unknown
  : unknown;

const STEP_MS = 1_000;
const SOURCES = ["bench-a", "bench-b"];

export function strategyBench<T>(strategy: T, options: BenchOptions): StrategyBench<StateOf<T>> {
  const { symbols, start, rates, listed } = readOptions(options);
  const engine = benchEngine(strategy, options, symbols);
  const accounts = engine.books.accounts;
  const lines: string[] = [];
  let now = start;
  let definition: unknown = strategy;
  let { params } = options;
  const kept = new KeptStates();
  let savedAt: number = start;
  const save = (): void => {
    savedAt = now;
    const record = kept.record(engine.strategy, millis(now));
    // As a journal has it: what is not in its text does not come back.
    if (record?.ok) kept.keep(JSON.parse(JSON.stringify(record.value)));
    else if (record !== undefined)
      send({ kind: "control", control: unsaved(engine.strategy, record.error), receivedAt: millis(now) });
  };
  const endOf = (event: Event): readonly string[] => {
    if (event.kind !== "report") return [];
    const order = accounts.open.get(event.clientOrderId);
    return order === undefined ? [] : endLines(order.intent, event.report);
  };
  const send = (event: Event): Step => {
    const ended = options.ends === true ? endOf(event) : [];
    const step = engine.step(event);
    lines.push(...ended, ...linesOf(step));
    if (isRecorded(step) && (isKept(step, engine.strategy) || now - savedAt >= pipelineDefaults.safePointMs)) save();
    return step;
  };
  const tick = (ms: number): Millis => {
    if (!(ms >= 0)) throw new Error(`time must pass by 0 ms or more, was ${ms}`);
    now += ms;
    for (const [symbol, price] of rates)
      for (const source of SOURCES) send(quoteOf(symbol, price, price, source, millis(now)));
    return millis(now);
  };
  const rejected = (code: string): Step =>
    send(report(oldest(engine), { kind: "rejected", code, message: "by the bench" }, tick(STEP_MS)));
  open(engine, options, listed, start);
  return {
    engine,
    send,
    get now() {
      return millis(now);
    },
    get state() {
      return engine.strategy.state as StateOf<T>;
    },
    quote: (symbol, bid, ask, sizes) =>
      send(quoteOf(onBench(symbol, symbols), bid, ask, "venue", tick(STEP_MS), sizes)),
    bar: (symbol, bar) =>
      send({ kind: "bar", symbol: onBench(symbol, symbols), ...bar, volume: undefined, receivedAt: tick(STEP_MS) }),
    pass: (ms) => send({ kind: "timer", receivedAt: tick(ms) }),
    fair(symbol, price) {
      const pair = unwrap(parseSymbol(symbol));
      if (price === undefined) rates.delete(pair);
      else rates.set(pair, price);
    },
    fill(price) {
      const intent = oldest(engine);
      const fill = filled(intent, price, options.feeBps ?? 0);
      const step = send(report(intent, { kind: "filled", fill, confirmed: true }, tick(STEP_MS)));
      send({ kind: "balances", balances: asBooked(accounts), receivedAt: millis(now) });
      return step;
    },
    kill: () => rejected(UNFILLED),
    reject(code = "rejected") {
      requireRejection(code);
      return rejected(code);
    },
    restart(anew = {}) {
      definition = anew.strategy ?? definition;
      params = anew.params ?? params;
      if (anew.hard !== true) save();
      const prepared = unwrap(prepareStrategy(definition, params));
      if (anew.fresh === true) kept.forget(prepared.name);
      const continued = kept.continued(prepared);
      if (continued.kind === "refused") throw new Error(`${continued.reason}: ${continued.wayOut}`);
      engine.host.replace(continued.strategy);
      lines.push(continued.text);
    },
    lines: () => lines.splice(0),
  };
}

/** An order and a report are recorded as one with what the strategy remembers of them, as the trading core does it. */
function isKept({ event, decisions }: Step, { wakes }: Strategy): boolean {
  if (event.kind === "report" && wakes.has("report")) return true;
  return decisions.some(({ verdict }) => verdict.kind === "approved");
}

function benchEngine(strategy: unknown, options: BenchOptions, symbols: readonly PairSymbol[]): Engine {
  const quantities = Object.fromEntries(symbols.map((symbol) => [symbol, Quantity.of("50000")]));
  const limits: Limits = {
    ...paperLimits,
    // A bench has few assets, so that each is much of it.
    depegLossBpsMax: "off: a bench has few assets",
    issuerLossBpsMax: "off: a bench has few assets",
    issuerEndBps: 6_000,
    symbols: [...symbols],
    orderQuantityMax: quantities,
    ...options.limits,
  };
  return bareEngine({
    strategy: unwrap(prepareStrategy(strategy, options.params)),
    gate: createGate(createRules(limits), limits.currency as Asset, createIds("T", "bench000")),
    books: testBooks({ prices: benchPricing(symbols), keptBack: keptBack(limits) }),
    review: { lifetimeMsMax: 3_000, ...options.settings },
  });
}

/** An engine of which only steps are asked. */
export function bareEngine(core: Pick<Core, "strategy" | "gate" | "books" | "review">): Engine {
  const held = (asset: Asset): Money | undefined => core.books.accounts.settled(asset);
  const executor = createExecutor({
    ...{ writer: "bench000", settings: DEFAULT_SETTINGS, feeBpsMax: 0, held, equity: () => undefined },
  });
  const bounds = { mintMax: new Map(), mintPerDayMax: new Map(), mintFeeBpsMax: 100, reserveBps: 0, mintLosses: [] };
  const movements = createMovementGate(bounds, createIds("T", "bench001"));
  return new Engine({ ...core, executor, movements }, pipelineDefaults);
}

function keptBack({ reserveBpsMin, feeBpsMax }: Limits): KeptBack {
  return { reserveBps: unlessOff(reserveBpsMin) ?? 0, feeBps: unlessOff(feeBpsMax) ?? 0 };
}

/** Par for every coin against its own fiat, references for the rest: those of currencies close for the weekend, as live. */
export function benchPricing(symbols: readonly PairSymbol[]): Pricing {
  const coins = symbols.filter((symbol) => fiatOf(assetsOf(symbol).base) === assetsOf(symbol).quote);
  return new Pricing({
    par: new Map(coins.map((symbol) => [symbol, { bandBps: 50 }])),
    venueAgeMsMax: 5_000,
    referenceAgeMsMax: 5_000,
    sourcesMin: 2,
    disagreementBpsMax: 30,
    weekend: { week: new FxWeek(), collarBps: undefined },
  });
}

/** What a bot is told before it trades: the list of pairs, its books, its balances. */
function open(engine: Engine, { balances }: BenchOptions, instruments: readonly Instrument[], start: number): void {
  const amounts = Object.entries(balances).map(([asset, text]) => Money.of(text, asset as Asset));
  const told = amounts.map((available) => ({ asset: available.asset, available, pending: undefined }));
  const receivedAt = millis(start);
  engine.step({ kind: "instruments", instruments, receivedAt });
  engine.step({ kind: "adoption", amounts, reason: "the bench opens its books", receivedAt });
  engine.step({ kind: "balances", balances: told, receivedAt });
}

type Told = readonly [symbol: PairSymbol, bid: number, ask: number, source: string, at: Millis, sizes?: BenchSizes];

function quoteOf(...[symbol, bid, ask, source, receivedAt, { bidSize, askSize } = {}]: Told): Event {
  return { kind: "quote", symbol, bid, ask, bidSize, askSize, source, at: undefined, receivedAt };
}

/** What the venue would say: all of it is settled. */
export function asBooked(accounts: Accounts): readonly Balance[] {
  return accounts.assets.map((asset) => {
    return { asset, available: accounts.settled(asset) ?? Money.zero(asset), pending: undefined };
  });
}

function oldest({ books }: Engine): OrderIntent {
  const [order] = books.accounts.open.values();
  if (order === undefined) throw new Error("the bench has no open order");
  return order.intent;
}

type Report = Extract<Event, { kind: "report" }>["report"];

function report({ clientOrderId }: OrderIntent, report: Report, receivedAt: Millis): Event {
  return { kind: "report", clientOrderId, report, receivedAt };
}

/** At the limit, or a price that is no worse. */
function filled(intent: OrderIntent, price: number | undefined, feeBps: number): Fill {
  if (price === undefined) return withFee(fillAtLimit(intent), feeBps);
  const { side, limit } = intent;
  const isWorse = side === "buy" ? price > limit.toNumber() : price < limit.toNumber();
  if (isWorse || !(price > 0))
    throw new Error(`a ${side} at ${limit} fills at ${side === "buy" ? "most" : "least"} at that price, was ${price}`);
  return withFee(fillAtLimit({ ...intent, limit: Price.of(String(price)) }), feeBps);
}

function withFee(fill: Fill, feeBps: number): Fill {
  const inQuote = fill.side === "buy" ? fill.sold : fill.bought;
  return { ...fill, fee: inQuote.share(feeBps, "up") };
}

export function fillAtLimit({ clientOrderId, symbol, side, quantity, limit, decidedAt }: OrderIntent) {
  const { base, quote } = assetsOf(symbol);
  const inBase = quantity.of(base);
  const inQuote = limit.times(quantity, quote, side === "buy" ? "up" : "down");
  const [bought, sold] = side === "buy" ? [inBase, inQuote] : [inQuote, inBase];
  const ids = { clientOrderId, orderId: `O-${clientOrderId}`, tradeId: `X-${clientOrderId}` };
  return { ...ids, symbol, side, bought, sold, fee: Money.zero(quote), at: decidedAt };
}
