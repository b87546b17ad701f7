// Recorded bars. Nobody knows a bar before it closes: then its close is the venue's price, and the bar is decided on. What
// is ordered on it meets the open of the next one, because that is what the market of the same bars says from then on.

import type { Engine } from "../../src/bot/engine/engine.ts";
import type { BarEvent, QuoteEvent } from "../../src/domain/event.ts";
import { isRecorded, type Step } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import type { BarColumns, QuoteColumns } from "../../src/market/column.ts";
import type { BarSource, Span } from "../data/source.ts";
import type { RowFeed } from "./feed.ts";
import { RowCursor } from "./row-cursor.ts";

export type BarFeedSettings = {
  readonly span?: Span;
  /** Of the close as the venue's price. */
  readonly halfSpreadBps?: number;
};

type Bars = Pick<BarSource, "chunks" | "symbol" | "intervalMs">;

export function barFeed(source: Bars, settings: BarFeedSettings = {}): RowFeed {
  return new BarRows(source, settings);
}

/** The opens as the prices of a market, each until the next; half the spread to either side. */
export function opensOf(bars: BarColumns, halfSpreadBps = 0): QuoteColumns {
  return around(bars, bars.time, bars.open, halfSpreadBps);
}

/** The closes as the prices of a feed, each when its bar closes. */
export function closesOf(bars: BarColumns, halfSpreadBps = 0): QuoteColumns {
  const closedAt = bars.time.map((at) => at + bars.intervalMs);
  return around(bars, closedAt, bars.close, halfSpreadBps);
}

function around(bars: BarColumns, time: Float64Array, price: Float64Array, halfSpreadBps: number): QuoteColumns {
  const { symbol, length, volume } = bars;
  const away = halfSpreadBps / 1e4;
  const size = volume.map(() => Number.NaN);
  const bid = away === 0 ? price : price.map((one) => one * (1 - away));
  const ask = away === 0 ? price : price.map((one) => one * (1 + away));
  return { symbol, length, time, bid, ask, bidSize: size, askSize: size };
}

type Reused<E> = { -readonly [K in keyof E]: E[K] };

class BarRows implements RowFeed {
  readonly isVenue = true;
  readonly tellsTime = true;
  readonly #cursor: RowCursor<BarColumns>;
  readonly #intervalMs: number;
  readonly #terms: { readonly away: number; lagMs: number };
  readonly #quote: Reused<QuoteEvent>;
  readonly #bar: Reused<BarEvent>;
  /** The price of the next row was taken, the bar was not. */
  #isHalf = false;

  constructor({ chunks, symbol, intervalMs }: Bars, { span, halfSpreadBps = 0 }: BarFeedSettings) {
    this.#cursor = new RowCursor(chunks(span));
    this.#intervalMs = intervalMs;
    this.#terms = { away: halfSpreadBps / 1e4, lagMs: 0.5 };
    const receivedAt = millis(0.5);
    const prices = { bid: 0.5, ask: 0.5, bidSize: undefined, askSize: undefined };
    this.#quote = { kind: "quote", symbol, ...prices, source: "venue", at: undefined, receivedAt };
    this.#bar = { kind: "bar", symbol, open: 0.5, high: 0.5, low: 0.5, close: 0.5, volume: undefined, receivedAt };
  }

  get nextAt(): number {
    return this.#cursor.time + this.#intervalMs;
  }

  get reachedAt(): number {
    return this.#isHalf ? this.nextAt : this.#cursor.reached + this.#intervalMs;
  }

  take(): readonly (QuoteEvent | BarEvent)[] {
    const { chunk, row } = this.#cursor;
    if (chunk === undefined) return [];
    this.#read(chunk, row, 0);
    if (!this.#isHalf) {
      this.#isHalf = true;
      return [{ ...this.#quote }];
    }
    this.#left(row);
    return [{ ...this.#bar }];
  }

  run(engine: Engine, until: number, lagMs: number): Step | undefined {
    const cursor = this.#cursor;
    const terms = this.#terms;
    terms.lagMs = lagMs;
    for (let { chunk } = cursor; chunk !== undefined; chunk = cursor.chunk) {
      const end = cursor.endBefore(until - this.#intervalMs, chunk.length);
      if (end === cursor.row) return undefined;
      for (let { row } = cursor; row < end; row++) {
        if (!this.#isHalf) {
          row = engine.runBars(chunk, row, end, terms);
          if (row === end) break;
          if (isRecorded(engine.step)) {
            this.#left(row);
            return engine.step;
          }
        }
        this.#read(chunk, row, lagMs);
        const step = this.#row(engine, row);
        if (step !== undefined) return step;
      }
      this.#left(end - 1);
      if (this.nextAt >= until) return undefined;
    }
    return undefined;
  }

  #row(engine: Engine, row: number): Step | undefined {
    const cursor = this.#cursor;
    if (!this.#isHalf) {
      const step = engine.quote(this.#quote);
      if (isRecorded(step)) {
        cursor.stand(row);
        this.#isHalf = true;
        return step;
      }
    }
    this.#isHalf = false;
    const step = engine.process(this.#bar);
    if (!isRecorded(step)) return undefined;
    this.#left(row);
    return step;
  }

  #left(row: number): void {
    this.#isHalf = false;
    this.#cursor.leave(row);
  }

  #read({ time, open, high, low, close, volume }: BarColumns, row: number, lagMs: number): void {
    const bar = this.#bar;
    const quote = this.#quote;
    const { away } = this.#terms;
    const receivedAt = millis((time[row] as number) + this.#intervalMs - lagMs);
    quote.bid = (close[row] as number) * (1 - away);
    quote.ask = (close[row] as number) * (1 + away);
    quote.receivedAt = receivedAt;
    bar.open = open[row] as number;
    bar.high = high[row] as number;
    bar.low = low[row] as number;
    bar.close = close[row] as number;
    bar.volume = Number.isNaN(volume[row]) ? undefined : (volume[row] as number);
    bar.receivedAt = receivedAt;
  }
}
