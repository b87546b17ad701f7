// Price feeds of a backtest. Like live reference feeds they are pushed: they cost no slot and arrive at their time.

import type { Engine } from "../../src/bot/engine/engine.ts";
import type { BarEvent, QuoteEvent } from "../../src/domain/event.ts";
import { invariant } from "../../src/domain/invariant.ts";
import { isRecorded, type Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { BarColumns, QuoteColumns } from "../../src/market/column.ts";
import type { ReferenceFeed, ReferenceRow } from "../../src/simulator/market/reference.ts";
import type { BarSource, QuoteSource, Span } from "../data/source.ts";

export interface Feed<E extends QuoteEvent | BarEvent = QuoteEvent | BarEvent> {
  /** When the next prices arrive; infinite after the last. */
  readonly nextAt: number;
  /** The prices that arrive at `nextAt`. */
  take(): readonly E[];
  /** The prices are the venue's. */
  readonly isVenue?: true;
  /** The prices carry the venue's times, so the venue's clock is never earlier than they are. */
  readonly tellsTime?: true;
}

/**
 * A feed whose rows can go through the engine one after the other, without allocating an object for rows that have no
 * effect.
 */
interface RowFeed<E extends QuoteEvent | BarEvent = QuoteEvent | BarEvent> extends Feed<E> {
  /**
   * Runs the rows that arrive before `until`, up to the first whose step has to be recorded, and returns that step.
   * Each row is received `lagMs` before its time. The result equals that of `take` and `process`.
   */
  run(engine: Engine, until: number, lagMs: number): Step | undefined;
  /** Arrival time of the last row taken. */
  readonly reachedAt: number;
}

export function hasRows(feed: Feed): feed is RowFeed {
  return "run" in feed;
}

/** A feed of the simulated market, polled like a live feed; only the requested symbols are computed. */
export function polledFeed(
  feed: ReferenceFeed,
  symbols: ReadonlySet<string>,
  { from, everyMs }: { readonly from: Millis; readonly everyMs: number },
): Feed {
  return new PolledFeed(feed.only(symbols), from, everyMs);
}

class PolledFeed implements Feed {
  private readonly feed: ReferenceFeed;
  private readonly everyMs: number;
  nextAt = 0;

  constructor(feed: ReferenceFeed, from: Millis, everyMs: number) {
    this.feed = feed;
    this.everyMs = everyMs;
    this.nextAt = from;
  }

  take(): readonly QuoteEvent[] {
    const receivedAt = millis(this.nextAt);
    this.nextAt += this.everyMs;
    const { name } = this.feed;
    return this.feed.read(receivedAt).map((row) => eventOf(row, name, receivedAt));
  }
}

function eventOf({ symbol, bid, ask, at }: ReferenceRow, source: string, receivedAt: Millis): QuoteEvent {
  return { kind: "quote", symbol, bid, ask, bidSize: undefined, askSize: undefined, source, at, receivedAt };
}

// Finds the feed that delivers next. Only the feed that was just taken from changes its time, so the search runs then
// and not at every event.

export class FeedLine {
  private readonly feeds: readonly Feed[];
  /** Undefined when no more prices come. */
  next: Feed | undefined = undefined;
  /** Arrival time of the next feed's prices, and the earliest of the other feeds; infinite where there are none. */
  nextAt = Number.POSITIVE_INFINITY;
  othersAt = Number.POSITIVE_INFINITY;

  constructor(feeds: readonly Feed[]) {
    this.feeds = feeds;
    this.look();
  }

  /** Call after prices were taken. On equal times the first feed in the list goes first. */
  look(): void {
    this.end();
    const { feeds } = this;
    for (let i = 0; i < feeds.length; i++) {
      const feed = feeds[i] as Feed;
      const { nextAt } = feed;
      if (this.next === undefined || nextAt < this.nextAt) {
        this.othersAt = this.nextAt;
        this.next = feed;
        this.nextAt = nextAt;
      } else if (nextAt < this.othersAt) this.othersAt = nextAt;
    }
  }

  /** Drops all further prices. */
  end(): void {
    this.next = undefined;
    this.nextAt = Number.POSITIVE_INFINITY;
    this.othersAt = Number.POSITIVE_INFINITY;
  }
}

// The position of a recorded feed in its chunks. A chunk is finished before the next one is requested, since both may
// lie in the same memory; empty chunks are skipped.

type Rows = { readonly length: number; readonly time: Float64Array };

export class RowCursor<C extends Rows> {
  readonly #chunks: Iterator<C>;
  /** Undefined after the last chunk. */
  chunk: C | undefined = undefined;
  row = 0;
  /** Time of the next row; infinite after the last. */
  time = Number.POSITIVE_INFINITY;
  /** Time of the last row taken. */
  reached = Number.NaN;

  constructor(chunks: Iterable<C>) {
    this.#chunks = chunks[Symbol.iterator]();
    this.#next();
  }

  /** Marks the rows up to and including this one as taken. */
  leave(row: number): void {
    const { chunk } = this;
    invariant(chunk !== undefined && row < chunk.length, "a row that is left must be one of the chunk");
    this.reached = chunk.time[row] as number;
    this.row = row + 1;
    if (this.row === chunk.length) this.#next();
    else this.time = chunk.time[row + 1] as number;
  }

  /** Makes this row the next one; the rows before it are taken. */
  stand(row: number): void {
    const { chunk } = this;
    invariant(chunk !== undefined && row < chunk.length, "a row that comes next must be one of the chunk");
    this.row = row;
    this.time = chunk.time[row] as number;
  }

  /** The first row of the chunk at or after `time`, searched from the next row and within `most` rows. */
  endBefore(time: number, most: number): number {
    const { chunk, row } = this;
    if (chunk === undefined || this.time >= time) return row;
    const times = chunk.time;
    const end = Math.min(row + most, chunk.length);
    // The row is usually near, so growing steps find it among rows that are read anyway.
    let low = row + 1;
    let high = low;
    for (let step = 1; high < end && (times[high] as number) < time; step *= 2) {
      low = high + 1;
      high += step;
    }
    if (high > end) high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] as number) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #next(): void {
    this.row = 0;
    do this.chunk = this.#chunks.next().value;
    while (this.chunk?.length === 0);
    // The clock of a backtest counts whole milliseconds where it is compared with the venue's.
    invariant(this.chunk === undefined || isWhole(this.chunk), "times must be whole milliseconds");
    this.time = this.chunk === undefined ? Number.POSITIVE_INFINITY : (this.chunk.time[0] as number);
  }
}

