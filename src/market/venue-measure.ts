// What the venue itself says a pair costs: the measure for a source of which nothing else is known yet.

import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";
import { isCurrency } from "./currency.ts";
import type { PairPrices, SourcePrice } from "./pair-prices.ts";

/** What a price of the pair should be near to before anything else is known of its source; NaN where nothing says. */
export function venueMeasure(
  { symbol, parBandBps, venue }: PairPrices,
  pairs: ReadonlyMap<PairSymbol, PairPrices>,
  sinceMin: number,
): number {
  const own = freshMid(venue, sinceMin);
  if (!Number.isNaN(own)) return own;
  if (parBandBps !== undefined) return 1;
  for (const { symbol: twin, inverse } of twinsOf(symbol)) {
    const mid = freshMid(pairs.get(twin)?.venue, sinceMin);
    if (!Number.isNaN(mid)) return inverse ? 1 / mid : mid;
  }
  return Number.NaN;
}

function freshMid(price: SourcePrice | undefined, sinceMin: number): number {
  return price?.seen === "good" && price.since >= sinceMin ? (price.bid + price.ask) / 2 : Number.NaN;
}

/** Pairs of the venue that cost about the same: coins stand for their currencies, and may be quoted the other way round. */
function twinsOf(symbol: PairSymbol): readonly { readonly symbol: PairSymbol; readonly inverse: boolean }[] {
  const { base, quote } = assetsOf(symbol);
  const standing = (asset: string): readonly string[] => (isCurrency(asset as Asset) ? [`V${asset}`, asset] : [asset]);
  return standing(base).flatMap((one) =>
    standing(quote).flatMap((other) => [
      { symbol: `${one}/${other}` as PairSymbol, inverse: false },
      { symbol: `${other}/${one}` as PairSymbol, inverse: true },
    ]),
  );
}
