// The prices of one pair as they were last seen: the venue's own quote and that of each reference, in place. A quote that
// cannot be one (not finite, not positive, crossed) makes its source unusable until the next good one; references are
// judged by a guard on top of that.

import type { PairSymbol } from "../domain/asset.ts";
import { invariant } from "../domain/invariant.ts";
import type { Quote } from "../domain/quote.ts";
import type { QuoteColumns } from "./column.ts";
import type { Moment } from "./moment.ts";
import type { Refusal } from "./refusal.ts";

const SOURCES_MAX = 16;

/**
 * `implausible`: not what its pair can cost; `held`: a leap that nobody has confirmed yet; `frozen`, `stale`: none, because a pair
 * that it is worked out from stands still or is old.
 */
export type Seen = "nothing" | "good" | "crossed" | "unreadable" | "implausible" | "held" | "frozen" | "stale";

const NO_COLUMNS = Object.freeze({ bidSize: new Float64Array(0), askSize: new Float64Array(0) });

/** Two finite, positive prices that are not crossed. */
export function isGood(bid: number, ask: number): boolean {
  return bid > 0 && bid <= ask && ask < Number.POSITIVE_INFINITY;
}

export class SourcePrice {
  readonly name: string;
  /** Where its prices come from: two names of one origin are one source. */
  readonly origin: string;
  seen: Seen = "nothing";
  // Floats from the start, so that writing them allocates nothing.
  bid = Number.NaN;
  ask = Number.NaN;
  /** The older of the source's time and ours; NaN unless `seen` is good. */
  since = Number.NaN;
  /** What `since` was, where it is NaN now; minus infinity before the first. */
  lastAt = Number.NEGATIVE_INFINITY;
  /** A price that the guard holds back: what it is, and from when to when it was said without one that was good. */
  claimedBid = Number.NaN;
  claimedAsk = Number.NaN;
  claimedSince = Number.NaN;
  claimedAt = Number.NaN;
  /** When bid or ask of a reference last moved, and how long it is believed without. */
  changedAt = Number.NaN;
  frozenMsMax = Number.POSITIVE_INFINITY;
  /** It rests on a rate of two currencies, whose markets close, though its pair may not be one. */
  isOfTheWeek = false;
  /** A guard that has not yet measured it with anything else says no. */
  isProven = true;
  // Until the end of the columns that are run through, sizes stay in them and are read, at `row`, when they are asked for: they
  // lie in memory that nothing else is read from. -1 is the own ones.
  sizes: Pick<QuoteColumns, "bidSize" | "askSize"> = NO_COLUMNS;
  row = -1;
  private ownBidSize = Number.NaN;
  private ownAskSize = Number.NaN;

  constructor(name: string, origin: string = name) {
    this.name = name;
    this.origin = origin;
  }

  /** NaN where the source does not say. */
  get bidSize(): number {
    return this.row < 0 ? this.ownBidSize : (this.sizes.bidSize[this.row] as number);
  }

  get askSize(): number {
    return this.row < 0 ? this.ownAskSize : (this.sizes.askSize[this.row] as number);
  }

  copy(): SourcePrice {
    return Object.assign(new SourcePrice(this.name, this.origin), this);
  }

  /** True when the quote is good: two finite, positive prices that are not crossed. */
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

  /** What is read from columns becomes its own. */
  keepSizes(): void {
    this.setSizes(this);
    this.sizes = NO_COLUMNS;
  }

  /** Its last price is none to trade by any more; equity still counts with it. */
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

  /** No price until the next good one. */
  spoil(bid: number, ask: number): false {
    this.forget();
    this.seen = bid > ask && ask > 0 && bid < Number.POSITIVE_INFINITY ? "crossed" : "unreadable";
    return false;
  }
}

/** Stands between a reference and its price. */
export interface Watchman {
  /** True when the price may be used. */
  take(quote: Quote): boolean;
  /** What was wrong with the last price; undefined after a good one. */
  readonly refusal: Refusal | undefined;
  /** Refused too often in a row, and not good again for as long. */
  readonly isBad: boolean;
  /** When a price that is one was last told, whatever time it has itself. */
  readonly heardAt: number;
}

