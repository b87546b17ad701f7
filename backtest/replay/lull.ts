// Finds the polls that cannot lead to anything, so that a backtest at live cadence counts them without running them.
// Quotes are skipped while the strategy declares itself idle at them, ticks and quotes only while the bounds of equity
// keep it below its peak and above the loss limits. References always run. Where
// anything is unusual (an open order, another day, a jump, an account that the bounds do not describe) all polls run.

import type { Engine } from "../../src/bot/engine/engine.ts";
import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import { standsFor } from "../../src/domain/coin.ts";
import type { BarEvent, QuoteEvent } from "../../src/domain/event.ts";
import type { Money } from "../../src/domain/money/money.ts";
import { DAY_MS, type Millis } from "../../src/domain/time.ts";
import type { Answer } from "../../src/execution/effects.ts";
import type { Executor } from "../../src/execution/executor.ts";
import type { Witness } from "../../src/execution/request.ts";
import { isGood } from "../../src/market/source-price.ts";
import { type Limits, unlessOff } from "../../src/risk/limits.ts";
import type { QuotesAt } from "../../src/simulator/core/calls.ts";
import type { FloatQuote } from "../../src/simulator/core/record.ts";
import { closedSince } from "../../src/simulator/market/weekend.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import type { IdleView } from "../../src/strategy/view.ts";

export type LullParts = {
  readonly strategy: Strategy;
  readonly limits: Limits;
  /** The pairs whose only source of fair value is par. */
  readonly par: ReadonlySet<string>;
};

type Range = { low: number; high: number };
type Reference = Range & { readonly source: string };

/** Prices of one pair: the last two of each reference, and the venue's bids since its quotes were last run. */
class PairRange {
  readonly references: Reference[] = [];
  /** From the lowest bid to the highest mid: what is owned counts at fair value or less. */
  readonly told: Range = { low: Number.NaN, high: Number.NaN };
  readonly bid: Range = { low: Number.NaN, high: Number.NaN };
}

type Holding = { readonly amount: number; readonly coin: PairRange | undefined; readonly rate: PairRange | undefined };

/** The bounds do not describe a larger move between two prices of a reference. */
const JUMP = 3 / 1e4;
const JUMP_MS = 60_000;
/** Rates are rounded to nine decimals. */
const ROUNDING = 1e-8;

export class Lull {
  readonly #parts: LullParts;
  readonly #engine: Engine;
  readonly #executor: Executor;
  readonly #pairs = new Map<string, PairRange>();
  readonly #view: Writable<IdleView<unknown, unknown>>;
  /** The last poll, and what was read of it. */
  #quotes: QuotesAt | undefined = undefined;
  readonly #seen = new Map<PairSymbol, FloatQuote | undefined>();
  /** The account as of the last turn that could change it. */
  #holdings: Holding[] = [];
  #watched: PairSymbol[] = [];
  readonly #spendable = new Map<Asset, number | undefined>();
  /** The rows of the last answers since then. */
  readonly #answers = new Map<Witness, Answer["rows"]>();
  #peak = Number.NaN;
  #floor = Number.NaN;
  readonly #sum: Range = { low: 0.5, high: 0.5 };
  #isSummed = false;
  #isRead = false;
  #isKnown = false;
  #lookedAt = -1;
  #unsureUntil = Number.NEGATIVE_INFINITY;
  /** When quotes were last run, and the close of the week that they were in. */
  #ranAt = Number.NEGATIVE_INFINITY;
  #closed: Millis | undefined = undefined;

