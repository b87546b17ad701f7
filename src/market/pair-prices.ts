// The prices of one pair as they were last seen: the venue's own quote and that of each reference, in place. A quote that
// cannot be one (not finite, not positive, crossed) makes its source unusable until the next good one; references are
// judged by a guard on top of that.

import type { PairSymbol } from "../domain/asset.ts";
import { invariant } from "../domain/invariant.ts";
import type { Quote } from "../domain/quote.ts";
import type { Guard } from "./guard.ts";
import type { Moment } from "./moment.ts";
import { SourcePrice } from "./source-price.ts";

const SOURCES_MAX = 16;

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
  /** A new one. */
  readonly referenceOf: (source: string) => SourcePrice;
  /** Of a new reference; undefined: only its shape is looked at. */
  readonly guardOf: (price: SourcePrice, prices: PairPrices) => Guard | undefined;
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
  readonly guards: Guard[] = [];
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

  /** Called after a price was written in place, before any reader but the strategy. */
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
