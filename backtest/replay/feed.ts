// Prices that arrive by themselves, as reference feeds do live: they cost no slot, and arrive at their time.

import type { Engine } from "../../src/bot/engine/engine.ts";
import type { BarEvent, QuoteEvent } from "../../src/domain/event.ts";
import { invariant } from "../../src/domain/invariant.ts";
import { isRecorded, type Step } from "../../src/domain/step.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { BarColumns, QuoteColumns } from "../../src/market/column.ts";
import type { ReferenceFeed, ReferenceRow } from "../../src/simulator/market/reference.ts";
import type { BarSource, QuoteSource, Span } from "../data/source.ts";

export interface Feed<E extends QuoteEvent | BarEvent = QuoteEvent | BarEvent> {
  /** When its next prices arrive; infinite after the last. */
  readonly nextAt: number;
  /** What arrives then. */
  take(): readonly E[];
  /** They are the venue's own. */
  readonly isVenue?: true;
  /** They are the venue's own, with its times: the clock is no earlier than they are. */
  readonly tellsTime?: true;
}

/** A feed whose rows can go through the engine one after the other, without an object for those that lead to nothing. */
interface RowFeed<E extends QuoteEvent | BarEvent = QuoteEvent | BarEvent> extends Feed<E> {
  /**
   * The rows that arrive before `until`, up to the first whose step is to be recorded: gives that step. Each is received
   * `lagMs` before its time. It is what `take` and `process` would come to.
   */
  run(engine: Engine, until: number, lagMs: number): Step | undefined;
  /** When the last row that was taken arrived. */
  readonly reachedAt: number;
}

export function hasRows(feed: Feed): feed is RowFeed {
  return "run" in feed;
}

/** A feed of the simulated market, polled as live feeds are; only what is asked for is worked out. */
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

// Whose prices come next. Only the feed that was taken from has another time afterwards: so the next one is looked for
// then, and not whenever anything happens.

export class FeedLine {
  private readonly feeds: readonly Feed[];
  /** Undefined when no prices come any more. */
  next: Feed | undefined = undefined;
  /** When its prices arrive, and the first of the others'; infinite where none do. */
  nextAt = Number.POSITIVE_INFINITY;
  othersAt = Number.POSITIVE_INFINITY;

  constructor(feeds: readonly Feed[]) {
    this.feeds = feeds;
    this.look();
  }

  /** After prices were taken. At the same time the first in the list goes first. */
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

  /** No prices come any more. */
  end(): void {
    this.next = undefined;
    this.nextAt = Number.POSITIVE_INFINITY;
    this.othersAt = Number.POSITIVE_INFINITY;
  }
}

// Where a recorded feed is in its chunks. A chunk is left before the next one is asked for, since both may lie in the same
// memory; empty ones are passed over.

type Rows = { readonly length: number; readonly time: Float64Array };

export class RowCursor<C extends Rows> {
  readonly #chunks: Iterator<C>;
  /** Undefined after the last. */
  chunk: C | undefined = undefined;
  row = 0;
  /** Of the row that comes next; infinite after the last. */
  time = Number.POSITIVE_INFINITY;
  /** Of the last row that was left. */
  reached = Number.NaN;

  constructor(chunks: Iterable<C>) {
    this.#chunks = chunks[Symbol.iterator]();
    this.#next();
  }

  /** The rows up to this one are taken. */
  leave(row: number): void {
    const { chunk } = this;
    invariant(chunk !== undefined && row < chunk.length, "a row that is left must be one of the chunk");
    this.reached = chunk.time[row] as number;
    this.row = row + 1;
    if (this.row === chunk.length) this.#next();
    else this.time = chunk.time[row + 1] as number;
  }

  /** This row comes next; those before it are taken. */
  stand(row: number): void {
    const { chunk } = this;
    invariant(chunk !== undefined && row < chunk.length, "a row that comes next must be one of the chunk");
    this.row = row;
    this.time = chunk.time[row] as number;
  }

  /** The first row of the chunk, from the next on and within `most` rows, that is not before `time`. */
  endBefore(time: number, most: number): number {
    const { chunk, row } = this;
    if (chunk === undefined || this.time >= time) return row;
    const times = chunk.time;
    const end = Math.min(row + most, chunk.length);
    // Most often it is near: steps that grow find it among rows that are read anyway.
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
    // The clock of a backtest counts in whole milliseconds where it meets the venue's.
    invariant(this.chunk === undefined || isWhole(this.chunk), "times must be whole milliseconds");
    this.time = this.chunk === undefined ? Number.POSITIVE_INFINITY : (this.chunk.time[0] as number);
  }
}

function isWhole({ time, length }: Rows): boolean {
  let row = 0;
  // Of what is not finite the difference is none either.
  while (row < length && (time[row] as number) - Math.floor(time[row] as number) === 0) row++;
  return row === length;
}

// Recorded quotes as a free feed, each row at its time. Under the name "venue" they are the venue's own, as if it streamed
// them: the assumption of most backtests, and cheaper than this venue is. Under any other name they are a reference.

/** So many rows run fastest in one call of the engine. */
const RUN_ROWS = 512;

/** A record of any length: its chunks one after the other, in the memory of one. */
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

// Recorded bars. A bar is unknown before it closes: then its close is the venue's price, and the bar is decided on. What
// is ordered on it meets the open of the next one, because that is what the market of the same bars says from then on.

type BarFeedSettings = {
  readonly span?: Span;
  /** Of the close as the venue's price. */
  readonly halfSpreadBps?: number;
};

type Bars = Pick<BarSource, "chunks" | "symbol" | "intervalMs">;

export function barFeed(source: Bars, settings: BarFeedSettings = {}): RowFeed {
  return new BarRows(source, settings);
}

/** Bars as prices: the opens, each until the next, or the closes, each when its bar closes; half the spread to either side. */
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
  /** From the close to either side, as a part of it. */
  readonly #away: number;
  readonly #quote: Writable<QuoteEvent>;
  readonly #bar: Writable<BarEvent>;
  /** The price of the next row was taken, the bar was not. */
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
