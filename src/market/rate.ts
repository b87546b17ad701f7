// What one unit of an asset is worth in the currency that limits are counted in, by the fair value of a pair of the two, or
// of pairs that lead there over other assets. Where a price on the way is missing, there is no rate.

import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";
import { Price } from "../domain/money/money.ts";
import { waysBetween } from "./cross.ts";
import type { Pricing } from "./fair.ts";
import type { PairPrices } from "./pair-prices.ts";

const DECIMALS = 9;
const STEPS_PER_UNIT = 10 ** DECIMALS;

type Hop = { readonly prices: PairPrices; readonly inverse: boolean };
export type Route = readonly Hop[];
/** Prices that a rate lies between, both included. */
export type RateRange = { readonly low: Price; readonly high: Price };

/** How far `near` reaches to both sides. */
const NEAR = 5e-3;

type Cached = {
  route: Route | undefined;
  pairs: number;
  sequence: number;
  /** Of 10^-9; -1 is no rate. */
  steps: number;
  /** The steps that `point` was made of. */
  pointSteps: number;
  point: RateRange | undefined;
  lowSteps: number;
  highSteps: number;
  near: RateRange | undefined;
};

export class Rates {
  readonly currency: Asset;
  readonly #pricing: Pricing;
  readonly #routes = new Map<Asset, Route | undefined>();
  readonly #cache = new Map<Asset, Cached>();
  #pairsRouted = 0;

  constructor(pricing: Pricing, currency: Asset) {
    this.#pricing = pricing;
    this.currency = currency;
  }

  /** The event that rates are worked out for. */
  get sequence(): number {
    return this.#pricing.moment.sequence;
  }

  /** For signals; undefined when there is none. */
  float(asset: Asset): number | undefined {
    return this.along(this.routeOf(asset));
  }

  along(route: Route | undefined): number | undefined {
    if (route === undefined) return undefined;
    let rate = 1;
    for (const { prices, inverse } of route) {
      const value = this.#pricing.value(prices);
      if (value === undefined) return undefined;
      rate = inverse ? rate / value : rate * value;
    }
    return rate;
  }

  exact(asset: Asset): Price | undefined {
    return this.point(asset)?.low;
  }

  /** The exact rate as a range of one price; the same object while it stands still. */
  point(asset: Asset): RateRange | undefined {
    const cached = this.#current(asset);
    if (cached.steps !== cached.pointSteps) {
      const price = cached.steps > 0 ? Price.ofSteps(cached.steps, DECIMALS) : undefined;
      cached.point = price && { low: price, high: price };
      cached.pointSteps = cached.steps;
    }
    return cached.point;
  }

  /** A range that the exact rate lies in, the same object while it does: what holds for all of it needs no working out anew. */
  near(asset: Asset): RateRange | undefined {
    if (asset === this.currency) return this.point(asset);
    const cached = this.#current(asset);
    const { steps } = cached;
    if (steps < 0) return undefined;
    if (steps < cached.lowSteps || steps > cached.highSteps) {
      const reach = Math.floor(steps * NEAR);
      const high = Math.min(steps + reach, Number.MAX_SAFE_INTEGER);
      cached.near = { low: Price.ofSteps(steps - reach, DECIMALS), high: Price.ofSteps(high, DECIMALS) };
      cached.lowSteps = steps - reach;
      cached.highSteps = high;
    }
    return cached.near;
  }

  /** Worked out once per event. */
  #current(asset: Asset): Cached {
    const { moment, pairs } = this.#pricing;
    const cached = this.#cache.get(asset) ?? this.#cacheOf(asset);
    if (cached.sequence === moment.sequence) return cached;
    if (cached.pairs !== pairs.size) {
      cached.route = this.routeOf(asset);
      cached.pairs = pairs.size;
    }
    cached.steps = stepsOf(this.along(cached.route));
    cached.sequence = moment.sequence;
    return cached;
  }

  #cacheOf(asset: Asset): Cached {
    const bounds = { lowSteps: Number.POSITIVE_INFINITY, highSteps: Number.NEGATIVE_INFINITY };
    const made: Cached = {
      ...{ route: undefined, pairs: -1, sequence: -1, steps: -1, pointSteps: -1, point: undefined },
      ...bounds,
      near: undefined,
    };
    this.#cache.set(asset, made);
    return made;
  }

  /** The pairs that lead to the currency; it holds until another pair is seen. */
  routeOf(asset: Asset): Route | undefined {
    if (this.#pairsRouted !== this.#pricing.pairs.size) {
      this.#routes.clear();
      this.#pairsRouted = this.#pricing.pairs.size;
    }
    if (!this.#routes.has(asset)) this.#routes.set(asset, asset === this.currency ? [] : this.#found(asset));
    return this.#routes.get(asset);
  }

  #found(asset: Asset): Route | undefined {
    const direct = this.#hop(asset, this.currency);
    if (direct !== undefined) return [direct];
    for (const prices of this.#pricing.pairs.values()) {
      const { base, quote } = assetsOf(prices.symbol);
      const middle = base === asset ? quote : quote === asset ? base : undefined;
      const onward = middle === undefined ? undefined : this.#hop(middle, this.currency);
      if (onward !== undefined) return [{ prices, inverse: quote === asset }, onward];
    }
    return waysBetween(`${asset}/${this.currency}` as PairSymbol, this.#pricing.pairs.values())[0];
  }

  #hop(from: Asset, to: Asset): Hop | undefined {
    for (const prices of this.#pricing.pairs.values()) {
      const { base, quote } = assetsOf(prices.symbol);
      if (base === from && quote === to) return { prices, inverse: false };
      if (base === to && quote === from) return { prices, inverse: true };
    }
    return undefined;
  }
}

/** What cannot be told in steps is no rate. */
function stepsOf(rate: number | undefined): number {
  const steps = rate === undefined ? -1 : Math.round(rate * STEPS_PER_UNIT);
  return steps > 0 && Number.isSafeInteger(steps) ? steps : -1;
}
