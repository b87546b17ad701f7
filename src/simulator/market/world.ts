// A market with recorded rates. References are worth what the records say; the underlying market places references
// without a record relative to them, and all its prices are scaled accordingly, so that a coin keeps its distance from
// par. Where a required record has no row there is neither rate nor price.

import { type Asset, assetsOf } from "../../domain/asset.ts";
import type { Millis } from "../../domain/time.ts";
import type { Market } from "./market.ts";
import { midOf, type Track } from "./recorded.ts";

type Leg = { readonly track: Track; readonly to: Asset; readonly inverse: boolean };

/**
 * Recorded legs to an anchor, the underlying market's rate from it to the other anchor, and recorded legs from there.
 */
type Way = { readonly out: readonly Leg[]; readonly from: Asset; readonly to: Asset; readonly back: readonly Leg[] };

/** How the assets of the underlying market are related. */
export type Naming = {
  /** GBP for both VGBP and GBP. */
  readonly standsFor: (asset: Asset) => Asset;
  readonly isCurrency: (asset: Asset) => boolean;
};

export function worldMarket(rates: readonly Track[], market: Market, { standsFor, isCurrency }: Naming): Market {
  const legs = legsOf(rates);
  const anchors = anchorsOf(rates, legs, isCurrency);
  const ways = new Map<string, Way | undefined>();
  const wayOf = (base: Asset, quote: Asset): Way | undefined => {
    const key = `${base}/${quote}`;
    if (!ways.has(key)) ways.set(key, wayBetween(standsFor(base), standsFor(quote), legs, anchors));
    return ways.get(key);
  };

  function rate(base: Asset, quote: Asset, at: Millis): number | undefined {
    const way = wayOf(base, quote);
    if (way === undefined) return market.rate(base, quote, at);
    const between = way.from === way.to ? 1 : market.rate(way.from, way.to, at);
    return along(way.back, along(way.out, between, at), at);
  }

  return {
    ...market,
    read(symbol, at, into, shift) {
      const { base, quote } = assetsOf(symbol);
      if (wayOf(base, quote) === undefined) return market.read(symbol, at, into, shift);
      const is = rate(base, quote, at);
      const was = market.rate(base, quote, at);
      if (is === undefined || was === undefined || !market.read(symbol, at, into, shift)) return false;
      into.bid *= is / was;
      into.ask *= is / was;
      return true;
    },
    rate,
  };
}

function along(legs: readonly Leg[], rate: number | undefined, at: Millis): number | undefined {
  for (const { track, inverse } of legs) {
    const mid = rate && midOf(track, at);
    if (rate === undefined || mid === undefined) return undefined;
    rate = inverse ? rate / mid : rate * mid;
  }
  return rate;
}

function legsOf(rates: readonly Track[]): ReadonlyMap<Asset, readonly Leg[]> {
  const legs = new Map<Asset, Leg[]>();
  const add = (from: Asset, leg: Leg): void => void legs.set(from, [...(legs.get(from) ?? []), leg]);
  for (const track of rates) {
    const { base, quote } = assetsOf(track.symbol);
    add(base, { track, to: quote, inverse: false });
    add(quote, { track, to: base, inverse: true });
  }
  return legs;
}

/** Whether a chain of records connects the two assets. */
export function isJoined(rates: readonly Track[], base: Asset, quote: Asset): boolean {
  return legsBetween(base, quote, legsOf(rates)) !== undefined;
}

/**
 * One anchor for each group of assets that records connect: the quote of the group's first record keeps its value in
 * the underlying market, or the base if only that is a currency, because a bitcoin must not move a currency.
 */
function anchorsOf(
  rates: readonly Track[],
  legs: ReadonlyMap<Asset, readonly Leg[]>,
  isCurrency: (asset: Asset) => boolean,
): ReadonlyMap<Asset, Asset> {
  const anchors = new Map<Asset, Asset>();
  for (const { symbol } of rates) {
    const { base, quote } = assetsOf(symbol);
    const anchor = isCurrency(quote) || !isCurrency(base) ? quote : base;
    if (anchors.has(anchor)) continue;
    for (const asset of legs.keys()) if (legsBetween(asset, anchor, legs) !== undefined) anchors.set(asset, anchor);
  }
  return anchors;
}

/** Undefined where no record applies. */
function wayBetween(
  base: Asset,
  quote: Asset,
  legs: ReadonlyMap<Asset, readonly Leg[]>,
  anchors: ReadonlyMap<Asset, Asset>,
): Way | undefined {
  if (base === quote) return undefined;
  const whole = legsBetween(base, quote, legs);
  if (whole !== undefined) return { out: whole, from: quote, to: quote, back: [] };
  const from = anchors.get(base) ?? base;
  const to = anchors.get(quote) ?? quote;
  const out = legsBetween(base, from, legs) ?? [];
  const back = legsBetween(to, quote, legs) ?? [];
  return out.length + back.length === 0 ? undefined : { out, from, to, back };
}

/** The shortest chain of records from one asset to the other. */
function legsBetween(from: Asset, to: Asset, legs: ReadonlyMap<Asset, readonly Leg[]>): readonly Leg[] | undefined {
  const found = new Map<Asset, readonly Leg[]>([[from, []]]);
  // Breadth-first: iterating over a map also visits entries added meanwhile.
  for (const [asset, way] of found) {
    if (asset === to) return way;
    for (const leg of legs.get(asset) ?? []) if (!found.has(leg.to)) found.set(leg.to, [...way, leg]);
  }
  return undefined;
}
