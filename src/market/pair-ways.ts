// Ways from one asset to another over the pairs that have a source of their own, and what a pair on them can cost at all. Ways
// are kept until the pairs or their sources are others.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import { type Course, type Stretch, stretchesOf, type Way, waysBetween, waysFrom } from "./cross.ts";
import { dailyRate, type GuardSettings } from "./guard.ts";
import type { Moment } from "./moment.ts";
import type { PairPrices } from "./pair-prices.ts";
import { whyBeyond } from "./refusal.ts";

export class PairWays {
  readonly #pairs: ReadonlyMap<PairSymbol, PairPrices>;
  readonly #moment: Moment;
  readonly #guard: GuardSettings | undefined;
  readonly #known = new Map<PairPrices, readonly Course<PairPrices>[]>();

  constructor(pairs: ReadonlyMap<PairSymbol, PairPrices>, moment: Moment, guard: GuardSettings | undefined) {
    this.#pairs = pairs;
    this.#moment = moment;
    this.#guard = guard;
  }

  /** There is another pair, or one has its first source: ways may be others. */
  forget(): void {
    this.#known.clear();
  }

  of(prices: PairPrices): readonly Course<PairPrices>[] {
    const known = this.#known.get(prices);
    if (known !== undefined) return known;
    const found = waysBetween(prices.symbol, this.#sourced()).map((way) => this.#courseOf(way));
    this.#known.set(prices, found);
    return found;
  }

  /** Shortest first, else by name: the pair of the two itself is one. */
  from(from: Asset, to: Asset): readonly Course<PairPrices>[] {
    return waysFrom(from, to, this.#sourced()).map((way) => this.#courseOf(way));
  }

  #courseOf(legs: Way<PairPrices>): Course<PairPrices> {
    const guard = this.#guard;
    const isMeasured = (symbol: PairSymbol): boolean =>
      guard !== undefined && (guard.bands.has(symbol) || guard.measuredBy.has(symbol));
    return { legs, stretches: stretchesOf(legs, isMeasured) };
  }

  /** Whether the pair of a part of a way cannot cost what the legs make of it. */
  isBeyond({ symbol }: Stretch, value: number): boolean {
    const guard = this.#guard;
    if (guard === undefined) return false;
    const { bands, anchorBps, anchorAgeMsMax } = guard;
    const daily = dailyRate(this.#pairs.get(symbol)?.anchor, this.#moment.now, anchorAgeMsMax);
    return whyBeyond(value, bands.get(symbol), daily, anchorBps) !== undefined;
  }

  #sourced(): readonly PairPrices[] {
    return [...this.#pairs.values()].filter(hasSource);
  }
}

/** Par, or a reference: without either a pair is worth what others make of it. */
export function hasSource({ parBandBps, references }: PairPrices): boolean {
  return parBandBps !== undefined || references.length > 0;
}
