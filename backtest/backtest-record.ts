// Builds the record of a backtest during the run: the engine's steps, samples of worth and fair values, and requests.
// At the end, assets and pairs that were never held or traded are left out, and prices of the rest are read from the
// market.

import type { Engine } from "../src/bot/engine.ts";
import type { Asset, PairSymbol } from "../src/domain/asset.ts";
import { type Money, type Price, Quantity } from "../src/domain/money/money.ts";
import { askedOf } from "../src/domain/reliability.ts";
import type { Decision, OrderIntent, Step } from "../src/domain/step.ts";
import { type Millis, millis } from "../src/domain/time.ts";
import type { WantClass } from "../src/exchange/port.ts";
import type { Limits } from "../src/risk/limits.ts";
import type { PricingView } from "../src/risk/rule.ts";
import { stressOf } from "../src/risk/stress.ts";
import { Dealer } from "../src/simulator/core/dealer.ts";
import { DEFAULT_ASSETS, DEFAULT_PAIRS } from "../src/simulator/core/listing.ts";
import type { Pair } from "../src/simulator/core/record.ts";
import { emptyTop, type Market } from "../src/simulator/market/market.ts";
import type { DealerParameters } from "../src/simulator/market/parameters.ts";
import { medianOf } from "./data/gaps.ts";
import type { ClosedTimes } from "./holes.ts";
import {
  type Ended,
  type Fills,
  MARKOUT_SECONDS,
  type Prices,
  type RunRecord,
  type RunSettings,
} from "./record/run-record.ts";
import { markoutMids, RunRecorder, rowUntil, SlotCounter } from "./record/run-recorder.ts";
import { StepReader } from "./record/step-reader.ts";

export type BacktestRecordParts = {
  readonly from: Millis;
  readonly symbols: readonly PairSymbol[];
  readonly limits: Limits;
  readonly paceMs: number;
  /** Recorded prices are read forward, so each reader needs its own market. */
  readonly marketAnew: () => Market;
  /** How the dealer reacts to our trades. */
  readonly dealing: DealerParameters;
  readonly closed: ClosedTimes;
  readonly whyUnfilled: (intent: OrderIntent) => "unfilled-price" | "unfilled-depth" | undefined;
};

const ASSETS = DEFAULT_ASSETS.map(({ asset }) => asset);

export class BacktestRecord {
  readonly #parts: BacktestRecordParts;
  readonly #recorder: RunRecorder;
  readonly #reader: StepReader;
  readonly #slots: SlotCounter;
  /** The sample times of prices, and the fair value of each pair at these times. */
  readonly #times: number[] = [];
  readonly #fairs: readonly number[][];
  readonly #traded = new Set<PairSymbol>();
  #tradingCore: Engine | undefined;
  #at: Millis;
  /** A step of the current turn moved money. */
  #isMoved = false;

  constructor(parts: BacktestRecordParts) {
    const { from, symbols, paceMs, whyUnfilled } = parts;
    this.#parts = parts;
    this.#at = from;
    this.#recorder = new RunRecorder(ASSETS);
    this.#fairs = symbols.map(() => []);
    this.#slots = new SlotCounter(from, { paceMs });
    // The bot's own marks and equity, which limits, screen and `status` use too.
    const markOf = (asset: Asset): Price | undefined => this.#pricing?.mark(asset)?.price;
    const parOf = (asset: Asset): Price | undefined => this.#pricing?.par(asset);
    const equity = (): Money | undefined => this.#pricing?.equity();
    const run = { recorder: this.#recorder, assets: ASSETS, from };
    this.#reader = new StepReader({ ...run, markOf, parOf, equity, whyUnfilled });
  }

  get #pricing(): PricingView | undefined {
    return this.#tradingCore?.books.pricing;
  }

  sees(tradingCore: Engine): void {
    this.#tradingCore = tradingCore;
  }

  step(step: Step): void {
    this.#pass(step.at);
    this.#reader.step(step);
    const { event, decisions } = step;
    for (let i = 0; i < decisions.length; i++) {
      const { verdict } = decisions[i] as Decision;
      if (verdict.kind === "approved") this.#traded.add(verdict.intent.symbol);
      // A pair that may not be traded is refused inside and outside holes.
      else if (verdict.refusal.rule !== "RC19") this.#parts.closed.refused(this.#at);
    }
    // The run opens with the books, and money in transit counts from departure to arrival.
    if (event.kind === "adoption" || (event.kind === "movement" && event.report.kind !== "told")) this.#isMoved = true;
    if (event.kind === "report" && event.report.kind === "filled" && !event.report.confirmed) this.#isMoved = true;
  }

