// Paths from one asset to another over pairs with their own price, straight or inverted. Up to a few paths are kept,
// because the most reliable one changes with the prices. A pair without a path has no rate.

import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";

/** With more legs, their uncertainties add up to more than the rate is worth. */
const LEGS_MAX = 4;
const WAYS_MAX = 8;

export type Leg<P> = { readonly prices: P; readonly inverse: boolean };
export type Way<P> = readonly Leg<P>[];
/** Shortest first; the direct pair is one of them. */
export function waysFrom<P extends { readonly symbol: PairSymbol }>(
  from: Asset,
  to: Asset,
  pairs: readonly P[],
): readonly Way<P>[] {
  const symbol = `${from}/${to}` as PairSymbol;
  const own = pairs.filter((pair) => pair.symbol === symbol);
  return [...own.map((prices) => [{ prices, inverse: false }]), ...waysBetween(symbol, pairs)];
}

/** Shortest first, then by pair names, independent of input order. No path visits an asset twice. */
export function waysBetween<P extends { readonly symbol: PairSymbol }>(
  symbol: PairSymbol,
  pairs: Iterable<P>,
): readonly Way<P>[] {
  const { base, quote } = assetsOf(symbol);
  const edges = [...pairs].filter((pair) => pair.symbol !== symbol);
  edges.sort((one, other) => (one.symbol < other.symbol ? -1 : 1));
  const ways: Way<P>[] = [];
  let open: readonly { readonly at: Asset; readonly met: readonly Asset[]; readonly legs: Way<P> }[] = [
    { at: base, met: [base], legs: [] },
  ];
  for (let length = 1; length <= LEGS_MAX && ways.length < WAYS_MAX; length++) {
    const onward = open.flatMap(({ at, met, legs }) =>
      edges.flatMap((prices) => {
        const ends = assetsOf(prices.symbol);
        const inverse = ends.quote === at;
        const next = inverse ? ends.base : ends.quote;
        if ((!inverse && ends.base !== at) || met.includes(next)) return [];
        return [{ at: next, met: [...met, next], legs: [...legs, { prices, inverse }] }];
      }),
    );
    for (const { at, legs } of onward) if (at === quote) ways.push(legs);
    open = onward.filter(({ at }) => at !== quote);
  }
  return ways.slice(0, WAYS_MAX);
}
