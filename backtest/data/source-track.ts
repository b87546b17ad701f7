// A source as the price track of a market: the simulated venue reads the prices of a file of any length in the memory
// of one chunk. It is built for reading forward; going back works too, at the cost of reading a chunk.

import type { Millis } from "../../src/domain/time.ts";
import { millis } from "../../src/domain/time.ts";
import { createQuoteColumns, type QuoteColumns, rowAt } from "../../src/market/column.ts";
import type { Place, Track } from "../../src/simulator/market/recorded.ts";
import type { QuoteSource } from "./source.ts";

/**
 * How far before the requested time the first search begins; if the last price is older (weekends), the search begins
 * earlier.
 */
const LOOK_BACK_MS = 3_600_000;
const FURTHER = 32;

export function sourceTrack(source: QuoteSource): Track {
  const { symbol } = source;
  /** The last row of the previous chunk: the price until the first row of this one. */
  const before = createQuoteColumns(symbol, 1);
  let hasBefore = false;
  let chunks: Iterator<QuoteColumns> | undefined;
  let chunk: QuoteColumns | undefined;
  let row = 0;

  const firstOf = ({ time }: QuoteColumns): number => time[0] as number;
  const lastOf = ({ time, length }: QuoteColumns): number => time[length - 1] as number;

  /** Restarts with a chunk whose first row is not after `at`, if there is one. */
  function begin(at: number): void {
    hasBefore = false;
    row = 0;
    for (let back = LOOK_BACK_MS; ; back *= FURTHER) {
      const from: Millis = millis(Math.max(at - back, source.firstAt));
      chunks = source.chunks({ from })[Symbol.iterator]();
      chunk = chunks.next().value;
      if (from === source.firstAt || (chunk !== undefined && firstOf(chunk) <= at)) return;
    }
  }

  function advance(done: QuoteColumns): boolean {
    keep(done);
    const next = chunks?.next();
    if (next === undefined || next.done === true) {
      // There are no more chunks: the last price stays valid.
      chunk = undefined;
      return false;
    }
    chunk = next.value;
    row = 0;
    return true;
  }

  /** Called before the chunk's memory is reused. */
  function keep({ length, time, bid, ask, bidSize, askSize }: QuoteColumns): void {
    for (const [to, from] of [
      [before.time, time],
      [before.bid, bid],
      [before.ask, ask],
      [before.bidSize, bidSize],
      [before.askSize, askSize],
    ] as const)
      to[0] = from[length - 1] as number;
    hasBefore = true;
  }

  return {
    symbol,
    find(at): Place | undefined {
      if (at < source.firstAt) return undefined;
      const earliest = hasBefore ? firstOf(before) : chunk === undefined ? Number.POSITIVE_INFINITY : firstOf(chunk);
      if (at < earliest) begin(at);
      while (chunk !== undefined && at > lastOf(chunk) && advance(chunk));
      if (chunk === undefined || at < firstOf(chunk)) return hasBefore ? { columns: before, row: 0 } : undefined;
      row = rowAt(chunk, at, row);
      return { columns: chunk, row };
    },
  };
}
