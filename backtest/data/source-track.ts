// A source as the price track of a market: the simulated venue reads the prices of a file of any length in the memory
// of one chunk. It is built for reading forward; going back works too, at the cost of reading a chunk.

import { millis } from "../../src/domain/time.ts";
import { type QuoteColumns, rowAt } from "../../src/market/column.ts";
import type { Place, Track } from "../../src/simulator/market/recorded.ts";
import type { QuoteSource } from "./source.ts";

/**
 * How far before the requested time the first search begins; if the last price is older (weekends), the search begins
 * earlier.
 */
const LOOK_BACK_MS = 3_600_000;
const FURTHER = 32;

export function sourceTrack(source: QuoteSource): Track {
  /** The rows in force from the first of them until `until`. */
  let rows: QuoteColumns | undefined;
  let until = Number.NEGATIVE_INFINITY;
  let row = 0;

  function load(at: number): void {
    row = 0;
    for (let back = LOOK_BACK_MS; ; back *= FURTHER) {
      const from = millis(Math.max(at - back, source.firstAt));
      rows = undefined;
      until = Number.POSITIVE_INFINITY;
      for (const chunk of source.chunks({ from })) {
        if (firstOf(chunk) > at) {
          until = firstOf(chunk);
          break;
        }
        // A chunk's memory is used again for the next: of one that ends before, its last row is kept.
        rows = lastOf(chunk) < at ? lastRow(chunk) : chunk;
        if (rows !== chunk) continue;
        until = lastOf(chunk) + 1;
        break;
      }
      if (rows !== undefined || from === source.firstAt) return;
    }
  }

  return {
    symbol: source.symbol,
    find(at): Place | undefined {
      if (at < source.firstAt) return undefined;
      if (rows === undefined || at < firstOf(rows) || at >= until) load(at);
      if (rows === undefined) return undefined;
      row = rowAt(rows, at, row);
      return { columns: rows, row };
    },
  };
}

function firstOf({ time }: QuoteColumns): number {
  return time[0] as number;
}

function lastOf({ time, length }: QuoteColumns): number {
  return time[length - 1] as number;
}

function lastRow({ symbol, length, ...columns }: QuoteColumns): QuoteColumns {
  const of = (column: Float64Array): Float64Array => column.slice(length - 1, length);
  const { time, bid, ask, bidSize, askSize } = columns;
  return { symbol, length: 1, time: of(time), bid: of(bid), ask: of(ask), bidSize: of(bidSize), askSize: of(askSize) };
}