/** What is known of a source's prices of a pair before they are heard. */
export type SourceTerms = {
  readonly origin: string;
  readonly frozenMsMax: number;
  readonly isOfTheWeek: boolean;
};

/** How the prices of a pair are judged. */
export type Judges = {
  readonly moment: Moment;
  /** Where par is a source: the band around it that the venue's mid must keep. */
  readonly parBandBps: number | undefined;
  /** How many sources must agree. */
  readonly sourcesMin: number;
  /** A rate of two currencies, where their markets close for the weekend. */
  readonly isOfTheWeek: boolean;
  /** Fair value at the moment; undefined where there is none. */
  readonly valueOf: (prices: PairPrices) => number | undefined;
  /** Of a new reference; undefined: only its shape is looked at. */
  readonly guard: (price: SourcePrice, prices: PairPrices) => Watchman | undefined;
  readonly termsOf: (source: string) => SourceTerms;
  /** Whether a source of this name is a measure for the others, and no price. */
  readonly isAnchor: (source: string) => boolean;
  /** The source that should measure the pair's prices; undefined where none is set to. */
  readonly measuredBy: string | undefined;
  /** The pair has its first reference, or another measure: ways may be others, or come to nothing. */
  readonly onLayout: () => void;
};

export class PairPrices {
  readonly symbol: PairSymbol;
  readonly parBandBps: number | undefined;
  readonly sourcesMin: number;
  readonly isOfTheWeek: boolean;
  readonly venue = new SourcePrice("venue");
  readonly references: SourcePrice[] = [];
  /** One for each reference, in the same order, or none at all. */
  readonly guards: Watchman[] = [];
  anchor: SourcePrice | undefined = undefined;
  /** It had a fair value once, by references: before, nothing has confirmed what any of them said. */
  isConfirmed = false;
  /** Counts what was heard of the pair: while it stands still only time, or another pair, can change what it is worth. */
  version = 0;
  readonly measuredBy: string | undefined;
  readonly #judges: Judges;

  constructor(symbol: PairSymbol, judges: Judges) {
    this.symbol = symbol;
    this.parBandBps = judges.parBandBps;
    this.sourcesMin = judges.sourcesMin;
    this.isOfTheWeek = judges.isOfTheWeek;
    this.measuredBy = judges.measuredBy;
    this.#judges = judges;
  }

  /** True when the quote is good. */
  observe(quote: Quote): boolean {
    this.heard();
    if (quote.source === "venue") return this.venue.set(quote);
    if (this.#judges.isAnchor(quote.source)) return this.#measure(quote);
    const place = this.#placeOf(quote.source);
    const guard = this.guards[place];
    const isGood = guard === undefined ? (this.references[place] as SourcePrice).set(quote) : guard.take(quote);
    this.isConfirmed ||= isGood && this.value() !== undefined;
    return isGood;
  }

  /** Fair value at the moment; undefined where there is none. */
  value(): number | undefined {
    return this.#judges.valueOf(this);
  }

  /** By whoever writes a price in place, before anybody but the strategy can ask what it comes to. */
  heard(): void {
    this.version++;
    this.#judges.moment.prices++;
  }

  #measure(quote: Quote): boolean {
    this.anchor ??= new SourcePrice(quote.source);
    const { seen, bid, ask } = this.anchor;
    const isGood = this.anchor.set(quote);
    if (this.anchor.seen !== seen || this.anchor.bid !== bid || this.anchor.ask !== ask) this.#judges.onLayout();
    return isGood;
  }

  #placeOf(name: string): number {
    for (let place = 0; place < this.references.length; place++)
      if ((this.references[place] as SourcePrice).name === name) return place;
    invariant(this.references.length < SOURCES_MAX, `${this.symbol} must have at most ${SOURCES_MAX} references`);
    const { origin, frozenMsMax, isOfTheWeek } = this.#judges.termsOf(name);
    const added = new SourcePrice(name, origin);
    added.frozenMsMax = frozenMsMax;
    added.isOfTheWeek = isOfTheWeek;
    this.references.push(added);
    const guard = this.#judges.guard(added, this);
    if (guard !== undefined) this.guards.push(guard);
    if (this.references.length === 1) this.#judges.onLayout();
    return this.references.length - 1;
  }
}
