// Ways from one asset to another over pairs that have a price of their own, straight or turned over. Every way is kept, up
// to a few: which of them is surest changes with the prices. A pair on no way has no rate, whatever else is known.

import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";

/** Beyond this the legs' doubts add up to more than the rate is worth. */
export const LEGS_MAX = 4;
const WAYS_MAX = 8;

export type Leg<P> = { readonly prices: P; readonly inverse: boolean };
export type Way<P> = readonly Leg<P>[];
/** A part of a way that leads from one asset of a pair to the other: the legs from `from` on, before `to`. */
export type Stretch = {
  readonly symbol: PairSymbol;
  /** It leads from the quote of the pair to its base. */
  readonly inverse: boolean;
  readonly from: number;
  readonly to: number;
};
/** A way, and the parts of it that have a measure of their own. */
export type Course<P> = { readonly legs: Way<P>; readonly stretches: readonly Stretch[] };

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

/** The parts of a way that stand for a pair which `isMeasured`; that of a leg itself is judged with its prices. */
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

/** What a part of a way makes of its pair, by what each leg of the way is worth. */
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
