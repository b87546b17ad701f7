// The value of one unit of an asset in the currency of the limits, over pairs that lead there and have their own
// source. The rate is at fair value: the shortest route counts whose pairs all have one now, and others of the same
// length must agree with it. The mark needs no fair value: it is the lowest and the highest value by the last known
// prices of the shortest routes.

import type { Asset } from "../domain/asset.ts";
import { Price } from "../domain/money/money.ts";
import type { Way } from "./cross.ts";
import { PairMark } from "./mark.ts";
import type { PairPrices } from "./pair-prices.ts";
import type { Pricing } from "./pricing.ts";

const DECIMALS = 9;
const STEPS_PER_UNIT = 10 ** DECIMALS;
/** Floats between these are rates, and rounding them to steps moves them by at most one. */
const RATE_MIN = 1 / STEPS_PER_UNIT;
const RATE_MAX = 9e6;
export const RATE_DOUBT = 1 / STEPS_PER_UNIT;

/** A pair's value at its last look. `version`: of its prices; `value`: fair, NaN if unknown. */
type Leg = { readonly prices: PairPrices; readonly mark: PairMark; version: number; at: number; value: number };

/**
 * The lowest and the highest value of one unit: owned amounts count at the one, exposed or owed amounts at the other.
 */
export type RateRange = { readonly low: Price; readonly high: Price };
export type Mark = { readonly price: Price; readonly ageMs: number };

/** Valid while `version` is that of all rates. `at`: when the oldest price in it was received. `range`: null until it is needed. */
type Marked = {
  version: number;
  readonly low: number;
  readonly high: number;
  at: number;
  range: RateRange | undefined | null;
};
type AtFair = { readonly version: number; readonly float: number; readonly exact: Price | undefined };

export class Rates {
  readonly currency: Asset;
  readonly #pricing: Pricing;
  readonly #routes = new Map<Asset, readonly Way<PairPrices>[]>();
  /** The legs that rates use; no others are looked at. */
  readonly #legs = new Map<PairPrices, Leg>();
  readonly #marks = new Map<Asset, Marked>();
  readonly #fairs = new Map<Asset, AtFair>();
  #version = 0;
  /** The inputs for which the version was computed. */
  #prices = -1;
  #layout = -1;
  #now = Number.NaN;

  constructor(pricing: Pricing, currency: Asset) {
    this.#pricing = pricing;
    this.currency = currency;
  }

