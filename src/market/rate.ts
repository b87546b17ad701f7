// What one unit of an asset is worth in the currency that limits are counted in, by the fair value of a pair of the two, or
// of two pairs that meet in a third asset. Where a price on the way is missing, there is no rate.

import { type Asset, assetsOf } from "../domain/asset.ts";
import { Price } from "../domain/money/money.ts";
import type { Pricing } from "./fair.ts";
import type { PairPrices } from "./pair-prices.ts";

const DECIMALS = 9;
const STEPS_PER_UNIT = 10 ** DECIMALS;

type Hop = { readonly prices: PairPrices; readonly inverse: boolean };
export type Route = readonly Hop[];
type Cached = { price: Price | undefined; steps: number; sequence: number; route: Route | undefined; pairs: number };

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

  /** Worked out once per event. */
  exact(asset: Asset): Price | undefined {
    const { moment, pairs } = this.#pricing;
    let cached = this.#cache.get(asset);
    if (cached === undefined) {
      cached = { price: undefined, steps: -1, sequence: -1, route: undefined, pairs: -1 };
      this.#cache.set(asset, cached);
    }
    if (cached.sequence !== moment.sequence) {
      if (cached.pairs !== pairs.size) {
        cached.route = this.routeOf(asset);
        cached.pairs = pairs.size;
      }
      cached.price = exactRate(this.along(cached.route), cached);
      cached.sequence = moment.sequence;
    }
    return cached.price;
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
    return undefined;
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

/** Most rates are what they were: then so is the price. */
function exactRate(rate: number | undefined, last: Cached): Price | undefined {
  const steps = rate === undefined ? -1 : Math.round(rate * STEPS_PER_UNIT);
  if (steps === last.steps) return last.price;
  last.steps = steps;
  return steps > 0 && Number.isSafeInteger(steps) ? Price.ofSteps(steps, DECIMALS) : undefined;
}
