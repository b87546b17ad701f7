// Fair value of a pair in its first form. References count when they are fresh, moving and uncrossed, and must agree.
// Par is a reference switched on by name: it counts as one source, the venue's own fresh quote inside the peg band as the
// second. Nothing else stands in for a price that is not there.

import type { PairSymbol } from "../domain/asset.ts";
import type { Fair, NoFair } from "../domain/fair.ts";
import { PairPrices, type SourcePrice } from "./pair-prices.ts";

export type FairSettings = {
  /** The pairs for which par is a source, with the band around it that the venue's mid must keep. */
  readonly par: ReadonlyMap<PairSymbol, { readonly bandBps: number }>;
  readonly venueAgeMsMax: number;
  readonly referenceAgeMsMax: number;
  /** A reference that has not moved for so long is not believed. */
  readonly frozenMsMax: number;
  readonly sourcesMin: number;
  readonly disagreementBpsMax: number;
};

export interface Pricing {
  /** The prices of a pair: the same object each time, made when first asked for. */
  pair(symbol: PairSymbol): PairPrices;
  fair(prices: PairPrices, now: number): Fair;
  /** The value alone, without an object: undefined where there is none. */
  value(prices: PairPrices, now: number): number | undefined;
  readonly pairs: ReadonlyMap<PairSymbol, PairPrices>;
}

export function createPricing(settings: FairSettings): Pricing {
  const pairs = new Map<PairSymbol, PairPrices>();
  const opinion = new Opinion(settings);
  return {
    pairs,
    pair(symbol) {
      const known = pairs.get(symbol);
      if (known !== undefined) return known;
      const added = new PairPrices(symbol);
      pairs.set(symbol, added);
      return added;
    },
    fair(prices, now) {
      opinion.form(prices, now);
      const { reason, value, ageMs, sources, disagreementBps } = opinion;
      return reason === undefined ? { kind: "fair", value, ageMs, sources, disagreementBps } : { kind: "none", reason };
    },
    value(prices, now) {
      opinion.form(prices, now);
      return opinion.reason === undefined ? opinion.value : undefined;
    },
  };
}

/** One reused sheet of working: asking for a fair value allocates nothing. */
class Opinion {
  reason: NoFair | undefined = "missing";
  value = 0.5;
  ageMs = 0.5;
  sources = 0;
  disagreementBps = 0.5;
  readonly #settings: FairSettings;
  readonly #values = new Float64Array(17);
  #count = 0;
  #missed: NoFair | undefined = undefined;
  #lowest = 0.5;
  #highest = 0.5;

  constructor(settings: FairSettings) {
    this.#settings = settings;
  }

  form(prices: PairPrices, now: number): void {
    this.reason = undefined;
    this.#missed = undefined;
    this.ageMs = 0;
    this.sources = 0;
    this.#count = 0;
    this.#lowest = Number.POSITIVE_INFINITY;
    this.#highest = Number.NEGATIVE_INFINITY;
    const par = this.#settings.par.get(prices.symbol);
    if (par !== undefined) this.#takePar(prices.venue, par.bandBps, now);
    for (const reference of prices.references) this.#takeReference(reference, now);
    this.#conclude(par !== undefined);
  }

  #takePar(venue: SourcePrice, bandBps: number, now: number): void {
    const problem = problemOf(venue, now, this.#settings.venueAgeMsMax, Number.POSITIVE_INFINITY);
    if (problem !== undefined) {
      this.reason = problem;
      return;
    }
    const mid = (venue.bid + venue.ask) / 2;
    if (Math.abs(mid - 1) * 1e4 > bandBps) {
      this.reason = "off-peg";
      return;
    }
    this.#insert(1);
    this.#compare(mid, now - venue.since);
    this.sources++;
  }

  #takeReference(source: SourcePrice, now: number): void {
    const problem = problemOf(source, now, this.#settings.referenceAgeMsMax, this.#settings.frozenMsMax);
    if (problem !== undefined) {
      // The first thing that was wrong explains best why too few are left.
      this.#missed ??= problem;
      return;
    }
    const mid = (source.bid + source.ask) / 2;
    this.#insert(mid);
    this.#compare(mid, now - source.since);
  }

  #compare(mid: number, ageMs: number): void {
    this.sources++;
    if (mid < this.#lowest) this.#lowest = mid;
    if (mid > this.#highest) this.#highest = mid;
    if (ageMs > this.ageMs) this.ageMs = ageMs;
  }

  #insert(value: number): void {
    let place = this.#count++;
    for (; place > 0 && (this.#values[place - 1] as number) > value; place--)
      this.#values[place] = this.#values[place - 1] as number;
    this.#values[place] = value;
  }

  #conclude(hasPar: boolean): void {
    if (this.reason !== undefined) return;
    if (this.#count === 0 || this.sources < this.#settings.sourcesMin) {
      this.reason = this.#missed ?? "missing";
      return;
    }
    const half = this.#count >> 1;
    const upper = this.#values[half] as number;
    this.value = (this.#count & 1) === 1 ? upper : ((this.#values[half - 1] as number) + upper) / 2;
    if (hasPar) {
      if (this.#lowest > 1) this.#lowest = 1;
      if (this.#highest < 1) this.#highest = 1;
    }
    this.disagreementBps = ((this.#highest - this.#lowest) / this.value) * 1e4;
    if (!this.#isAgreed(hasPar)) this.reason = "disagreeing";
  }

  /** With par alone the peg band has already judged the venue's quote. */
  #isAgreed(hasPar: boolean): boolean {
    if (hasPar && this.#count === 1) return true;
    return this.disagreementBps <= this.#settings.disagreementBpsMax;
  }
}

function problemOf(source: SourcePrice, now: number, ageMsMax: number, frozenMsMax: number): NoFair | undefined {
  if (source.seen === "crossed") return "crossed";
  if (source.seen !== "good") return "missing";
  if (!(now - source.since <= ageMsMax)) return "stale";
  return now - source.changedAt <= frozenMsMax ? undefined : "frozen";
}
