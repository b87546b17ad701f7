// The last prices of one pair: the venue's own quote and that of each reference, updated in place. An invalid quote
// (not finite, not positive, crossed) makes its source unusable until the next good one; a guard judges references in
// addition.

import type { PairSymbol } from "../domain/asset.ts";
import { invariant } from "../domain/invariant.ts";
import type { Quote } from "../domain/quote.ts";
import type { Guard } from "./guard.ts";
import type { Moment } from "./moment.ts";
import { SourcePrice } from "./source-price.ts";

const SOURCES_MAX = 16;

/** The settings and callbacks for judging a pair's prices. */
export type Judges = {
  readonly moment: Moment;
  /** If par is a source: the band around it that the venue's mid must stay in. */
  readonly parBandBps: number | undefined;
  /** The number of sources that must agree. */
  readonly sourcesMin: number;
  /** A rate of two currencies whose markets close for the weekend. */
  readonly isOfTheWeek: boolean;
  /** The current fair value; undefined if there is none. */
  readonly valueOf: (prices: PairPrices) => number | undefined;
  /** Makes a new reference. */
  readonly referenceOf: (source: string) => SourcePrice;
  /** Makes the guard of a new reference; undefined: only the form of its quotes is checked. */
  readonly guardOf: (price: SourcePrice, prices: PairPrices) => Guard | undefined;
  /** Whether a source of this name only checks the others and is not a price. */
  readonly isAnchor: (source: string) => boolean;
  /** The source that should check the pair's prices; undefined if none is configured. */
  readonly measuredBy: string | undefined;
  /** Called when the pair gets its first reference or another anchor: paths may change or become invalid. */
  readonly onLayout: () => void;
};

export class PairPrices {
  readonly symbol: PairSymbol;
  readonly parBandBps: number | undefined;
  readonly sourcesMin: number;
  readonly isOfTheWeek: boolean;
  readonly venue = new SourcePrice("venue");
  readonly references: SourcePrice[] = [];
  /** One per reference, in the same order, or none at all. */
  readonly guards: Guard[] = [];
  anchor: SourcePrice | undefined = undefined;
  /** References gave it a fair value at least once; before that, none of their prices has been confirmed. */
  isConfirmed = false;
  /** Counts updates of the pair: while it is equal, only time or another pair can change its value. */
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

  /** The current fair value; undefined if there is none. */
  value(): number | undefined {
    return this.#judges.valueOf(this);
  }

  /** Called after a price was written in place, before any reader other than the strategy. */
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
    const added = this.#judges.referenceOf(name);
    this.references.push(added);
    const guard = this.#judges.guardOf(added, this);
    if (guard !== undefined) this.guards.push(guard);
    if (this.references.length === 1) this.#judges.onLayout();
    return this.references.length - 1;
  }
}
