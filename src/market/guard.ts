// Judges each price of one reference of one pair before it is used. A price that cannot be one is refused by name,
// and so is what its pair cannot cost; three in a row, and the source is bad until as many good ones have come. A leap is
// held back until a second source has made it too, or it has stood for a while. Nothing is ever put in its place.

import type { PairSymbol } from "../domain/asset.ts";
import type { Quote } from "../domain/quote.ts";
import type { Moment } from "./moment.ts";
import { type Band, type Refusal, whyBeyond, whyNoQuote, whyNotIn } from "./refusal.ts";
import type { Seen, SourcePrice } from "./source-price.ts";

export type GuardSettings = {
  /** What a price of the pair can be, set by hand. */
  readonly bands: ReadonlyMap<PairSymbol, Band>;
  /** Sources that are measures and no prices: others must be near their last word. */
  readonly anchors: ReadonlySet<string>;
  readonly anchorBps: number;
  /** Which of them a pair should have. */
  readonly measuredBy: ReadonlyMap<PairSymbol, string>;
  readonly anchorAgeMsMax: number;
  /** Sources that have one price where others have a bid and an ask. */
  readonly onePrice: ReadonlySet<string>;
  /** Refused in a row until a source is bad, and good ones in a row until it is not. */
  readonly strikesMax: number;
  /** A leap: more than this within a second ... */
  readonly leapBps: number;
  /** ... or more than so many robust deviations, scaled to the time that has passed. */
  readonly leapDeviations: number;
  /** Deviations are not taken for smaller than this, in a second. */
  readonly deviationBpsMin: number;
  readonly holdMs: number;
  /** Two prices this near to each other are one. */
  readonly agreeBps: number;
  /** A second source must be no older. */
  readonly ageMsMax: number;
};

export const GUARD_DEFAULTS: Omit<GuardSettings, "agreeBps" | "ageMsMax"> = {
  bands: new Map(),
  anchors: new Set(),
  anchorBps: 500,
  measuredBy: new Map(),
  // Over Easter there is no rate from Thursday to Tuesday afternoon.
  anchorAgeMsMax: 6 * 86_400_000,
  onePrice: new Set(),
  strikesMax: 3,
  leapBps: 100,
  leapDeviations: 10,
  deviationBpsMin: 1,
  holdMs: 10_000,
};

const SECOND_MS = 1_000;
const TENFOLD = 10;
/** So many prices are seen before their deviation means something. */
const WARM_UP = 20;
/** A step of the running median of changes, as a part of it. */
const MEDIAN_STEP = 0.05;
/** From the median of absolute changes to a standard deviation, for a normal distribution. */
const TO_DEVIATION = 1.4826;

/** Stands between a reference and its price. */
export class Guard {
  readonly price: SourcePrice;
  /** What was wrong with the last price; undefined after a good one. */
  refusal: Refusal | undefined = undefined;
  /** Refused in a row; a bad source has as many as it takes, until it is good again. */
  strikes = 0;
  isBad = false;
  /** When a price that is one was last received, whatever time it has itself. */
  heardAt = Number.NEGATIVE_INFINITY;
  readonly #settings: GuardSettings;
  readonly #moment: Moment;
  readonly #band: Band | undefined;
  readonly #onePrice: boolean;
  readonly #prices: GuardedPair;
  readonly #around: GuardSurroundings;
  #good = 0;
  #seen = 0;
  // Floats from the start, so that writing them allocates nothing.
  #mid = Number.NaN;
  #midAt = Number.NaN;
  #saidAt = Number.NEGATIVE_INFINITY;
  #median = 0.5;
  #heldMid = Number.NaN;
  #heldAt = Number.NaN;

  constructor(price: SourcePrice, prices: GuardedPair, settings: GuardSettings, around: GuardSurroundings) {
    this.price = price;
    price.isProven = false;
    this.#settings = settings;
    this.#moment = around.moment;
    this.#band = settings.bands.get(prices.symbol);
    this.#onePrice = settings.onePrice.has(price.name);
    this.#prices = prices;
    this.#around = around;
    this.#median = settings.deviationBpsMin / TO_DEVIATION;
  }

