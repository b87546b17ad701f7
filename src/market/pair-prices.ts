// The prices of one pair as they were last seen: the venue's own quote and that of each reference, in place. A quote that
// cannot be one (not finite, not positive, crossed) makes its source unusable until the next good one.

import type { PairSymbol } from "../domain/asset.ts";
import { invariant } from "../domain/invariant.ts";
import type { Quote } from "../domain/quote.ts";

const SOURCES_MAX = 16;

export type Seen = "nothing" | "good" | "crossed" | "unreadable";

export class SourcePrice {
  readonly name: string;
  seen: Seen = "nothing";
  // Floats from the start, so that writing them allocates nothing.
  bid = Number.NaN;
  ask = Number.NaN;
  bidSize = Number.NaN;
  askSize = Number.NaN;
  /** The older of the source's time and ours. */
  since = Number.NaN;
  /** When bid or ask of a reference last moved. */
  changedAt = Number.NaN;

  constructor(name: string) {
    this.name = name;
  }

  copy(): SourcePrice {
    return Object.assign(new SourcePrice(this.name), this);
  }

  /** True when the quote is good: two finite, positive prices that are not crossed. */
  set(quote: Quote): boolean {
    const { bid, ask, receivedAt, at } = quote;
    if (!(bid > 0 && bid <= ask && ask < Number.POSITIVE_INFINITY)) return this.spoil(bid, ask);
    if (bid !== this.bid || ask !== this.ask) this.changedAt = receivedAt;
    this.bid = bid;
    this.ask = ask;
    this.bidSize = quote.bidSize ?? Number.NaN;
    this.askSize = quote.askSize ?? Number.NaN;
    this.since = at !== undefined && at < receivedAt ? at : receivedAt;
    this.seen = "good";
    return true;
  }

  /** No price until the next good one. */
  spoil(bid: number, ask: number): false {
    this.seen = bid > ask && ask > 0 && bid < Number.POSITIVE_INFINITY ? "crossed" : "unreadable";
    return false;
  }
}

export class PairPrices {
  readonly symbol: PairSymbol;
  /** Where par is a source: the band around it that the venue's mid must keep. */
  readonly parBandBps: number | undefined;
  readonly venue = new SourcePrice("venue");
  readonly references: SourcePrice[] = [];

  constructor(symbol: PairSymbol, parBandBps: number | undefined) {
    this.symbol = symbol;
    this.parBandBps = parBandBps;
  }

  /** True when the quote is good. */
  observe(quote: Quote): boolean {
    return quote.source === "venue" ? this.venue.set(quote) : this.#reference(quote.source).set(quote);
  }

  #reference(name: string): SourcePrice {
    for (const known of this.references) if (known.name === name) return known;
    invariant(this.references.length < SOURCES_MAX, `${this.symbol} must have at most ${SOURCES_MAX} references`);
    const added = new SourcePrice(name);
    this.references.push(added);
    return added;
  }
}
