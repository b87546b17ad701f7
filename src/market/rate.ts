// The value of one unit of an asset in the currency of the limits, over pairs that lead there and have their own
// source. The rate is at fair value: the shortest route counts whose pairs all have one now, and others of the same
// length must agree with it. The mark needs no fair value: it is the lowest and the highest value by the last known
// prices of the shortest routes.

import type { Asset } from "../domain/asset.ts";
import { Price } from "../domain/money/money.ts";
import { PairMark } from "./mark.ts";
import type { Moment } from "./moment.ts";
import type { PairPrices } from "./pair-prices.ts";
import type { Pricing } from "./pricing.ts";

const DECIMALS = 9;
const STEPS_PER_UNIT = 10 ** DECIMALS;

/** A pair's value at its last evaluation. */
type Leg = {
  readonly prices: PairPrices;
  /** The version of its prices, and the time of the evaluation. */
  version: number;
  at: number;
  /** Fair value; NaN if unknown. */
  value: number;
  readonly mark: PairMark;
  /** Whether a rate uses this leg. */
  isFollowed: boolean;
};
export type Hop = { readonly leg: Leg; readonly inverse: boolean };
type Route = readonly Hop[];
/**
 * The lowest and the highest value of one unit: owned amounts count at the one, exposed or owed amounts at the other.
 */
export type RateRange = { readonly low: Price; readonly high: Price };

export type Mark = { readonly price: Price; readonly ageMs: number };

/** One object per asset; its content is valid while its version equals that of all rates. */
export type Rate = {
  readonly asset: Asset;
  /** The versions of the mark and of the rate at fair value, which is computed on demand. */
  version: number;
  fairVersion: number;
  /** The layout for which its routes were found. */
  layout: number;
  /** Shortest first, then by name. */
  routes: readonly Route[];
  /** At fair value; NaN if there is none. */
  float: number;
  /** The mark; NaN until all prices of a route were received. */
  low: number;
  high: number;
  /** When the oldest price of the mark was received. */
  markedAt: number;
  exactOf: number;
  exact: Price | undefined;
  /** The floats from which `range` was built. */
  rangeLow: number;
  rangeHigh: number;
  range: RateRange | undefined;
};

export class Rates {
  readonly currency: Asset;
  readonly #pricing: Pricing;
  readonly #moment: Moment;
  readonly #rates = new Map<Asset, Rate>();
  /** The last requested rate, because rules request the same one repeatedly. */
  #last: Rate | undefined = undefined;
  readonly #legOf = new Map<PairPrices, Leg>();
  /** The legs that rates use; no others are updated. */
  readonly #legs: Leg[] = [];
  #version = 0;
  /** The inputs for which the version was computed. */
  #prices = -1;
  #layout = -1;
  #now = Number.NaN;

  constructor(pricing: Pricing, currency: Asset) {
    this.#pricing = pricing;
    this.#moment = pricing.moment;
    this.currency = currency;
  }

  /** Unchanged while no rate and no mark changes. */
  get version(): number {
    const { prices, now } = this.#moment;
    if (prices !== this.#prices || now !== this.#now) this.#look();
    return this.#version;
  }

  #look(): void {
    const { prices, now } = this.#moment;
    const { layout } = this.#pricing;
    let isOther = layout !== this.#layout;
    for (const leg of this.#legs) if (look(leg, now)) isOther = true;
    this.#prices = prices;
    this.#layout = layout;
    this.#now = now;
    if (isOther) this.#version++;
  }

  /** The rate, up to date. */
  of(asset: Asset): Rate {
    return this.fresh(this.rateOf(asset));
  }

  /** To keep, and to pass to `fresh` on demand: an unused rate is not updated. */
  rateOf(asset: Asset): Rate {
    if (asset !== this.#last?.asset) this.#last = this.#rates.get(asset) ?? this.#added(asset);
    return this.#last;
  }

  /** The same rate, up to date. */
  fresh(rate: Rate): Rate {
    const { version } = this;
    if (rate.version !== version) this.#work(rate, version);
    return rate;
  }

  /** For signals; undefined if there is none. */
  float(asset: Asset): number | undefined {
    const { float } = this.#fair(asset);
    return Number.isNaN(float) ? undefined : float;
  }

  exact(asset: Asset): Price | undefined {
    const rate = this.#fair(asset);
    if (!Object.is(rate.float, rate.exactOf)) rate.exact = priceOf(rate.float);
    rate.exactOf = rate.float;
    return rate.exact;
  }

  /**
   * The value of one unit in equity, and the age of the oldest price in it; undefined until all prices were received
   * once.
   */
  mark(asset: Asset): Mark | undefined {
    const rate = this.of(asset);
    const price = rangeOf(rate)?.low;
    return price && { price, ageMs: this.#moment.now - rate.markedAt };
  }

  #work(rate: Rate, version: number): void {
    if (rate.layout !== this.#layout) {
      rate.routes = this.#routesOf(rate.asset);
      rate.layout = this.#layout;
    }
    this.#mark(rate);
    rate.version = version;
  }

  #fair(asset: Asset): Rate {
    const rate = this.of(asset);
    if (rate.fairVersion !== rate.version) rate.float = this.#over(rate.routes);
    rate.fairVersion = rate.version;
    return rate;
  }

  /**
   * The lowest and the highest over the shortest routes with known prices, so that a disagreement never raises the
   * value of holdings.
   */
  #mark(rate: Rate): void {
    let length = Number.POSITIVE_INFINITY;
    rate.low = Number.NaN;
    rate.high = Number.NaN;
    rate.markedAt = Number.POSITIVE_INFINITY;
    for (let i = 0; i < rate.routes.length; i++) {
      const hops = rate.routes[i] as Route;
      if (hops.length > length) break;
      let low = 1;
      let high = 1;
      let at = Number.POSITIVE_INFINITY;
      for (let j = 0; j < hops.length; j++) {
        const { leg, inverse } = hops[j] as Hop;
        if (!leg.isFollowed) this.#follow(leg);
        const { mark } = leg;
        low = inverse ? low / mark.high : low * mark.low;
        high = inverse ? high / mark.low : high * mark.high;
        at = Math.min(at, mark.at);
      }
      if (Number.isNaN(low + high)) continue;
      rate.low = hops.length < length ? low : Math.min(rate.low, low);
      rate.high = hops.length < length ? high : Math.max(rate.high, high);
      rate.markedAt = Math.min(rate.markedAt, at);
      length = hops.length;
    }
  }

