// Columns of quotes and of bars: the memory layout of recorded and synthetic market data. Floats, because prices are
// signals until validation turns them into money; in shared memory if workers read them too.

import type { PairSymbol } from "../domain/asset.ts";

export type QuoteColumns = {
  readonly symbol: PairSymbol;
  readonly length: number;
  /** UTC milliseconds, never decreasing. */
  readonly time: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
  /** Base units; NaN if the source does not report them. */
  readonly bidSize: Float64Array;
  readonly askSize: Float64Array;
};

export type BarColumns = {
  readonly symbol: PairSymbol;
  readonly length: number;
  readonly intervalMs: number;
  /** The opening time of the bar, UTC milliseconds, increasing; the bar is not known before `time + intervalMs`. */
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  /** Base units; NaN if the source does not report it. */
  readonly volume: Float64Array;
};

export type ColumnMemory = "shared" | "private";

export function createColumn(length: number, memory: ColumnMemory): Float64Array {
  return new Float64Array(memory === "shared" ? new SharedArrayBuffer(length * 8) : new ArrayBuffer(length * 8));
}

export function createQuoteColumns(symbol: PairSymbol, length: number, memory: ColumnMemory = "private"): QuoteColumns {
  const column = (): Float64Array => createColumn(length, memory);
  return { symbol, length, time: column(), bid: column(), ask: column(), bidSize: column(), askSize: column() };
}

/**
 * The last row at or before `time`, -1 before the first. `hint` is a starting row: the next request is usually near it
 * and mostly after it, and a search over a whole long column would touch memory that is not needed otherwise.
 */
export function rowAt(columns: QuoteColumns, time: number, hint = 0): number {
  const { time: times, length } = columns;
  if (length === 0 || time < (times[0] as number)) return -1;
  let low = hint > 0 && hint < length && (times[hint] as number) <= time ? hint : 0;
  let high = low + 1;
  for (let stride = 1; high < length && (times[high] as number) <= time; stride *= 2) {
    low = high;
    high += stride;
  }
  // Invariant: the row is at or after `low` and before `high`.
  if (high > length) high = length;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) <= time) low = middle;
    else high = middle;
  }
  return low;
}