function isWhole({ time, length }: Rows): boolean {
  let row = 0;
  // For a value that is not finite the difference is NaN, which fails the test too.
  while (row < length && (time[row] as number) - Math.floor(time[row] as number) === 0) row++;
  return row === length;
}

// Recorded quotes as a free feed, each row at its time. Under the name "venue" they are the venue's own quotes, as if
// it streamed them: the assumption of most backtests, and cheaper than this venue, which has to be polled. Under any
// other name they are a reference.

/** Rows per call of the engine; this number runs fastest. */
const RUN_ROWS = 512;

/** A feed from a recording of any length: it reads chunk after chunk and needs the memory of one. */
export function sourceFeed(name: string, source: Pick<QuoteSource, "chunks">, span?: Span): RowFeed<QuoteEvent> {
  const chunks = source.chunks(span);
  return name === "venue" ? new VenueRows(name, chunks) : new QuoteRows(name, chunks);
}

class QuoteRows implements RowFeed<QuoteEvent> {
  protected readonly cursor: RowCursor<QuoteColumns>;
  readonly #source: string;
  #event: Writable<QuoteEvent> | undefined = undefined;

  constructor(source: string, chunks: Iterable<QuoteColumns>) {
    this.#source = source;
    this.cursor = new RowCursor(chunks);
  }

  get nextAt(): number {
    return this.cursor.time;
  }

  get reachedAt(): number {
    return this.cursor.reached;
  }

  take(): readonly QuoteEvent[] {
    const { chunk, row } = this.cursor;
    if (chunk === undefined) return [];
    const event = this.#empty(chunk);
    read(chunk, row, 0, event);
    this.cursor.leave(row);
    return [event];
  }

  run(engine: Engine, until: number, lagMs: number): Step | undefined {
    const { cursor } = this;
    for (let { chunk } = cursor; chunk !== undefined; chunk = cursor.chunk) {
      this.#event ??= this.#empty(chunk);
      const event = this.#event;
      const end = cursor.endBefore(until, chunk.length);
      if (end === cursor.row) return undefined;
      for (let { row } = cursor; row < end; row++) {
        read(chunk, row, lagMs, event);
        const step = engine.quote(event);
        if (!isRecorded(step)) continue;
        cursor.leave(row);
        return step;
      }
      cursor.leave(end - 1);
      if (cursor.time >= until) return undefined;
    }
    return undefined;
  }

