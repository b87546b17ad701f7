// The venue's mid so long after each fill. A price counts only if it is of the later two thirds of that time: an older one says
// nothing about where the price went.

import { MARKOUT_SECONDS, type Prices } from "./run-record.ts";

const EARLY = 1 / 3;

/** One column for each of MARKOUT_SECONDS; NaN where nothing was known in time, or the moment is after the end of what is known. */
export function markoutMids(
  time: Float64Array,
  symbol: readonly string[],
  prices: readonly Prices[],
  end = Number.POSITIVE_INFINITY,
): readonly Float64Array[] {
  const bySymbol = new Map(prices.map((one) => [one.symbol as string, one]));
  return MARKOUT_SECONDS.map((seconds) =>
    time.map((at, row) => {
      const columns = bySymbol.get(symbol[row] as string);
      const ms = seconds * 1_000;
      return columns === undefined || at + ms > end ? NaN : midBetween(columns, at + EARLY * ms, at + ms);
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