  /** Unchanged while no rate and no mark changes. */
  get version(): number {
    const { moment, layout } = this.#pricing;
    const { prices, now } = moment;
    if (prices === this.#prices && now === this.#now) return this.#version;
    let isOther = layout !== this.#layout;
    if (isOther) this.#routes.clear();
    for (const leg of this.#legs.values()) if (look(leg, now)) isOther = true;
    this.#prices = prices;
    this.#layout = layout;
    this.#now = now;
    if (isOther) this.#version++;
    return this.#version;
  }

  /** For signals; undefined if there is none. */
  float(asset: Asset): number | undefined {
    const { float } = this.#fair(asset);
    return Number.isNaN(float) ? undefined : float;
  }

  exact(asset: Asset): Price | undefined {
    return this.#fair(asset).exact;
  }

  /** The mark, the same object while it is unchanged; undefined until all prices were received once. */
  range(asset: Asset): RateRange | undefined {
    const marked = this.#marked(asset);
    if (marked.range === null) marked.range = rangeOf(marked.low, marked.high);
    return marked.range;
  }

  /** The same as floats, within RATE_DOUBT of it; undefined where the exact one alone can tell. */
  floatRange(asset: Asset): { readonly low: number; readonly high: number } | undefined {
    const marked = this.#marked(asset);
    return marked.low >= RATE_MIN && marked.high <= RATE_MAX ? marked : undefined;
  }

  /** The value of one unit in equity, and the age of the oldest price in it. */
  mark(asset: Asset): Mark | undefined {
    const range = this.range(asset);
    return range && { price: range.low, ageMs: this.#pricing.moment.now - this.#marked(asset).at };
  }

  #fair(asset: Asset): AtFair {
    const { version } = this;
    const known = this.#fairs.get(asset);
    if (known?.version === version) return known;
    const float = this.#over(this.#routesOf(asset));
    const exact = known !== undefined && Object.is(float, known.float) ? known.exact : priceOf(float);
    const found = { version, float, exact };
    this.#fairs.set(asset, found);
    return found;
  }

  #marked(asset: Asset): Marked {
    const { version } = this;
    const known = this.#marks.get(asset);
    if (known?.version === version) return known;
    const { low, high, at } = this.#markOver(this.#routesOf(asset));
    if (known !== undefined && Object.is(low, known.low) && Object.is(high, known.high)) {
      known.version = version;
      known.at = at;
      return known;
    }
    const found: Marked = { version, low, high, at, range: null };
    this.#marks.set(asset, found);
    return found;
  }

  /**
   * The lowest and the highest over the shortest routes with known prices, so that a disagreement never raises the
   * value of holdings.
   */
  #markOver(routes: readonly Way<PairPrices>[]): Pick<Marked, "low" | "high" | "at"> {
    const found = { low: Number.NaN, high: Number.NaN, at: Number.POSITIVE_INFINITY };
    let length = Number.POSITIVE_INFINITY;
    for (const route of routes) {
      if (route.length > length) break;
      let [low, high, at] = [1, 1, Number.POSITIVE_INFINITY];
      for (const { prices, inverse } of route) {
        const { mark } = this.#leg(prices);
        low = inverse ? low / mark.high : low * mark.low;
        high = inverse ? high / mark.low : high * mark.high;
        at = Math.min(at, mark.at);
      }
      if (Number.isNaN(low + high)) continue;
      const isFirst = route.length < length;
      found.low = isFirst ? low : Math.min(found.low, low);
      found.high = isFirst ? high : Math.max(found.high, high);
      found.at = Math.min(found.at, at);
      length = route.length;
    }
    return found;
  }

  /**
   * Takes the first of the shortest routes, not the freshest or narrowest: that one changes with every price, and each
   * change would shift all limits by the distance between routes. Each leg is fresh and agreed on its own, or has no
   * value.
   */
  #over(routes: readonly Way<PairPrices>[]): number {
    let [rate, lowest, highest] = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    let length = Number.POSITIVE_INFINITY;
    for (const route of routes) {
      if (route.length > length) break;
      let value = 1;
      for (const { prices, inverse } of route)
        value = inverse ? value / this.#leg(prices).value : value * this.#leg(prices).value;
      if (Number.isNaN(value)) continue;
      if (length > route.length) rate = value;
      length = route.length;
      lowest = Math.min(lowest, value);
      highest = Math.max(highest, value);
    }
    return ((highest - lowest) / rate) * 1e4 <= this.#pricing.disagreementBpsMax ? rate : Number.NaN;
  }

  /** Shortest first, then by name. */
  #routesOf(asset: Asset): readonly Way<PairPrices>[] {
    const known =
      this.#routes.get(asset) ?? (asset === this.currency ? [[]] : this.#pricing.ways.from(asset, this.currency));
    this.#routes.set(asset, known);
    return known;
  }

  #leg(prices: PairPrices): Leg {
    const known = this.#legs.get(prices);
    if (known !== undefined) return known;
    const mark = new PairMark(prices, this.#pricing.marking, this.#pricing);
    const leg = { prices, mark, version: -1, at: Number.NaN, value: Number.NaN };
    look(leg, this.#pricing.moment.now);
    this.#legs.set(prices, leg);
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

function rangeOf(low: number, high: number): RateRange | undefined {
  const [least, most] = [priceOf(low), low === high ? undefined : priceOf(high)];
  return least && { low: least, high: most ?? least };
}

/** A value that cannot be counted in steps of 10^-9 is not a rate. */
function priceOf(float: number): Price | undefined {
  const steps = Math.round(float * STEPS_PER_UNIT);
  return steps > 0 && Number.isSafeInteger(steps) ? Price.ofSteps(steps, DECIMALS) : undefined;
}
