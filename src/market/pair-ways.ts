// Ways from one asset to another over the pairs that have a source of their own, and what a pair on them can cost at all. Ways
// are kept until the pairs or their sources are others.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import { type Course, type Stretch, stretchesOf, type Way, waysBetween, waysFrom } from "./cross.ts";
import { dailyRate, type GuardSettings } from "./guard.ts";
import type { Moment } from "./moment.ts";
import type { PairPrices } from "./pair-prices.ts";
import type { Around, Bound } from "./pricing.ts";
import { bandBroken } from "./refusal.ts";

export class PairWays {
  readonly #pairs: ReadonlyMap<PairSymbol, PairPrices>;
  readonly #moment: Moment;
  readonly #guard: GuardSettings | undefined;
  readonly #known = new Map<PairPrices, readonly Course<PairPrices>[]>();
  #around: readonly Around[] | undefined = undefined;

  constructor(pairs: ReadonlyMap<PairSymbol, PairPrices>, moment: Moment, guard: GuardSettings | undefined) {
    this.#pairs = pairs;
    this.#moment = moment;
    this.#guard = guard;
  }

  /** There is another pair, or one has its first source: ways may be others. */
  forget(): void {
    this.#known.clear();
    this.#around = undefined;
  }

  of(prices: PairPrices): readonly Course<PairPrices>[] {
    const known = this.#known.get(prices);
    if (known !== undefined) return known;
    const found = waysBetween(prices.symbol, this.#sourced()).map((way) => this.#courseOf(way));
    this.#known.set(prices, found);
    return found;
  }

  from(from: Asset, to: Asset): readonly Course<PairPrices>[] {
    return waysFrom(from, to, this.#sourced()).map((way) => this.#courseOf(way));
  }

  #courseOf(legs: Way<PairPrices>): Course<PairPrices> {
    const guard = this.#guard;
    const isMeasured = (symbol: PairSymbol): boolean =>
      guard !== undefined && (guard.bands.has(symbol) || guard.measuredBy.has(symbol));
    return { legs, stretches: stretchesOf(legs, isMeasured) };
  }

  isBeyond({ symbol }: Stretch, value: number): boolean {
    return this.boundBroken(symbol, value) !== undefined;
  }

  boundBroken(symbol: PairSymbol, value: number): Bound | undefined {
    const guard = this.#guard;
    if (guard === undefined) return undefined;
    const { bands, anchorBps, anchorAgeMsMax } = guard;
    const anchor = this.#pairs.get(symbol)?.anchor;
    const byHand = bands.get(symbol);
    const band = bandBroken(value, byHand, dailyRate(anchor, this.#moment.now, anchorAgeMsMax), anchorBps);
    return band && { band, measuredBy: band === byHand ? undefined : anchor?.name };
  }

  around(): readonly Around[] {
    this.#around ??= this.#measured().flatMap((symbol) =>
      waysBetween(symbol, this.#sourced()).map((legs) => ({ symbol, legs })),
    );
    return this.#around;
  }

  #measured(): readonly PairSymbol[] {
    const guard = this.#guard;
    return guard === undefined ? [] : [...new Set([...guard.bands.keys(), ...guard.measuredBy.keys()])];
  }

  #sourced(): readonly PairPrices[] {
    return [...this.#pairs.values()].filter(hasSource);
  }
}

/** Par, or a reference: without either a pair is worth what others make of it. */
export function hasSource({ parBandBps, references }: PairPrices): boolean {
  return parBandBps !== undefined || references.length > 0;
}
