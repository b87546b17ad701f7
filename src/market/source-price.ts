// The last price of one source of one pair, updated in place. A quote that is no price, or outside the pair's band,
// makes the source unusable until the next good one; no other price stands in for it.

import type { Quote } from "../domain/quote.ts";
import { type Band, type Refusal, whyNoQuote, whyNotIn } from "./refusal.ts";

/** `implausible`: outside the band of its pair. */
export type Seen = "nothing" | "good" | "crossed" | "unreadable" | "implausible";

/** Two finite, positive prices that are not crossed. */
export function isGood(bid: number, ask: number): boolean {
  return bid > 0 && bid <= ask && ask < Number.POSITIVE_INFINITY;
}

export class SourcePrice {
  readonly name: string;
  /** The origin of its prices: two names of one origin are one source. */
  readonly origin: string;
  seen: Seen = "nothing";
  /** Why the last quote was not taken. */
  refusal: Refusal | undefined = undefined;
  // Floats from the start, so that writing them allocates nothing.
  bid = Number.NaN;
  ask = Number.NaN;
  /** The older of the source's time and ours; NaN unless `seen` is good. */
  since = Number.NaN;
  /** The last value of `since` while that is NaN; minus infinity before the first. */
  lastAt = Number.NEGATIVE_INFINITY;
  /** It depends on a rate of two currencies, whose markets close, although its pair may not be one. */
  isOfTheWeek = false;
  /** Undefined if the source does not report it. */
  bidSize: number | undefined = undefined;
  askSize: number | undefined = undefined;
  private readonly band: Band | undefined;

  constructor(name: string, origin: string = name, band?: Band) {
    this.name = name;
    this.origin = origin;
    this.band = band;
  }

  /** True if the quote is good. */
  set(quote: Quote): boolean {
    const { bid, ask, receivedAt, at } = quote;
    this.refusal = whyNoQuote(bid, ask) ?? (this.band && whyNotIn((bid + ask) / 2, this.band));
    if (this.refusal !== undefined) return this.spoil(this.refusal);
    this.bid = bid;
    this.ask = ask;
    this.since = at !== undefined && at < receivedAt ? at : receivedAt;
    this.seen = "good";
    this.bidSize = quote.bidSize;
    this.askSize = quote.askSize;
    return true;
  }

  /** Unusable until the next good quote; equity still uses the last price. */
  private spoil(refusal: Refusal): false {
    if (!Number.isNaN(this.since)) this.lastAt = this.since;
    this.since = Number.NaN;
    this.seen = refusal === "outside its band" ? "implausible" : refusal === "crossed" ? "crossed" : "unreadable";
    return false;
  }
}
