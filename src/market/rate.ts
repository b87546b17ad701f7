// What one unit of an asset is worth in the currency that limits are counted in, over pairs that lead there and have a source
// of their own. The shortest route counts whose pairs all have a fair value now; others as short must agree with it. Which
// it is depends on what prices say, never on which was heard first.

import type { Asset } from "../domain/asset.ts";
import { emptyList } from "../domain/empty-list.ts";
import { Price } from "../domain/money/money.ts";
import { LEGS_MAX, overStretch, type Stretch } from "./cross.ts";
import type { Moment } from "./moment.ts";
import type { PairPrices } from "./pair-prices.ts";
import type { Pricing } from "./pricing.ts";

const DECIMALS = 9;
const STEPS_PER_UNIT = 10 ** DECIMALS;

/** What a pair was worth when it was looked at, and how long it stays so while none of its prices is heard. */
type Leg = {
  readonly prices: PairPrices;
  /** Of its prices. */
  version: number;
  until: number;
  /** NaN is unknown. */
  value: number;
  /** The last version of rates that needed it. */
  ratesVersion: number;
};
export type Hop = { readonly leg: Leg; readonly inverse: boolean };
type Route = { readonly hops: readonly Hop[]; readonly stretches: readonly Stretch[] };
/** Prices that a rate lies between, both included. */
export type RateRange = { readonly low: Price; readonly high: Price };

/** How far `near` reaches to both sides, and the steps that its ends are multiples of. */
const NEAR = 5e-3;
const NEAR_GRID = 1_000;

