// Price feeds of a backtest. Like live reference feeds they are pushed: they cost no slot and arrive at their time.

import type { BarEvent, QuoteEvent } from "../../src/domain/event.ts";
import { invariant } from "../../src/domain/invariant.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { BarColumns, QuoteColumns } from "../../src/market/column.ts";
import type { ReferenceFeed, ReferenceRow } from "../../src/simulator/market/reference.ts";
import type { BarSource, QuoteSource, Span } from "../data/source.ts";

export interface Feed<E extends QuoteEvent | BarEvent = QuoteEvent | BarEvent> {
  /** When the next prices arrive; infinite after the last. */
  readonly nextAt: number;
  /** The prices that arrive at `nextAt`. */
  take(): readonly E[];
  /** The prices carry the venue's times, so the venue's clock is never earlier than they are. */
  readonly tellsTime?: true;
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
  /** Arrival time of the next feed's prices; infinite where there are none. */
  nextAt = Number.POSITIVE_INFINITY;

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
        this.next = feed;
        this.nextAt = nextAt;
      }
    }
  }

  /** Drops all further prices. */
  end(): void {
    this.next = undefined;
    this.nextAt = Number.POSITIVE_INFINITY;
  }
}

// The position of a recorded feed in its chunks. A chunk is finished before the next one is requested, since both may
// lie in the same memory; empty chunks are skipped.

type Rows = { readonly length: number; readonly time: Float64Array };

class RowCursor<C extends Rows> {
  readonly #chunks: Iterator<C>;
  /** Undefined after the last chunk. */
  chunk: C | undefined = undefined;
  row = 0;
  /** Time of the next row; infinite after the last. */
  time = Number.POSITIVE_INFINITY;

  constructor(chunks: Iterable<C>) {
    this.#chunks = chunks[Symbol.iterator]();
    this.#next();
  }

  /** Marks the rows up to and including this one as taken. */
  leave(row: number): void {
    const { chunk } = this;
    invariant(chunk !== undefined && row < chunk.length, "a row that is left must be one of the chunk");
    this.row = row + 1;
    if (this.row === chunk.length) this.#next();
    else this.time = chunk.time[row + 1] as number;
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

/** A feed from a recording of any length: it reads chunk after chunk and needs the memory of one. */
export function sourceFeed(name: string, source: Pick<QuoteSource, "chunks">, span?: Span): Feed<QuoteEvent> {
  return new QuoteRows(name, source.chunks(span));
}

class QuoteRows implements Feed<QuoteEvent> {
  readonly #cursor: RowCursor<QuoteColumns>;
  readonly #source: string;

  constructor(source: string, chunks: Iterable<QuoteColumns>) {
    this.#source = source;
    this.#cursor = new RowCursor(chunks);
  }

  get nextAt(): number {
    return this.#cursor.time;
  }

  take(): readonly QuoteEvent[] {
    const { chunk, row } = this.#cursor;
    if (chunk === undefined) return [];
    const { symbol, time, bid, ask, bidSize, askSize } = chunk;
    const event: QuoteEvent = {
      kind: "quote",
      symbol,
      bid: bid[row] as number,
      ask: ask[row] as number,
      bidSize: known(bidSize[row] as number),
      askSize: known(askSize[row] as number),
      source: this.#source,
      at: undefined,
      receivedAt: millis(time[row] as number),
    };
    this.#cursor.leave(row);
    return [event];
  }
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

export function barFeed(source: Bars, settings: BarFeedSettings = {}): Feed {
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

class BarRows implements Feed {
  readonly tellsTime = true;
  readonly #cursor: RowCursor<BarColumns>;
  readonly #bars: Bars;
  /** Distance of bid and ask from the close, as a fraction of it. */
  readonly #away: number;
  /** The quote of the next row has been taken, its bar has not. */
  #isHalf = false;

  constructor(bars: Bars, { span, halfSpreadBps = 0 }: BarFeedSettings) {
    this.#bars = bars;
    this.#cursor = new RowCursor(bars.chunks(span));
    this.#away = halfSpreadBps / 1e4;
  }

  get nextAt(): number {
    return this.#cursor.time + this.#bars.intervalMs;
  }

  take(): readonly (QuoteEvent | BarEvent)[] {
    const { chunk, row, time } = this.#cursor;
    if (chunk === undefined) return [];
    const { symbol, intervalMs } = this.#bars;
    const receivedAt = millis(time + intervalMs);
    const close = chunk.close[row] as number;
    this.#isHalf = !this.#isHalf;
    if (this.#isHalf) {
      const [bid, ask] = [close * (1 - this.#away), close * (1 + this.#away)];
      const sizes = { bidSize: undefined, askSize: undefined };
      return [{ kind: "quote", symbol, bid, ask, ...sizes, source: "venue", at: undefined, receivedAt }];
    }
    const { open, high, low, volume } = chunk;
    const [first, most, least] = [open, high, low].map((column) => column[row] as number) as [number, number, number];
    this.#cursor.leave(row);
    const traded = known(volume[row] as number);
    return [{ kind: "bar", symbol, open: first, high: most, low: least, close, volume: traded, receivedAt }];
  }
}