  /**
   * Takes the first of the shortest routes, not the freshest or narrowest: that one changes with every price, and each
   * change would shift all limits by the distance between routes. Each leg is fresh and agreed on its own, or has no
   * value.
   */
  #over(routes: readonly Route[]): number {
    let rate = Number.NaN;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    let length = Number.POSITIVE_INFINITY;
    for (let i = 0; i < routes.length; i++) {
      const route = routes[i] as Route;
      if (route.length > length) break;
      const value = this.#along(route);
      if (Number.isNaN(value)) continue;
      if (length > route.length) rate = value;
      length = route.length;
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    return ((highest - lowest) / rate) * 1e4 <= this.#pricing.disagreementBpsMax ? rate : Number.NaN;
  }

  /** NaN if a leg has no value. */
  #along(hops: Route): number {
    let rate = 1;
    for (let i = 0; i < hops.length; i++) {
      const { leg, inverse } = hops[i] as Hop;
      if (!leg.isFollowed) this.#follow(leg);
      if (Number.isNaN(leg.value)) return Number.NaN;
      rate = inverse ? rate / leg.value : rate * leg.value;
    }
    return rate;
  }

  #follow(leg: Leg): void {
    look(leg, this.#moment.now);
    leg.isFollowed = true;
    this.#legs.push(leg);
  }

  #added(asset: Asset): Rate {
    const made: Rate = {
      asset,
      version: -1,
      fairVersion: -1,
      layout: -1,
      routes: [],
      float: Number.NaN,
      low: Number.NaN,
      high: Number.NaN,
      markedAt: Number.NaN,
      exactOf: Number.NaN,
      exact: undefined,
      rangeLow: Number.NaN,
      rangeHigh: Number.NaN,
      range: undefined,
    };
    this.#rates.set(asset, made);
    return made;
  }

  #routesOf(asset: Asset): readonly Route[] {
    if (asset === this.currency) return [[]];
    return this.#pricing.ways
      .from(asset, this.currency)
      .map((way) => way.map(({ prices, inverse }) => ({ leg: this.#legFor(prices), inverse })));
  }

  #legFor(prices: PairPrices): Leg {
    const known = this.#legOf.get(prices);
    const mark = new PairMark(prices, this.#pricing.marking, this.#pricing);
    const leg = known ?? { prices, version: -1, at: Number.NaN, value: Number.NaN, mark, isFollowed: false };
    if (known === undefined) this.#legOf.set(prices, leg);
    return leg;
  }
}

/** True if its value has changed. */
function look(leg: Leg, now: number): boolean {
  const { prices, value: before } = leg;
  if (leg.version === prices.version && leg.at === now) return false;
  leg.value = prices.value() ?? Number.NaN;
  const isMarkedAnew = leg.mark.look(leg.value, now);
  leg.version = prices.version;
  leg.at = now;
  return isMarkedAnew || !Object.is(leg.value, before);
}

/** For an up-to-date rate; the same object while it is unchanged. */
export function rangeOf(rate: Rate): RateRange | undefined {
  const { low, high } = rate;
  if (Object.is(low, rate.rangeLow) && Object.is(high, rate.rangeHigh)) return rate.range;
  rate.rangeLow = low;
  rate.rangeHigh = high;
  const [least, most] = [priceOf(low), low === high ? undefined : priceOf(high)];
  rate.range = least && { low: least, high: most ?? least };
  return rate.range;
}

/** A value that cannot be counted in steps of 10^-9 is not a rate. */
function priceOf(float: number): Price | undefined {
  const steps = Math.round(float * STEPS_PER_UNIT);
  return steps > 0 && Number.isSafeInteger(steps) ? Price.ofSteps(steps, DECIMALS) : undefined;
}