  /**
   * Samples after the turn and not between two of its steps: the bot's accounts already contain the second step, and a
   * deposit is read together with its origin.
   */
  told(): void {
    if (!this.#isMoved) return;
    this.#isMoved = false;
    this.#reader.sample(this.#at);
  }

  slot(at: Millis, granted: WantClass): void {
    this.#slots.add(at, granted);
  }

  sample(at: Millis): void {
    this.#pass(at);
    this.#reader.sample(this.#at);
    this.#times.push(this.#at);
    const pricing = this.#pricing;
    const { symbols } = this.#parts;
    for (let place = 0; place < symbols.length; place++) {
      const fair = pricing?.fair(symbols[place] as PairSymbol);
      this.#fairs[place]?.push(fair?.kind === "fair" ? fair.value : NaN);
    }
  }

  #settlements(): RunRecord["settlements"] {
    return this.#tradingCore?.rebalancer === undefined ? undefined : this.#reader.settlements;
  }

  finish(settings: RunSettings, ended: Ended): RunRecord {
    this.#pass(settings.to);
    this.#reader.sample(this.#at);
    const ends = { settings, slots: this.#slots.finish(), settlements: this.#settlements() };
    const record = this.#reader.finish(ends);
    const { fills, unfilled } = record;
    const mids = markoutMids(fills.time, fills.symbol, this.#after(fills, settings.to));
    const holes = this.#parts.closed.finish(unfilled);
    const core = this.#tradingCore;
    const seen = {
      holes,
      said: core?.host.said,
      statement: core?.books.statement(),
      stress: core && stressOf(this.#parts.limits, core.books),
      hidden: this.#hidden(),
      reliability: core?.books.reliability(),
    };
    return this.#relevant({ ...record, ended, prices: this.#prices(fills), fills: { ...fills, mids }, ...seen });
  }

  #hidden(): NonNullable<RunRecord["hidden"]> {
    return this.#parts.symbols.flatMap((symbol) => {
      const { bid, ask } = this.#tradingCore?.books.hiddenOf(symbol) ?? {};
      if (bid === undefined || ask === undefined) return [];
      return [{ symbol, bid: askedOf(bid), ask: askedOf(ask), ageMs: ask.ageMs ?? 0 }];
    });
  }

  /** Prices of the traded pairs; of the first pair where none was traded. */
  #prices(fills: Fills): Prices[] {
    const { symbols, marketAnew, dealing } = this.#parts;
    const market = movedBy(fills, dealing, marketAnew);
    const traded = this.#tradedSymbols();
    return (traded.length === 0 ? symbols.slice(0, 1) : traded).map((symbol) => {
      const sampled = this.#times;
      // Right before each fill too: afterwards the price contains its impact.
      const filled = fills.time.filter((_, row) => fills.symbol[row] === symbol).map((at) => at - 1);
      const times = Float64Array.from(new Set([...sampled, ...filled])).sort();
      const fairs = this.#fairs[symbols.indexOf(symbol)] as number[];
      const fair = times.map((at) => fairs[rowUntil(sampled, at)] ?? NaN);
      return open({ ...pricesAt(market, symbol, times), ...parOf(symbol), stepMs: stepOf(sampled), fair });
    });
  }

  /** Prices at the times at which markouts are read; none where the market is closed or the run is over. */
  #after(fills: Fills, to: Millis): Prices[] {
    const { time, symbol: symbols } = fills;
    const market = movedBy(fills, this.#parts.dealing, this.#parts.marketAnew);
    return this.#tradedSymbols().map((symbol) => {
      const own = time.filter((_, row) => symbols[row] === symbol);
      const times = new Float64Array(own.length * MARKOUT_SECONDS.length);
      for (const [place, seconds] of MARKOUT_SECONDS.entries())
        times.set(
          own.map((at) => at + seconds * 1_000),
          place * own.length,
        );
      return pricesAt(market, symbol, times.sort(), to);
    });
  }

  #tradedSymbols(): readonly PairSymbol[] {
    return this.#parts.symbols.filter((symbol) => this.#traded.has(symbol));
  }

  #relevant(record: RunRecord): RunRecord {
    const { samples, books } = record;
    const assets = samples.assets.filter(({ held }) => held.some((amount) => amount !== 0));
    const kept = new Set<string>(assets.map(({ asset }) => asset));
    const isKept = ({ asset }: { readonly asset: Asset }): boolean => kept.has(asset);
    return {
      ...record,
      samples: { ...samples, assets },
      books: { ...books, opening: books.opening?.filter(isKept), closing: books.closing.filter(isKept) },
    };
  }

  /** The bot's time follows the venue's and may stand still; a record never goes back in time. */
  #pass(at: Millis): void {
    this.#at = millis(Math.max(this.#at, at));
  }
}

