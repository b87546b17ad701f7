// Ways from one asset to another over pairs that have a price of their own, straight or turned over. Every way is kept, up
// to a few: which of them is surest changes with the prices. A pair on no way has no rate, whatever else is known.

import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";

/** Beyond this the legs' doubts add up to more than the rate is worth. */
const LEGS_MAX = 4;
const WAYS_MAX = 8;

export type Leg<P> = { readonly prices: P; readonly inverse: boolean };
export type Way<P> = readonly Leg<P>[];

/** Shortest first: the pair of the two itself is one. */
export function waysFrom<P extends { readonly symbol: PairSymbol }>(
  from: Asset,
  to: Asset,
  pairs: readonly P[],
): readonly Way<P>[] {
  const symbol = `${from}/${to}` as PairSymbol;
  const own = pairs.filter((pair) => pair.symbol === symbol);
  return [...own.map((prices) => [{ prices, inverse: false }]), ...waysBetween(symbol, pairs)];
}

/** Shortest first, else by the names of their pairs, whatever their order was. No way meets an asset twice. */
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
