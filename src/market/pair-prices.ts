// The last prices of one pair: the venue's own quote and that of each reference, updated in place.

import type { PairSymbol } from "../domain/asset.ts";
import type { NoFair } from "../domain/fair.ts";
import { invariant } from "../domain/invariant.ts";
import type { Quote } from "../domain/quote.ts";
import type { Moment } from "./moment.ts";
import { SourcePrice } from "./source-price.ts";

const SOURCES_MAX = 16;

/** The settings and callbacks for judging a pair's prices. */
export type Judges = {
  readonly moment: Moment;
  /** If par is a source: the band around it that the venue's mid must stay in. */
  readonly parBandBps: number | undefined;
  readonly sourcesMin: number;
  /** A rate of two currencies whose markets close for the weekend. */
  readonly isOfTheWeek: boolean;
  readonly valueOf: (prices: PairPrices) => number | undefined;
  readonly referenceOf: (source: string) => SourcePrice;
  /** Called when the pair gets its first reference: paths may change. */
  readonly onLayout: () => void;
};

export const NO_COLLAR = Number.POSITIVE_INFINITY;

/** A fair value and its reliability, or the reason why there is none. */
export class Finding {
  reason: NoFair | undefined = undefined;
  value = 1;
  /** When the oldest price in it was received. */
  since = Number.POSITIVE_INFINITY;
  sources = Number.POSITIVE_INFINITY;
  /** The distance between its sources. */
  apartBps = 0;
  spreadBps = 0;
  collarBps = NO_COLLAR;
  /** The version of the prices that it is of, and the last time at which it holds. */
  version = -1;
  until = Number.NEGATIVE_INFINITY;

  /** A price in it is too old after this time, which is no change once it has passed. */
  expire(at: number, now: number): void {
    if (at >= now && at < this.until) this.until = at;
  }
}

export class PairPrices {
  readonly symbol: PairSymbol;
  readonly parBandBps: number | undefined;
  readonly sourcesMin: number;
  readonly isOfTheWeek: boolean;
  readonly venue = new SourcePrice("venue");
  readonly references: SourcePrice[] = [];
  /** References gave it a fair value at least once; before that, none of their prices has been confirmed. */
  isConfirmed = false;
  /** Counts updates of the pair: while it is equal, only time or another pair can change its value. */
  version = 0;
  /** The last judgement of its own prices. */
  readonly finding = new Finding();
  readonly #judges: Judges;

  constructor(symbol: PairSymbol, judges: Judges) {
    this.symbol = symbol;
    this.parBandBps = judges.parBandBps;
    this.sourcesMin = judges.sourcesMin;
    this.isOfTheWeek = judges.isOfTheWeek;
    this.#judges = judges;
  }

  /** True when the quote is good. */
  observe(quote: Quote): boolean {
    this.heard();
    if (quote.source === "venue") return this.venue.set(quote);
    const isGood = this.#referenceOf(quote.source).set(quote);
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

  #referenceOf(name: string): SourcePrice {
    for (let place = 0; place < this.references.length; place++)
      if ((this.references[place] as SourcePrice).name === name) return this.references[place] as SourcePrice;
    invariant(this.references.length < SOURCES_MAX, `${this.symbol} must have at most ${SOURCES_MAX} references`);
    const added = this.#judges.referenceOf(name);
    this.references.push(added);
    if (this.references.length === 1) this.#judges.onLayout();
    return added;
  }
}