/** The market as a dealer that reacts to our fills makes it: its prices are on the grid then. */
function movedBy(fills: Fills, dealing: DealerParameters, marketAnew: () => Market): Pick<Market, "read"> {
  const market = marketAnew();
  if (dealing.impactBps === 0 && dealing.inventoryMax === 0) return market;
  const isCoin = (asset: Asset): boolean =>
    DEFAULT_ASSETS.some((one) => one.asset === asset && one.kind === "stablecoin");
  // Recorded prices are read forward only.
  const dealer = new Dealer({ market: marketAnew(), dealing, seed: 0, isCoin });
  const states = Array.from(fills.time, (time, row) => {
    const [pair, side] = [pairOf(fills.symbol[row] as PairSymbol), fills.side[row] === 0 ? "buy" : "sell"] as const;
    if (dealer.price(pair, side, millis(time)) !== undefined)
      dealer.take(pair, side, Quantity.of((side === "buy" ? fills.bought : fills.sold)[row] as string), millis(time));
    return dealer.saveCoins();
  });
  return {
    read(symbol, at, into) {
      const moved = new Dealer({ market, dealing, seed: 0, isCoin }, [], states[rowUntil(fills.time, at)]);
      const [bid, ask] = [moved.price(pairOf(symbol), "sell", at), moved.price(pairOf(symbol), "buy", at)];
      if (bid !== undefined && ask !== undefined) Object.assign(into, { bid: bid.toNumber(), ask: ask.toNumber() });
      return bid !== undefined && ask !== undefined;
    },
  };
}

/** The usual time between samples. */
function stepOf(times: readonly number[]): number {
  return medianOf(times.slice(1).map((at, row) => at - (times[row] as number)));
}

function pairOf(symbol: PairSymbol): Pair {
  return DEFAULT_PAIRS.find((one) => one.symbol === symbol) as Pair;
}

/** A coin against its own fiat is issued and redeemed at one. */
function parOf(symbol: PairSymbol): { readonly par: number | undefined } {
  const pair = DEFAULT_PAIRS.find((one) => one.symbol === symbol);
  const coin = DEFAULT_ASSETS.find(({ asset }) => asset === pair?.base);
  return { par: coin?.issued === true && coin.reference === pair?.quote ? 1 : undefined };
}

/** The market's prices at these times, which may repeat; NaN where it is closed or the run is over. */
function pricesAt(
  market: Pick<Market, "read">,
  symbol: PairSymbol,
  time: Float64Array,
  to = Number.POSITIVE_INFINITY,
): Prices {
  const none = (): Float64Array => new Float64Array(time.length).fill(NaN);
  const [bid, ask] = [none(), none()];
  const top = emptyTop();
  for (const [row, at] of time.entries())
    if (at <= to && market.read(symbol, millis(at), top)) {
      bid[row] = top.bid;
      ask[row] = top.ask;
    }
  return { symbol, par: undefined, length: time.length, time, bid, ask, fair: none() };
}

/** Removes the times without a price. */
function open(prices: Prices): Prices {
  const isOpen = (_: number, row: number): boolean => !Number.isNaN(prices.bid[row]);
  const [time, bid, ask, fair] = [prices.time, prices.bid, prices.ask, prices.fair].map((one) =>
    one.filter(isOpen),
  ) as [Float64Array, Float64Array, Float64Array, Float64Array];
  return { ...prices, length: time.length, time, bid, ask, fair };
}