/** Of one asset, always the same object; what it says holds while its version is that of all rates. */
export type Rate = {
  readonly asset: Asset;
  version: number;
  /** When its routes were looked for. */
  layout: number;
  /** Shortest first, else by name. */
  routes: readonly Route[];
  /** NaN where there is none. */
  float: number;
  /** The float that `steps` was made of. */
  stepsOf: number;
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
  readonly #moment: Moment;
  readonly #rates = new Map<Asset, Rate>();
  /** Asked for last: rules ask for the same again and again. */
  #last: Rate | undefined = undefined;
  readonly #legOf = new Map<PairPrices, Leg>();
  readonly #legValues = new Float64Array(LEGS_MAX);
  /** Those that the rates of this version were worked out over: no others are followed. */
  readonly #legs = emptyList<Leg>();
  #version = 0;
  /** What the version is of, and how long it holds if no price is heard. */
  #prices = -1;
  #layout = -1;
  #now = Number.NaN;
  #until = Number.NEGATIVE_INFINITY;

  constructor(pricing: Pricing, currency: Asset) {
    this.#pricing = pricing;
    this.#moment = pricing.moment;
    this.currency = currency;
  }

  /** Stands still while no rate changes: most prices that are heard leave every pair at the worth that it had. */
  get version(): number {
    const { prices, now } = this.#moment;
    if (prices !== this.#prices || !(now < this.#until || now === this.#now)) this.#look();
    return this.#version;
  }

  #look(): void {
    const { prices, now } = this.#moment;
    const { layout } = this.#pricing;
    let isOther = layout !== this.#layout;
    let until = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#legs.length; i++) {
      const leg = this.#legs[i] as Leg;
      if (!isSteady(leg, now) && look(leg)) isOther = true;
      if (leg.until < until) until = leg.until;
    }
    this.#prices = prices;
    this.#layout = layout;
    this.#now = now;
    this.#until = isOther ? Number.POSITIVE_INFINITY : until;
    if (!isOther) return;
    this.#version++;
    this.#legs.length = 0;
  }

  /** Up to date. */
  of(asset: Asset): Rate {
    return this.fresh(this.rateOf(asset));
  }

  /** For who keeps it, and asks `fresh` for it when it is needed: a rate that nobody needs is not followed. */
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
    const { float } = this.of(asset);
    return Number.isNaN(float) ? undefined : float;
  }

  exact(asset: Asset): Price | undefined {
    return this.point(asset)?.low;
  }

  /** The exact rate as a range of one price; the same object while it stands still. */
  point(asset: Asset): RateRange | undefined {
    return pointOf(this.of(asset));
  }

  /** A range that the exact rate lies in, the same object while it does: what holds for all of it needs no working out anew. */
  near(asset: Asset): RateRange | undefined {
    return this.nearOf(this.of(asset));
  }

  nearOf(rate: Rate): RateRange | undefined {
    if (rate.asset === this.currency) return pointOf(rate);
    const steps = stepsOf(rate);
    if (steps < 0) return undefined;
    if (steps < rate.lowSteps || steps > rate.highSteps) {
      const reach = Math.floor(steps * NEAR);
      // Shorter by less than a millionth where that is little: amounts at prices of few digits are worked out in less time.
      const grid = reach > 10 * NEAR_GRID ? NEAR_GRID : 1;
      rate.lowSteps = Math.ceil((steps - reach) / grid) * grid;
      rate.highSteps = Math.min(Math.floor((steps + reach) / grid) * grid, Number.MAX_SAFE_INTEGER);
      rate.near = { low: Price.ofSteps(rate.lowSteps, DECIMALS), high: Price.ofSteps(rate.highSteps, DECIMALS) };
    }
    return rate.near;
  }

  #work(rate: Rate, version: number): void {
    if (rate.layout !== this.#layout) {
      rate.routes = this.#routesOf(rate.asset);
      rate.layout = this.#layout;
    }
    rate.float = this.#over(rate.routes, version);
    rate.version = version;
  }

  /**
   * Not the freshest or narrowest of the shortest: that changes with every price, and each change would move all limits by
   * what routes are apart. Each leg is fresh and agreed on by itself, or has no value.
   */
  #over(routes: readonly Route[], version: number): number {
    let rate = Number.NaN;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    let length = Number.POSITIVE_INFINITY;
    for (let i = 0; i < routes.length; i++) {
      const route = routes[i] as Route;
      if (route.hops.length > length) break;
      const value = this.#along(route, version);
      if (Number.isNaN(value)) continue;
      if (length > route.hops.length) rate = value;
      length = route.hops.length;
      if (value < lowest) lowest = value;
      if (value > highest) highest = value;
    }
    return ((highest - lowest) / rate) * 1e4 <= this.#pricing.disagreementBpsMax ? rate : Number.NaN;
  }

  /** NaN where a leg has no value: then the others need not be followed. So where they make of a pair what it cannot cost. */
  #along({ hops, stretches }: Route, version: number): number {
    let rate = 1;
    for (let i = 0; i < hops.length; i++) {
      const { leg, inverse } = hops[i] as Hop;
      if (leg.ratesVersion !== version) this.#follow(leg, version);
      if (Number.isNaN(leg.value)) return Number.NaN;
      this.#legValues[i] = leg.value;
      rate = inverse ? rate / leg.value : rate * leg.value;
    }
    for (let i = 0; i < stretches.length; i++) {
      const stretch = stretches[i] as Stretch;
      if (this.#pricing.isBeyond(stretch, overStretch(stretch, hops, this.#legValues))) return Number.NaN;
    }
    return rate;
  }

  #follow(leg: Leg, version: number): void {
    if (!isSteady(leg, this.#moment.now)) look(leg);
    leg.ratesVersion = version;
    this.#legs.push(leg);
    if (leg.until < this.#until) this.#until = leg.until;
  }

  #added(asset: Asset): Rate {
    const made: Rate = {
      asset,
      version: -1,
      layout: -1,
      routes: [],
      float: Number.NaN,
      stepsOf: Number.NaN,
      steps: -1,
      pointSteps: -1,
      point: undefined,
      lowSteps: Number.POSITIVE_INFINITY,
      highSteps: Number.NEGATIVE_INFINITY,
      near: undefined,
    };
    this.#rates.set(asset, made);
    return made;
  }

  #routesOf(asset: Asset): readonly Route[] {
    if (asset === this.currency) return [{ hops: [], stretches: [] }];
    return this.#pricing.ways(asset, this.currency).map(({ legs, stretches }) => ({
      hops: legs.map(({ prices, inverse }) => ({ leg: this.#legFor(prices), inverse })),
      stretches,
    }));
  }

  #legFor(prices: PairPrices): Leg {
    const known = this.#legOf.get(prices);
    const never = Number.NEGATIVE_INFINITY;
    const leg = known ?? { prices, version: -1, until: never, value: Number.NaN, ratesVersion: -1 };
    if (known === undefined) this.#legOf.set(prices, leg);
    return leg;
  }
}

function isSteady({ version, prices, until }: Leg, now: number): boolean {
  return version === prices.version && now < until;
}

/** True when it is worth something else now. */
function look(leg: Leg): boolean {
  const { worth, version } = leg.prices;
  const before = leg.value;
  leg.value = worth.value() ?? Number.NaN;
  leg.until = worth.steadyUntil();
  leg.version = version;
  return !Object.is(leg.value, before);
}

/** The exact rate as a range of one price, of a rate that is up to date. */
export function pointOf(rate: Rate): RateRange | undefined {
  const steps = stepsOf(rate);
  if (steps !== rate.pointSteps) {
    const price = steps > 0 ? Price.ofSteps(steps, DECIMALS) : undefined;
    rate.point = price && { low: price, high: price };
    rate.pointSteps = steps;
  }
  return rate.point;
}

/** What cannot be told in steps is no rate. */
function stepsOf(rate: Rate): number {
  if (rate.float !== rate.stepsOf) {
    const steps = Math.round(rate.float * STEPS_PER_UNIT);
    rate.steps = steps > 0 && Number.isSafeInteger(steps) ? steps : -1;
    rate.stepsOf = rate.float;
  }
  return rate.steps;
}
