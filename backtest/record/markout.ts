// The venue's mid so long after each fill. A price counts only if it is newer than the fill: an old one says nothing about
// what happened after it.

import { MARKOUT_SECONDS, type Prices } from "./run-record.ts";

/** One column for each of MARKOUT_SECONDS; NaN where nothing newer than the fill was known in time. */
export function markoutMids(
  time: Float64Array,
  symbol: readonly string[],
  prices: readonly Prices[],
): readonly Float64Array[] {
  const bySymbol = new Map(prices.map((one) => [one.symbol as string, one]));
  return MARKOUT_SECONDS.map((seconds) =>
    time.map((at, row) => {
      const columns = bySymbol.get(symbol[row] as string);
      return columns === undefined ? NaN : midBetween(columns, at, at + seconds * 1_000);
    }),
  );
}

function midBetween({ time, bid, ask, length }: Prices, after: number, until: number): number {
  let low = -1;
  let high = length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((time[middle] as number) <= until) low = middle;
    else high = middle - 1;
  }
  if (low < 0 || (time[low] as number) <= after) return NaN;
  return ((bid[low] as number) + (ask[low] as number)) / 2;
}