  constructor(parts: LullParts, engine: Engine, executor: Executor) {
    this.#parts = parts;
    this.#engine = engine;
    this.#executor = executor;
    const { strategy } = parts;
    this.#view = {
      now: 0.5,
      params: strategy.params,
      state: strategy.state,
      quoteOf: (symbol) => this.#quoteOf(symbol as PairSymbol),
      isAtPar: (symbol) => parts.par.has(symbol),
      spendable: (asset) => this.#spendableOf(asset as Asset),
      worthOf: (asset, currency) => this.#worthOf(asset, currency),
    };
  }

  /** The account may have changed. */
  changed(): void {
    this.#isRead = false;
    this.#answers.clear();
  }

  /** An answer has been processed. */
  took({ witness, rows }: Answer): void {
    this.#answers.set(witness, rows);
  }

  /** Whether an answer at this time is the one before, with nothing changed in between. */
  repeats({ witness, rows }: Answer, at: Millis): boolean {
    const before = this.#answers.get(witness);
    if (before === undefined || this.#parts.strategy.wakes.has("balances") || !this.isSafe(at)) return false;
    return before === rows || (witness === "balances" && isSame(before as typeof rows, rows));
  }

  /** A tick ran, with its checks of these counters. */
  looked(): void {
    this.#lookedAt = this.#engine.books.counters.version;
  }

  /** Takes prices of a reference that are about to run one by one; false if they are the venue's. */
  hear(prices: readonly (QuoteEvent | BarEvent)[]): boolean {
    const { length } = prices;
    for (let i = 0; i < length; i++) {
      const price = prices[i] as QuoteEvent | BarEvent;
      if (price.kind !== "quote" || price.source === "venue") return false;
      this.#hear(price);
    }
    this.#isSummed = false;
    return true;
  }

  /** The range keeps the price before, which holds until this one runs. */
  #hear({ symbol, source, bid, ask, receivedAt }: QuoteEvent): void {
    const { references, told } = this.#pair(symbol);
    const mid = (bid + ask) / 2;
    told.low = bid;
    told.high = mid;
    let known: Reference | undefined;
    for (let i = 0; i < references.length; i++) {
      const one = references[i] as Reference;
      widen(told, one.low, one.high);
      if (one.source === source) known = one;
    }
    if (known === undefined) references.push({ source, low: bid, high: mid });
    else {
      if (!(Math.abs(mid / known.high - 1) <= JUMP)) this.#unsureUntil = receivedAt + JUMP_MS;
      known.low = bid;
      known.high = mid;
    }
  }

  /** Quotes of the venue have run. */
  ran(quotes: QuotesAt, at: Millis): void {
    this.#ranAt = at;
    this.#closed = closedSince(quotes.at);
    for (const symbol of this.#watched) {
      const { bid } = this.#pair(symbol);
      bid.low = Number.NaN;
      bid.high = Number.NaN;
    }
    this.#take(quotes);
    this.#watch();
  }

  /** Whether a tick at this time finds nothing. */
  passes(at: Millis): boolean {
    return !this.#parts.strategy.wakes.has("timer") && this.isSafe(at);
  }

  /** Whether quotes that arrive at this time lead to nothing. */
  skips(quotes: QuotesAt, at: Millis): boolean {
    const { strategy, limits } = this.#parts;
    const { definition } = strategy;
    if (definition.idle === undefined || at - this.#ranAt > limits.markAgeMsMax / 2) return false;
    if (closedSince(quotes.at) !== this.#closed || !this.isSafe(at)) return false;
    this.#view.now = at;
    this.#take(quotes);
    if (!definition.idle(this.#view)) return false;
    this.#watch();
    return this.isSafe(at);
  }

  /** Whether a check of equity at this time finds nothing, at any mix of the prices since quotes were last run. */
  isSafe(at: Millis): boolean {
    if (!this.#isRead) this.#read();
    if (!(this.#isKnown && at >= this.#unsureUntil && this.#executor.isIdle)) return false;
    const { day, version, markouts } = this.#engine.books.counters;
    if (markouts.waiting.size > 0) return false;
    if (version !== this.#lookedAt || day.number !== Math.floor(at / DAY_MS)) return false;
    const { low, high } = this.#equity();
    return high <= this.#peak && low >= this.#floor;
  }

  #read(): void {
    const { books, strategy } = this.#engine;
    const { accounts, counters, pricing } = books;
    const { limits } = this.#parts;
    const { peak, day, tradingState, doubts, openValue } = counters;
    const isUsual = tradingState.state === "ACTIVE" && doubts.oldest === undefined && openValue.isZero();
    this.#isRead = true;
    this.#isSummed = false;
    this.#holdings = [];
    this.#spendable.clear();
    this.#isKnown = isUsual && strategy === this.#parts.strategy && limits.heartbeatMsMax === undefined;
    if (peak === undefined || day.opening === undefined) this.#isKnown = false;
    if (!this.#isKnown) return;
    const before = this.#watched.length;
    for (const asset of accounts.assets) this.#hold(asset, accounts.held(asset));
    this.#peak = peak?.toNumber() ?? Number.NaN;
    const floors = [
      lessBps(peak, unlessOff(limits.drawdownBpsMax)),
      lessBps(day.opening, unlessOff(limits.dailyLossBpsMax)),
    ];
    this.#floor = Math.max(...floors) * (1 + ROUNDING);
    // The bounds describe the account if they hold the engine's own figure, as far as bids are known.
    const equity = pricing.equity()?.toNumber() ?? Number.NaN;
    const { low, high } = this.#equity();
    this.#isKnown = before === this.#watched.length && low <= equity && equity <= high;
  }

  #hold(asset: string, held: Money | undefined): void {
    const amount = held?.toNumber() ?? Number.NaN;
    if (amount === 0) return;
    if (!(amount > 0)) this.#isKnown = false;
    const { currency } = this.#engine.books.pricing;
    const fiat = standsFor(asset as Parameters<typeof standsFor>[0]);
    const isCoin = this.#parts.par.has(`${asset}/${fiat}`);
    const own = isCoin ? (fiat as string) : asset;
    const coin = isCoin ? this.#watchedPair(`${asset}/${fiat}`) : undefined;
    this.#holdings.push({ amount, coin, rate: own === currency ? undefined : this.#watchedPair(`${own}/${currency}`) });
  }

  #watchedPair(symbol: string): PairRange {
    if (!this.#watched.includes(symbol as PairSymbol)) this.#watched.push(symbol as PairSymbol);
    return this.#pair(symbol);
  }

  #pair(symbol: string): PairRange {
    const known = this.#pairs.get(symbol);
    if (known !== undefined) return known;
    const added = new PairRange();
    this.#pairs.set(symbol, added);
    return added;
  }

  #take(quotes: QuotesAt): void {
    if (quotes === this.#quotes) return;
    this.#quotes = quotes;
    this.#seen.clear();
  }

  #quoteOf(symbol: PairSymbol): FloatQuote | undefined {
    const seen = this.#seen.get(symbol);
    if (seen !== undefined || this.#seen.has(symbol)) return seen;
    const quote = this.#quotes?.of(symbol);
    this.#seen.set(symbol, quote);
    return quote;
  }

  #spendableOf(asset: Asset): number | undefined {
    if (!this.#spendable.has(asset))
      this.#spendable.set(asset, this.#engine.books.accounts.spendable(asset)?.toNumber());
    return this.#spendable.get(asset);
  }

  #watch(): void {
    this.#isSummed = false;
    for (const symbol of this.#watched) {
      const quote = this.#quoteOf(symbol);
      if (quote === undefined) continue;
      const { bid } = this.#pair(symbol);
      // A crossed quote leaves the price before it in force, which may be older than these bounds.
      if (isGood(quote.bid, quote.ask)) widen(bid, quote.bid, quote.bid);
      else bid.high = Number.NaN;
    }
  }

  /** As marks are made: a coin at its bid and at par at most, a currency at its rate and at the venue's bid at most. */
  #equity(): Range {
    const sum = this.#sum;
    if (this.#isSummed) return sum;
    this.#isSummed = true;
    let [lows, highs] = [0, 0];
    const holdings = this.#holdings;
    for (let i = 0; i < holdings.length; i++) {
      const { amount, coin, rate } = holdings[i] as Holding;
      let low = amount;
      let high = amount;
      if (rate !== undefined) {
        low *= (rate.bid.low < rate.told.low ? rate.bid.low : rate.told.low) * (1 - ROUNDING);
        high *= rate.told.high * (1 + ROUNDING);
      }
      // Not a number without a bid: then nothing is known.
      lows += coin === undefined ? low : low * Math.min(1, coin.bid.low);
      highs += coin === undefined ? high : high * Math.min(1, coin.bid.high);
    }
    sum.low = lows;
    sum.high = highs;
    return sum;
  }

  /** Fair value may come over other pairs, which then differ by no more than sources may. */
  #worthOf(asset: string, currency: string): Range | undefined {
    if (currency !== this.#engine.books.pricing.currency) return undefined;
    const fiat = standsFor(asset as Parameters<typeof standsFor>[0]);
    const own = this.#parts.par.has(`${asset}/${fiat}`) ? (fiat as string) : asset;
    if (own === currency) return { low: 1, high: 1 };
    const { low, high } = this.#pair(`${own}/${currency}`).told;
    const apart = (unlessOff(this.#parts.limits.referenceSpreadBpsMax) ?? Number.NaN) / 1e4;
    return { low: low * (1 - apart), high: high * (1 + apart) };
  }
}

function isSame(before: readonly Balance[], rows: readonly Balance[]): boolean {
  return rows.length === before.length && rows.every((row, i) => isSameBalance(row, before[i] as Balance));
}

function isSameBalance({ asset, available, pending }: Balance, before: Balance): boolean {
  if (asset !== before.asset || !available.equals(before.available)) return false;
  return pending === before.pending || (pending !== undefined && before.pending?.equals(pending) === true);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function widen(range: Range, low: number, high: number): void {
  if (!(low >= range.low)) range.low = low;
  if (!(high <= range.high)) range.high = high;
}

function lessBps(base: Money | undefined, bps: number | undefined): number {
  return base === undefined || bps === undefined ? 0 : base.toNumber() * (1 - bps / 1e4);
}
