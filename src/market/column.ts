// Columns of quotes: how recorded and synthetic market data lie in memory. Floats, because prices are signals until the
// door makes them money; on shared memory when workers read them too.

import type { PairSymbol } from "../domain/asset.ts";

export type QuoteColumns = {
  readonly symbol: PairSymbol;
  readonly length: number;
  /** UTC milliseconds, never decreasing. */
  readonly time: Float64Array;
  readonly bid: Float64Array;
  readonly ask: Float64Array;
  /** Base units; NaN where the source does not say. */
  readonly bidSize: Float64Array;
  readonly askSize: Float64Array;
};

export function createQuoteColumns(
  symbol: PairSymbol,
  length: number,
  memory: "shared" | "private" = "private",
): QuoteColumns {
  const column = (): Float64Array =>
    new Float64Array(memory === "shared" ? new SharedArrayBuffer(length * 8) : new ArrayBuffer(length * 8));
  return { symbol, length, time: column(), bid: column(), ask: column(), bidSize: column(), askSize: column() };
}

/** The last row at or before `time`, -1 before the first. `hint` is a row to try first: reading forward costs O(1). */
export function rowAt(columns: QuoteColumns, time: number, hint = 0): number {
  const { time: times, length } = columns;
  if (length === 0 || time < (times[0] as number)) return -1;
  for (let row = Math.max(0, hint); row < Math.min(hint + 4, length); row++)
    if ((times[row] as number) <= time && (row + 1 >= length || (times[row + 1] as number) > time)) return row;
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((times[middle] as number) <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