  #empty({ symbol }: QuoteColumns): Writable<QuoteEvent> {
    const prices = { bid: 0.5, ask: 0.5, bidSize: undefined, askSize: undefined };
    return { kind: "quote", symbol, ...prices, source: this.#source, at: undefined, receivedAt: millis(0.5) };
  }
}

class VenueRows extends QuoteRows {
  readonly isVenue = true;

  override run(engine: Engine, until: number, lagMs: number): Step | undefined {
    const { cursor } = this;
    for (let { chunk } = cursor; chunk !== undefined; chunk = cursor.chunk) {
      const end = cursor.endBefore(until, RUN_ROWS);
      if (end === cursor.row) return undefined;
      const row = engine.run(chunk, cursor.row, end, lagMs);
      cursor.leave(Math.min(row, end - 1));
      if (row < end && isRecorded(engine.step)) return engine.step;
      if (cursor.time >= until) return undefined;
    }
    return undefined;
  }
}

function read(
  { time, bid, ask, bidSize, askSize }: QuoteColumns,
  row: number,
  lagMs: number,
  into: Writable<QuoteEvent>,
): void {
  into.bid = bid[row] as number;
  into.ask = ask[row] as number;
  into.bidSize = known(bidSize[row] as number);
  into.askSize = known(askSize[row] as number);
  into.receivedAt = millis((time[row] as number) - lagMs);
}

function known(size: number): number | undefined {
  return Number.isNaN(size) ? undefined : size;
}

// Recorded bars. A bar is unknown until it closes; then its close becomes the venue's price and the strategy decides on
// the bar. An order placed on it meets the open of the next bar, because the market built from the same bars shows that
// price from then on.

type BarFeedSettings = {
  readonly span?: Span;
  /** Half spread around the close, which is the venue's price. */
  readonly halfSpreadBps?: number;
};

type Bars = Pick<BarSource, "chunks" | "symbol" | "intervalMs">;

export function barFeed(source: Bars, settings: BarFeedSettings = {}): RowFeed {
  return new BarRows(source, settings);
}

/**
 * Bars as quotes: the opens, each valid until the next, or the closes, each at the close of its bar; with half the
 * spread on either side.
 */
export function quotesOf(bars: BarColumns, price: "open" | "close", halfSpreadBps = 0): QuoteColumns {
  const { symbol, length, intervalMs } = bars;
  const time = price === "open" ? bars.time : bars.time.map((at) => at + intervalMs);
  const away = halfSpreadBps / 1e4;
  const size = new Float64Array(bars.time.length).fill(Number.NaN);
  const bid = away === 0 ? bars[price] : bars[price].map((one) => one * (1 - away));
  const ask = away === 0 ? bars[price] : bars[price].map((one) => one * (1 + away));
  return { symbol, length, time, bid, ask, bidSize: size, askSize: size };
}

type Writable<E> = { -readonly [K in keyof E]: E[K] };

class BarRows implements RowFeed {
  readonly isVenue = true;
  readonly tellsTime = true;
  readonly #cursor: RowCursor<BarColumns>;
  readonly #intervalMs: number;
  /** Distance of bid and ask from the close, as a fraction of it. */
  readonly #away: number;
  readonly #quote: Writable<QuoteEvent>;
  readonly #bar: Writable<BarEvent>;
  /** The quote of the next row has been taken, its bar has not. */
  #isHalf = false;

  constructor({ chunks, symbol, intervalMs }: Bars, { span, halfSpreadBps = 0 }: BarFeedSettings) {
    this.#cursor = new RowCursor(chunks(span));
    this.#intervalMs = intervalMs;
    this.#away = halfSpreadBps / 1e4;
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
    for (let { chunk } = cursor; chunk !== undefined; chunk = cursor.chunk) {
      const end = cursor.endBefore(until - this.#intervalMs, chunk.length);
      if (end === cursor.row) return undefined;
      for (let { row } = cursor; row < end; row++) {
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
    const receivedAt = millis((time[row] as number) + this.#intervalMs - lagMs);
    quote.bid = (close[row] as number) * (1 - this.#away);
    quote.ask = (close[row] as number) * (1 + this.#away);
    quote.receivedAt = receivedAt;
    bar.open = open[row] as number;
    bar.high = high[row] as number;
    bar.low = low[row] as number;
    bar.close = close[row] as number;
    bar.volume = Number.isNaN(volume[row]) ? undefined : (volume[row] as number);
    bar.receivedAt = receivedAt;
  }
}
