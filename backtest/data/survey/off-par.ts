// A coin against its own currency is issued and redeemed at one. Prices that never come near one belong to a coin that
// has lost its peg or, more often, to another unit: a file in hundredths, or in basis points.

import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { Millis } from "../../../src/domain/time.ts";
import { isPegged } from "../../../src/market/currency.ts";
import type { DataSource } from "../source.ts";

export type PriceRange = { readonly low: number; readonly high: number };

/** From 0.5 to 1.5: a coin outside this band would no longer pass for its currency. */
export const UNLIKELY_BPS = 5_000;

/** Undefined where prices come near par, which the first rows usually show, or where the pair has no par. */
export function farFromPar(
  source: DataSource,
  span: { readonly from: Millis; readonly to: Millis },
  bandBps: number,
): PriceRange | undefined {
  if (!isPegged(source.symbol)) return undefined;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const chunk of source.chunks(span)) {
    const [below, above] = "bid" in chunk ? [chunk.bid, chunk.ask] : [chunk.open, chunk.open];
    for (let row = 0; row < chunk.length; row++) {
      const price = ((below[row] as number) + (above[row] as number)) / 2;
      low = Math.min(low, price);
      high = Math.max(high, price);
      if (!isFar({ low, high }, bandBps)) return undefined;
    }
  }
  return high < low ? undefined : { low, high };
}

/** Always on one side of par, and further from it than the band. */
function isFar({ low, high }: PriceRange, bandBps: number): boolean {
  return low > 1 + bandBps / 1e4 || high < 1 - bandBps / 1e4;
}

/** Over all prices of a pair, for a survey of the file alone. */
export function offParRemark(symbol: PairSymbol, range: PriceRange): string | undefined {
  return isPegged(symbol) && isFar(range, UNLIKELY_BPS) ? offParText(range) : undefined;
}

export function offParText(range: PriceRange): string {
  const { low, high } = range;
  const prices = low === high ? `at ${short(low)}` : `between ${short(low)} and ${short(high)}`;
  return `the price stands ${prices} all the time, where a coin is issued and redeemed at 1 of its currency${unitText(range)}`;
}

/** Guesses the unit as the nearest power of ten. */
function unitText({ low, high }: PriceRange): string {
  const unit = 10 ** Math.round(Math.log10(Math.sqrt(low * high)));
  return unit === 1
    ? ""
    : `: if the file has them in another unit, pegbot data import with --price-per ${short(unit)} divides them`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}