  take(quote: Quote): boolean {
    const { bid, ask, at, receivedAt } = quote;
    const mid = (bid + ask) / 2;
    const refusal = whyNoQuote(bid, ask, this.#onePrice) ?? this.#whyImplausible(mid);
    if (refusal !== undefined) {
      const without = Number.isNaN(mid) ? this.#around.legFault(quote, true) : undefined;
      return without === undefined ? this.#refuse(refusal, quote) : this.#withhold(without);
    }
    if (at !== undefined) {
      // Overtaken on the way by a newer one. Only the source's own times are compared: our clock may be another.
      const said = at < receivedAt ? at : receivedAt;
      if (said < this.#saidAt) return false;
      this.#saidAt = said;
    }
    this.heardAt = receivedAt;
    this.refusal = undefined;
    if (this.isBad && ++this.#good < this.#settings.strikesMax) return false;
    this.isBad = false;
    this.strikes = 0;
    this.#good = 0;
    if (this.#isHeld(mid, receivedAt)) {
      this.price.claim(quote);
      return this.#hold(mid, receivedAt);
    }
    // After its own leap, so that a leap of both is waited for once and not one time after the other.
    const fault = this.#around.legFault(quote, false);
    if (fault !== undefined) {
      // Siblings compare with its price of now, and no longer with a leap that it went back on.
      if (this.#isNear(mid, this.#mid)) this.#heldMid = Number.NaN;
      return this.#withhold(fault);
    }
    this.#accept(mid, receivedAt);
    if (!this.price.isProven) this.#prove(mid);
    return this.price.set(quote);
  }

  /** Once it was near to something else its own last price is measure enough. */
  #prove(mid: number): void {
    const reach = this.#settings.anchorBps / 1e4;
    this.price.isProven = this.#isMeasured() || Math.abs(mid / this.#around.measure() - 1) <= reach;
  }

  /** By the band or the daily rate that every price of it has to be near. */
  #isMeasured(): boolean {
    return this.#band !== undefined || !Number.isNaN(this.#dailyRate());
  }

  #whyImplausible(mid: number): Refusal | undefined {
    const measure = this.#dailyRate();
    const beyond = whyBeyond(mid, this.#band, measure, this.#settings.anchorBps);
    return beyond === undefined && Number.isNaN(measure) ? this.#whyOtherUnit(mid) : beyond;
  }

  #dailyRate(): number {
    return dailyRate(this.#prices.anchor, this.#moment.now, this.#settings.anchorAgeMsMax);
  }

  /** Without a measure its own last price is one: what is ten times as much is no leap, however long it stands. */
  #whyOtherUnit(mid: number): Refusal | undefined {
    const low = this.#mid / TENFOLD;
    const high = this.#mid * TENFOLD;
    return mid < low || mid > high ? whyNotIn(mid, { low, high }) : undefined;
  }

  #refuse(refusal: Refusal, quote: Quote): false {
    const { bid, ask } = quote;
    this.refusal = refusal;
    this.strikes++;
    this.#good = 0;
    if (this.strikes >= this.#settings.strikesMax) this.isBad = true;
    const isImplausible = refusal !== "locked" && whyNoQuote(bid, ask, true) === undefined;
    this.price.spoil(bid, ask);
    if (isImplausible) {
      this.price.seen = "implausible";
      // Where it is less than half of the last price, another unit is the likelier reason.
      if (bid > this.#mid / 2) this.price.claim(quote);
    } else if (refusal === "locked") this.price.seen = "crossed";
    return false;
  }

  #isHeld(mid: number, now: number): boolean {
    if (!Number.isNaN(this.#heldMid)) {
      // Back where it was before: it was a slip, and is over.
      if (this.#isNear(mid, this.#mid)) return false;
      const hasStood = this.#isNear(mid, this.#heldMid) && now - this.#heldAt >= this.#settings.holdMs;
      return !hasStood && !this.#isShared(mid);
    }
    return this.#isLeap(mid, now) && !this.#isShared(mid);
  }

  #isLeap(mid: number, now: number): boolean {
    const change = Math.abs(mid / this.#mid - 1) * 1e4;
    const seconds = Math.max(1, (now - this.#midAt) / SECOND_MS);
    const reach = Math.sqrt(seconds);
    // Scaled as well: a source that is asked every two seconds leaps too.
    if (change > this.#settings.leapBps * reach) return true;
    return this.#seen >= WARM_UP && change > this.#settings.leapDeviations * this.#deviationBps() * reach;
  }

  #deviationBps(): number {
    return Math.max(this.#settings.deviationBpsMin, this.#median * TO_DEVIATION);
  }

  /** Another source has a fresh price as near, or holds one: two that leapt together. */
  #isShared(mid: number): boolean {
    const { ageMsMax } = this.#settings;
    for (const other of this.#prices.guards) {
      if (other === this || other.price.origin === this.price.origin) continue;
      const { price } = other;
      const isFresh = price.seen === "good" && this.#moment.now - price.since <= ageMsMax;
      if (isFresh && this.#isNear(mid, (price.bid + price.ask) / 2)) return true;
      if (price.seen === "held" && this.#moment.now - other.heardAt <= ageMsMax && this.#isNear(mid, other.#heldMid))
        return true;
    }
    return false;
  }

  #isNear(one: number, other: number): boolean {
    return Math.abs(one / other - 1) * 1e4 <= this.#settings.agreeBps;
  }

  #hold(mid: number, now: number): false {
    if (!this.#isNear(mid, this.#heldMid)) {
      this.#heldMid = mid;
      this.#heldAt = now;
    }
    return this.#withhold("held");
  }

  #withhold(seen: LegFault): false {
    this.refusal = undefined;
    this.price.forget();
    this.price.seen = seen;
    return false;
  }

  #accept(mid: number, now: number): void {
    const seconds = Math.max(1, (now - this.#midAt) / SECOND_MS);
    const change = (Math.abs(mid / this.#mid - 1) * 1e4) / Math.sqrt(seconds);
    // Leaps that were accepted do not teach that leaps are usual.
    if (!Number.isNaN(change) && Number.isNaN(this.#heldMid))
      this.#median *= change > this.#median ? 1 + MEDIAN_STEP : 1 - MEDIAN_STEP;
    // A standing price must not make its next step a leap.
    this.#median = Math.max(this.#median, this.#settings.deviationBpsMin / TO_DEVIATION);
    if (this.#seen < WARM_UP) this.#seen++;
    this.#mid = mid;
    this.#midAt = now;
    this.#heldMid = Number.NaN;
    this.#heldAt = Number.NaN;
  }
}

/** What an anchor says of its pair; NaN where there is none, or it is too old. */
export function dailyRate(anchor: SourcePrice | undefined, now: number, ageMsMax: number): number {
  const isFresh = anchor?.seen === "good" && now - anchor.since <= ageMsMax;
  return isFresh ? (anchor.bid + anchor.ask) / 2 : Number.NaN;
}

export type LegFault = Exclude<Seen, "good" | "unreadable">;

/** `guards`: of all its references. */
type GuardedPair = {
  readonly symbol: PairSymbol;
  readonly anchor: SourcePrice | undefined;
  readonly guards: readonly Guard[];
};

type GuardSurroundings = {
  readonly moment: Moment;
  /** What else says what the pair costs: the venue, par. NaN where nothing does. */
  readonly measure: () => number;
  /**
   * What its source reported of a pair that this price is worked out from, and was not believed; undefined where all of it is.
   * `isNone`: there is no price, for which a leg that is missing, old or frozen may be the reason.
   */
  readonly legFault: (quote: Quote, isNone: boolean) => LegFault | undefined;
};
