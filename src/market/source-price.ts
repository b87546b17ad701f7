// The last price of one source of one pair, updated in place. An invalid quote (not finite, not positive, crossed)
// makes the source unusable until the next good one.

import type { Quote } from "../domain/quote.ts";
import type { QuoteColumns } from "./column.ts";

/**
 * `implausible`: outside the plausible range of its pair; `held`: a jump that is not confirmed yet; `frozen`, `stale`:
 * no price, because a pair that it is derived from is frozen or old.
 */
export type Seen = "nothing" | "good" | "crossed" | "unreadable" | "implausible" | "held" | "frozen" | "stale";

const NO_COLUMNS = Object.freeze({ bidSize: new Float64Array(0), askSize: new Float64Array(0) });

/** Two finite, positive prices that are not crossed. */
export function isGood(bid: number, ask: number): boolean {
  return bid > 0 && bid <= ask && ask < Number.POSITIVE_INFINITY;
}

export class SourcePrice {
  readonly name: string;
  /** The origin of its prices: two names of one origin are one source. */
  readonly origin: string;
  seen: Seen = "nothing";
  // Floats from the start, so that writing them allocates nothing.
  bid = Number.NaN;
  ask = Number.NaN;
  /** The older of the source's time and ours; NaN unless `seen` is good. */
  since = Number.NaN;
  /** The last value of `since` while that is NaN; minus infinity before the first. */
  lastAt = Number.NEGATIVE_INFINITY;
  /** A price that the guard holds back, and the first and last time it was reported without a good price in between. */
  claimedBid = Number.NaN;
  claimedAsk = Number.NaN;
  claimedSince = Number.NaN;
  claimedAt = Number.NaN;
  /** When bid or ask of a reference last moved, and the maximum time it is trusted without a move. */
  changedAt = Number.NaN;
  frozenMsMax = Number.POSITIVE_INFINITY;
  /** It depends on a rate of two currencies, whose markets close, although its pair may not be one. */
  isOfTheWeek = false;
  /** Set to false by a guard until the price was checked against a measure. */
  isProven = true;
  // While columns are processed, sizes stay in them and are read at `row` on demand, because they lie in memory that
  // nothing else reads. -1 selects the own sizes.
  sizes: Pick<QuoteColumns, "bidSize" | "askSize"> = NO_COLUMNS;
  row = -1;
  private ownBidSize = Number.NaN;
  private ownAskSize = Number.NaN;

  constructor(name: string, origin: string = name) {
    this.name = name;
    this.origin = origin;
  }

  /** NaN if the source does not report it. */
  get bidSize(): number {
    return this.row < 0 ? this.ownBidSize : (this.sizes.bidSize[this.row] as number);
  }

  get askSize(): number {
    return this.row < 0 ? this.ownAskSize : (this.sizes.askSize[this.row] as number);
  }

  copy(): SourcePrice {
    return Object.assign(new SourcePrice(this.name, this.origin), this);
  }

  /** True if the quote is good: two finite, positive prices that are not crossed. */
  set(quote: Quote): boolean {
    const { bid, ask, receivedAt, at } = quote;
    if (!isGood(bid, ask)) return this.spoil(bid, ask);
    if (bid !== this.bid || ask !== this.ask) this.changedAt = receivedAt;
    this.bid = bid;
    this.ask = ask;
    this.since = at !== undefined && at < receivedAt ? at : receivedAt;
    this.seen = "good";
    this.claimedSince = Number.NaN;
    this.setSizes(quote);
    return true;
  }

  setSizes({ bidSize, askSize }: Pick<Quote, "bidSize" | "askSize">): void {
    this.ownBidSize = bidSize ?? Number.NaN;
    this.ownAskSize = askSize ?? Number.NaN;
    this.row = -1;
  }

  /** Copies the sizes from the columns. */
  keepSizes(): void {
    this.setSizes(this);
    this.sizes = NO_COLUMNS;
  }

  /** The last price can no longer be traded on; equity still uses it. */
  forget(): void {
    if (!Number.isNaN(this.since)) this.lastAt = this.since;
    this.since = Number.NaN;
  }

  claim({ bid, ask, receivedAt }: Pick<Quote, "bid" | "ask" | "receivedAt">): void {
    if (Number.isNaN(this.claimedSince)) this.claimedSince = receivedAt;
    this.claimedAt = receivedAt;
    this.claimedBid = bid;
    this.claimedAsk = ask;
  }

  /** Marks the price as unusable until the next good one. */
  spoil(bid: number, ask: number): false {
    this.forget();
    this.seen = bid > ask && ask > 0 && bid < Number.POSITIVE_INFINITY ? "crossed" : "unreadable";
    return false;
  }
}
