// Paths from one asset to another over pairs with their own price, straight or inverted. Up to a few paths are kept,
// because the most reliable one changes with the prices. A pair without a path has no rate.

import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";

/** With more legs, their uncertainties add up to more than the rate is worth. */
export const LEGS_MAX = 4;
const WAYS_MAX = 8;

export type Leg<P> = { readonly prices: P; readonly inverse: boolean };
export type Way<P> = readonly Leg<P>[];
/**
 * A part of a path that leads from one asset of a pair to the other: the legs from `from` (inclusive) to `to`
 * (exclusive).
 */
export type Stretch = {
  readonly symbol: PairSymbol;
  /** The part leads from the pair's quote asset to its base asset. */
  readonly inverse: boolean;
  readonly from: number;
  readonly to: number;
};
/** A path, and its parts that have a band or a daily rate of their own. */
export type Course<P> = { readonly legs: Way<P>; readonly stretches: readonly Stretch[] };

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

/**
 * The parts of a path that stand for a pair that `isMeasured`; the pair of a single leg is judged with its own prices.
 */
export function stretchesOf<P extends { readonly symbol: PairSymbol }>(
  way: Way<P>,
  isMeasured: (symbol: PairSymbol) => boolean,
): readonly Stretch[] {
  const met = way.map(({ prices, inverse }) => assetsOf(prices.symbol)[inverse ? "quote" : "base"]);
  const last = way.at(-1);
  if (last !== undefined) met.push(assetsOf(last.prices.symbol)[last.inverse ? "base" : "quote"]);
  const own = new Set(way.map(({ prices }) => prices.symbol));
  return met.flatMap((start, from) =>
    met.slice(from + 1).flatMap((end, further) => {
      const to = from + further + 1;
      const forms = [
        { symbol: `${start}/${end}` as PairSymbol, inverse: false, from, to },
        { symbol: `${end}/${start}` as PairSymbol, inverse: true, from, to },
      ];
      return forms.filter(({ symbol }) => isMeasured(symbol) && !own.has(symbol));
    }),
  );
}

/** The price of a part's pair, computed from the values of the path's legs. */
export function overStretch(
  { from, to, inverse }: Stretch,
  legs: readonly { readonly inverse: boolean }[],
  values: Float64Array,
): number {
  let value = 1;
  for (let i = from; i < to; i++) {
    const worth = values[i] as number;
    value = legs[i]?.inverse === true ? value / worth : value * worth;
  }
  return inverse ? 1 / value : value;
}
