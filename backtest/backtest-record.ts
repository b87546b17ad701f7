// The record of a backtest while it goes on: the engine's steps, samples of worth and prices, requests; at the end what the
// run never held or traded is left out, and markouts are read from the market itself.

import type { Desk } from "../src/bot/desk.ts";
import type { Asset, PairSymbol } from "../src/domain/asset.ts";
import type { OrderIntent, Step } from "../src/domain/step.ts";
import { type Millis, millis } from "../src/domain/time.ts";
import type { Chosen } from "../src/exchange/port.ts";
import { DEFAULT_ASSETS, DEFAULT_PAIRS } from "../src/simulator/core/listing.ts";
import { emptyTop, type Market } from "../src/simulator/market/market.ts";
import { markoutMids } from "./record/markout.ts";
import { type Fills, MARKOUT_SECONDS, type Prices, type RunRecord, type RunSettings } from "./record/run-record.ts";
import { RunRecorder } from "./record/run-recorder.ts";
import { SlotCounter } from "./record/slot-counter.ts";
import { StepReader } from "./record/step-reader.ts";
import { Valuation } from "./valuation.ts";

export type BacktestRecordParts = {
  readonly from: Millis;
  readonly currency: Asset;
  readonly symbols: readonly PairSymbol[];
  readonly paceMs: number;
  /** Kept also where the run does not trade them. */
  readonly shown?: readonly PairSymbol[];
  /** Recorded prices are read forward: each reader has its own. */
  readonly marketAnew: () => Market;
  readonly killOf: (intent: OrderIntent) => "killed-price" | "killed-depth" | undefined;
};

/** The bot reads for some seconds before it opens its books: a run of thirty days shall have thirty. */
const OPENING_MS_MAX = 60_000;

const ASSETS = DEFAULT_ASSETS.map(({ asset }) => asset);

export class BacktestRecord {
  readonly #parts: BacktestRecordParts;
  readonly #recorder: RunRecorder;
  readonly #reader: StepReader;
  readonly #slots: SlotCounter;
  readonly #market: Market;
  readonly #top = emptyTop();
  readonly #traded = new Set<PairSymbol>();
  #desk: Desk | undefined;
  #at: Millis;

  constructor(parts: BacktestRecordParts) {
    const { from, currency, symbols, paceMs, killOf, shown = [] } = parts;
    this.#parts = parts;
    for (const symbol of shown) this.#traded.add(symbol);
    this.#at = from;
    this.#market = parts.marketAnew();
    const valuation = new Valuation(this.#market, currency, DEFAULT_ASSETS, DEFAULT_PAIRS);
    this.#recorder = new RunRecorder(ASSETS, symbols.map(pairOf));
    this.#slots = new SlotCounter(from, { paceMs });
    const rateOf = (asset: Asset): string | undefined => valuation.rateOf(asset, this.#at);
    const floatOf = (asset: Asset): number | undefined => valuation.floatOf(asset, this.#at);
    const books = { recorder: this.#recorder, assets: ASSETS, from, openingMsMax: OPENING_MS_MAX };
    this.#reader = new StepReader({ ...books, rateOf, floatOf, killOf });
  }

  sees(desk: Desk): void {
    this.#desk = desk;
  }

  step(step: Step): void {
    this.#pass(step.at);
    this.#reader.step(step);
    const { event } = step;
    for (const { verdict } of step.decisions) if (verdict.kind === "approved") this.#traded.add(verdict.intent.symbol);
    // The run opens with the books: a fill before the first sample would be no part of it.
    if (event.kind === "adoption") this.#reader.sample(this.#at);
    if (event.kind === "report" && event.report.kind === "filled" && !event.report.confirmed)
      this.#reader.sample(this.#at);
  }

  slot(at: Millis, { class: wanted, over }: Chosen): void {
    this.#slots.add(at, wanted);
    if (over !== undefined) this.#slots.contest(wanted, over.class);
  }

  sample(at: Millis): void {
    this.#pass(at);
    this.#reader.sample(this.#at);
    const fairs = this.#desk?.engine.context.pricing;
    for (const symbol of this.#parts.symbols) {
      const top = this.#top;
      if (!this.#market.read(symbol, this.#at, top)) continue;
      const fair = fairs?.fair(symbol);
      const value = fair?.kind === "fair" ? fair.value : undefined;
      this.#recorder.price(symbol, this.#at, top.bid, top.ask, value);
    }
  }

  #settlements(): RunRecord["settlements"] {
    return this.#desk?.steward === undefined ? undefined : this.#reader.settlements;
  }

  finish(settings: RunSettings): RunRecord {
    this.#pass(settings.to);
    this.#reader.sample(this.#at);
    const ends = { settings, slots: this.#slots.finish(), settlements: this.#settlements() };
    const record = this.#reader.finish(ends);
    const { fills } = record;
    const mids = markoutMids(fills.time, fills.symbol, this.#after(fills));
    return this.#relevant({ ...record, fills: { ...fills, mids } });
  }

  /** Prices after each fill, at the times that markouts are read at. */
  #after({ time, symbol: symbols }: Fills): Prices[] {
    const market = this.#parts.marketAnew();
    return this.#parts.symbols.map((symbol) => {
      const own = time.filter((_, row) => symbols[row] === symbol);
      const times = new Float64Array(own.length * MARKOUT_SECONDS.length);
      for (const [place, seconds] of MARKOUT_SECONDS.entries())
        times.set(
          own.map((at) => at + seconds * 1_000),
          place * own.length,
        );
      return pricesAt(market, symbol, times.sort());
    });
  }

  #relevant(record: RunRecord): RunRecord {
    const { samples, prices, books } = record;
    const assets = samples.assets.filter(({ held }) => held.some((amount) => amount !== 0));
    const kept = new Set<string>(assets.map(({ asset }) => asset));
    const isKept = ({ asset }: { readonly asset: Asset }): boolean => kept.has(asset);
    const shown = prices.filter(({ symbol }) => this.#traded.has(symbol));
    return {
      ...record,
      samples: { ...samples, assets },
      prices: shown.length === 0 ? prices.slice(0, 1) : shown,
      books: { ...books, opening: books.opening.filter(isKept), closing: books.closing.filter(isKept) },
    };
  }

  /** The bot's time follows the venue's, and may stand still while it does; a record never goes back. */
  #pass(at: Millis): void {
    this.#at = millis(Math.max(this.#at, at));
  }
}

/** A coin against its own fiat is issued and redeemed at one. */
function pairOf(symbol: PairSymbol): { readonly symbol: PairSymbol; readonly par?: number } {
  const pair = DEFAULT_PAIRS.find((one) => one.symbol === symbol);
  const coin = DEFAULT_ASSETS.find(({ asset }) => asset === pair?.base);
  return coin?.issued === true && coin.reference === pair?.quote ? { symbol, par: 1 } : { symbol };
}

/** The market's prices at these times, which may repeat; where there is none the time is left out. */
function pricesAt(market: Market, symbol: PairSymbol, times: Float64Array): Prices {
  const [bid, ask] = [new Float64Array(times.length), new Float64Array(times.length)];
  const top = emptyTop();
  let length = 0;
  for (const at of times) {
    if (!market.read(symbol, millis(at), top)) continue;
    times[length] = at;
    bid[length] = top.bid;
    ask[length++] = top.ask;
  }
  const cut = (column: Float64Array): Float64Array => column.subarray(0, length);
  const fair = new Float64Array(length).fill(Number.NaN);
  return { symbol, par: undefined, length, time: cut(times), bid: cut(bid), ask: cut(ask), fair };
}
