// What one unit of an asset is worth in the currency that limits are counted in, over pairs that lead there and have a source
// of their own. The rate is at fair value: the shortest route counts whose pairs all have one now; others as short must agree
// with it. The mark needs no fair value: the least and the most that the last known prices of the shortest routes come to.

import type { Asset } from "../domain/asset.ts";
import { Price } from "../domain/money/money.ts";
import { LEGS_MAX, overStretch, type Stretch } from "./cross.ts";
import { PairMark } from "./mark.ts";
import type { Moment } from "./moment.ts";
import type { PairPrices } from "./pair-prices.ts";
import type { Pricing } from "./pricing.ts";

const DECIMALS = 9;
const STEPS_PER_UNIT = 10 ** DECIMALS;

/** What a pair was worth when it was looked at. */
type Leg = {
  readonly prices: PairPrices;
  /** Of its prices, and when it was looked at. */
  version: number;
  at: number;
  /** Fair value; NaN is unknown. */
  value: number;
  readonly mark: PairMark;
  /** It is one of those that rates are worked out over. */
  isFollowed: boolean;
};
export type Hop = { readonly leg: Leg; readonly inverse: boolean };
type Route = { readonly hops: readonly Hop[]; readonly stretches: readonly Stretch[] };
/** The least and the most that one unit counts for: what is owned at the one, what may be exposed or is owed at the other. */
export type RateRange = { readonly low: Price; readonly high: Price };

export type Mark = { readonly price: Price; readonly ageMs: number };

/** Of one asset, always the same object; what it says holds while its version is that of all rates. */
export type Rate = {
  readonly asset: Asset;
  /** Of the mark, and of the rate at fair value, which is worked out when it is asked for. */
  version: number;
  fairVersion: number;
  /** When its routes were looked for. */
  layout: number;
  /** Shortest first, else by name. */
  routes: readonly Route[];
  /** At fair value; NaN where there is none. */
  float: number;
  /** The mark; NaN until all prices of some route were heard. */
  low: number;
  high: number;
  /** When the oldest price of the mark was heard. */
  markedAt: number;
  exactOf: number;
  exact: Price | undefined;
  /** The floats that `range` was made of. */
  rangeLow: number;
  rangeHigh: number;
  range: RateRange | undefined;
};

export class Rates {
  readonly currency: Asset;
  readonly #pricing: Pricing;
  readonly #moment: Moment;
  readonly #rates = new Map<Asset, Rate>();
  /** Asked for last: rules ask for the same again and again. */
  #last: Rate | undefined = undefined;
  readonly #legOf = new Map<PairPrices, Leg>();
  readonly #legValues = new Float64Array(LEGS_MAX);
  /** Those that rates were worked out over: no others are followed. */
  readonly #legs: Leg[] = [];
  #version = 0;
  /** What the version is of. */
  #prices = -1;
  #layout = -1;
  #now = Number.NaN;

  constructor(pricing: Pricing, currency: Asset) {
    this.#pricing = pricing;
    this.#moment = pricing.moment;
    this.currency = currency;
  }

  /** Stands still while no rate and no mark changes. */
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

  /** Up to date. */
  of(asset: Asset): Rate {
    return this.fresh(this.rateOf(asset));
  }

  /** To keep, and to pass to `fresh` when it is needed: a rate that is not needed is not followed. */
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

  /** For signals; undefined when there is none. */
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

  /** What one unit counts for in equity, and how old the oldest price behind it is; undefined until all were heard once. */
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

  /** Of the shortest routes that can be told at all, the lowest and the highest: what disagrees is not believed upwards. */
  #mark(rate: Rate): void {
    let length = Number.POSITIVE_INFINITY;
    rate.low = Number.NaN;
    rate.high = Number.NaN;
    rate.markedAt = Number.POSITIVE_INFINITY;
    for (let i = 0; i < rate.routes.length; i++) {
      const { hops } = rate.routes[i] as Route;
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
   * Not the freshest or narrowest of the shortest: that changes with every price, and each change would move all limits by
   * what routes are apart. Each leg is fresh and agreed on by itself, or has no value.
   */
  #over(routes: readonly Route[]): number {
    let rate = Number.NaN;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    let length = Number.POSITIVE_INFINITY;
    for (let i = 0; i < routes.length; i++) {
      const route = routes[i] as Route;
      if (route.hops.length > length) break;
      const value = this.#along(route);
      if (Number.isNaN(value)) continue;
      if (length > route.hops.length) rate = value;
      length = route.hops.length;
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    return ((highest - lowest) / rate) * 1e4 <= this.#pricing.disagreementBpsMax ? rate : Number.NaN;
  }

  /** NaN where a leg has no value. So where they make of a pair what it cannot cost. */
  #along({ hops, stretches }: Route): number {
    let rate = 1;
    for (let i = 0; i < hops.length; i++) {
      const { leg, inverse } = hops[i] as Hop;
      if (!leg.isFollowed) this.#follow(leg);
      if (Number.isNaN(leg.value)) return Number.NaN;
      this.#legValues[i] = leg.value;
      rate = inverse ? rate / leg.value : rate * leg.value;
    }
    for (let i = 0; i < stretches.length; i++) {
      const stretch = stretches[i] as Stretch;
      if (this.#pricing.ways.isBeyond(stretch, overStretch(stretch, hops, this.#legValues))) return Number.NaN;
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
    if (asset === this.currency) return [{ hops: [], stretches: [] }];
    return this.#pricing.ways.from(asset, this.currency).map(({ legs, stretches }) => ({
      hops: legs.map(({ prices, inverse }) => ({ leg: this.#legFor(prices), inverse })),
      stretches,
    }));
  }

  #legFor(prices: PairPrices): Leg {
    const known = this.#legOf.get(prices);
    const mark = new PairMark(prices, this.#pricing.marking);
    const leg = known ?? { prices, version: -1, at: Number.NaN, value: Number.NaN, mark, isFollowed: false };
    if (known === undefined) this.#legOf.set(prices, leg);
    return leg;
  }
}

/** True when it is worth something else now. */
function look(leg: Leg, now: number): boolean {
  const { prices, value: before } = leg;
  if (leg.version === prices.version && leg.at === now) return false;
  leg.value = prices.value() ?? Number.NaN;
  const isMarkedAnew = leg.mark.look(leg.value, now);
  leg.version = prices.version;
  leg.at = now;
  return isMarkedAnew || !Object.is(leg.value, before);
}

/** Of a rate that is up to date; the same object while it stands still. */
export function rangeOf(rate: Rate): RateRange | undefined {
  const { low, high } = rate;
  if (Object.is(low, rate.rangeLow) && Object.is(high, rate.rangeHigh)) return rate.range;
  rate.rangeLow = low;
  rate.rangeHigh = high;
  const [least, most] = [priceOf(low), low === high ? undefined : priceOf(high)];
  rate.range = least && { low: least, high: most ?? least };
  return rate.range;
}

/** What cannot be counted in steps of 10^-9 is no rate. */
function priceOf(float: number): Price | undefined {
  const steps = Math.round(float * STEPS_PER_UNIT);
  return steps > 0 && Number.isSafeInteger(steps) ? Price.ofSteps(steps, DECIMALS) : undefined;
}
