// Judges each price of one reference of one pair before it is used. An invalid or implausible price is refused with a
// named reason; after several refusals in a row the source is bad until as many good prices have come. A jump is held
// back until a second source confirms it or it has lasted for a while. A refused price is never replaced by another.

import type { PairSymbol } from "../domain/asset.ts";
import type { Quote } from "../domain/quote.ts";
import type { Moment } from "./moment.ts";
import { type Band, type Refusal, whyBeyond, whyNoQuote, whyNotIn } from "./refusal.ts";
import type { Seen, SourcePrice } from "./source-price.ts";

export type GuardSettings = {
  /** The plausible range of a pair's price, configured by hand. */
  readonly bands: ReadonlyMap<PairSymbol, Band>;
  /** Sources that only check others and are not prices: other prices must be near their last value. */
  readonly anchors: ReadonlySet<string>;
  readonly anchorBps: number;
  /** The anchor that each pair should have. */
  readonly measuredBy: ReadonlyMap<PairSymbol, string>;
  readonly anchorAgeMsMax: number;
  /** Sources that report one price instead of a bid and an ask. */
  readonly onePrice: ReadonlySet<string>;
  /** The number of consecutive refusals that make a source bad, and of consecutive good prices that restore it. */
  readonly strikesMax: number;
  /** A jump: a change of more than this within a second ... */
  readonly leapBps: number;
  /** ... or of more than this many robust deviations, scaled to the elapsed time. */
  readonly leapDeviations: number;
  /** The lower bound of the deviation per second. */
  readonly deviationBpsMin: number;
  readonly holdMs: number;
  /** Prices within this distance of each other count as equal. */
  readonly agreeBps: number;
  /** The maximum age of a confirming second source. */
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
/** The number of prices needed before their deviation is meaningful. */
const WARM_UP = 20;
/** The relative step of the running median of changes. */
const MEDIAN_STEP = 0.05;
/** Converts the median of absolute changes to a standard deviation, for a normal distribution. */
const TO_DEVIATION = 1.4826;

export class Guard {
  readonly price: SourcePrice;
  /** The problem of the last price; undefined after a good one. */
  refusal: Refusal | undefined = undefined;
  /** Consecutive refusals; a bad source keeps its count until it is good again. */
  strikes = 0;
  isBad = false;
  /** When a valid price was last received, regardless of its own timestamp. */
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
      // Overtaken by a newer one. Only the source's own times are compared, because our clock may differ.
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
    // Checked after the price's own jump, so that a simultaneous jump of both is held once and not twice in sequence.
    const fault = this.#around.legFault(quote, false);
    if (fault !== undefined) {
      // Other sources then compare with its current price and not with a jump that it took back.
      if (this.#isNear(mid, this.#mid)) this.#heldMid = Number.NaN;
      return this.#withhold(fault);
    }
    this.#accept(mid, receivedAt);
    if (!this.price.isProven) this.#prove(mid);
    return this.price.set(quote);
  }

  /** Once it was near an independent measure, its own last price is sufficient. */
  #prove(mid: number): void {
    const reach = this.#settings.anchorBps / 1e4;
    this.price.isProven = this.#isMeasured() || Math.abs(mid / this.#around.measure() - 1) <= reach;
  }

  /** Whether a band or a daily rate limits every price. */
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

  /**
   * Without a measure its own last price is one: a tenfold change is a different unit and not a jump, however long it
   * lasts.
   */
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
      // Below half of the last price, a different unit is the likelier cause.
      if (bid > this.#mid / 2) this.price.claim(quote);
    } else if (refusal === "locked") this.price.seen = "crossed";
    return false;
  }

  #isHeld(mid: number, now: number): boolean {
    if (!Number.isNaN(this.#heldMid)) {
      // Back at the earlier price: it was an outlier and is over.
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
    // This threshold is scaled too, because a source polled every two seconds can also jump.
    if (change > this.#settings.leapBps * reach) return true;
    return this.#seen >= WARM_UP && change > this.#settings.leapDeviations * this.#deviationBps() * reach;
  }

  #deviationBps(): number {
    return Math.max(this.#settings.deviationBpsMin, this.#median * TO_DEVIATION);
  }

  /** True if another source has a fresh price this near, or holds one: both jumped together. */
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
    // Accepted jumps do not enter the median, so that jumps do not become normal.
    if (!Number.isNaN(change) && Number.isNaN(this.#heldMid))
      this.#median *= change > this.#median ? 1 + MEDIAN_STEP : 1 - MEDIAN_STEP;
    // The lower bound keeps the first move after an unchanged price from counting as a jump.
    this.#median = Math.max(this.#median, this.#settings.deviationBpsMin / TO_DEVIATION);
    if (this.#seen < WARM_UP) this.#seen++;
    this.#mid = mid;
    this.#midAt = now;
    this.#heldMid = Number.NaN;
    this.#heldAt = Number.NaN;
  }
}

/** The anchor's rate of its pair; NaN if there is none or it is too old. */
export function dailyRate(anchor: SourcePrice | undefined, now: number, ageMsMax: number): number {
  const isFresh = anchor?.seen === "good" && now - anchor.since <= ageMsMax;
  return isFresh ? (anchor.bid + anchor.ask) / 2 : Number.NaN;
}

export type LegFault = Exclude<Seen, "good" | "unreadable">;

/** `guards`: those of all its references. */
type GuardedPair = {
  readonly symbol: PairSymbol;
  readonly anchor: SourcePrice | undefined;
  readonly guards: readonly Guard[];
};

type GuardSurroundings = {
  readonly moment: Moment;
  /** The pair's price by the venue or by par; NaN if there is neither. */
  readonly measure: () => number;
  /**
   * The fault of a pair that this price is derived from, as reported by its source; undefined if all legs are trusted.
   * `isNone`: there is no price, and a missing, old or frozen leg may be the cause.
   */
  readonly legFault: (quote: Quote, isNone: boolean) => LegFault | undefined;
};
