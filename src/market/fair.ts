// Fair value of a pair in its first form. References count when they are fresh, moving and uncrossed, and must agree.
// Par is a reference switched on by name: it counts as one source, the venue's own fresh quote inside the peg band as the
// second. Nothing else stands in for a price that is not there.

import type { PairSymbol } from "../domain/asset.ts";
import type { Fair, NoFair } from "../domain/fair.ts";
import { Moment } from "./moment.ts";
import { PairPrices, type SourcePrice, type Worth } from "./pair-prices.ts";

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
  /** When fair values are asked for; whoever feeds the prices moves it. */
  readonly moment: Moment;
  readonly pairs: ReadonlyMap<PairSymbol, PairPrices>;
  /** The prices of a pair: the same object each time, made when first asked for. */
  pair(symbol: PairSymbol): PairPrices;
  fair(prices: PairPrices): Fair;
  /** The value alone, without an object: undefined where there is none. */
  value(prices: PairPrices): number | undefined;
}

export function createPricing(settings: FairSettings): Pricing {
  return new FirstPricing(settings);
}

/** The fields below `pairs` are one reused sheet of working, so that asking for a value allocates nothing. */
class FirstPricing implements Pricing {
  readonly moment = new Moment();
  readonly pairs = new Map<PairSymbol, PairPrices>();
  readonly #settings: FairSettings;
  readonly #values = new Float64Array(17);
  #count = 0;
  #problem: NoFair | undefined = undefined;
  judged = 0.5;
  #ageMs = 0.5;
  #sources = 0;
  #lowest = 0.5;
  #highest = 0.5;

  constructor(settings: FairSettings) {
    this.#settings = settings;
  }

  pair(symbol: PairSymbol): PairPrices {
    const known = this.pairs.get(symbol);
    if (known !== undefined) return known;
    const added = new PairPrices(symbol, this.#settings.par.get(symbol)?.bandBps, (prices) => ({
      alone: new ParAlone(prices, this.moment, this.#settings),
      judged: new Judged(prices, this),
    }));
    this.pairs.set(symbol, added);
    return added;
  }

  value(prices: PairPrices): number | undefined {
    return prices.worth.value();
  }

  fair(prices: PairPrices): Fair {
    const reason = this.judge(prices);
    if (reason !== undefined) return { kind: "none", reason };
    const disagreementBps = this.#disagreementBps();
    return { kind: "fair", value: this.judged, ageMs: this.#ageMs, sources: this.#sources, disagreementBps };
  }

  /** Undefined when there is a fair value: then it is `judged`. */
  judge(prices: PairPrices): NoFair | undefined {
    this.#count = 0;
    this.#problem = undefined;
    this.#ageMs = 0;
    this.#sources = 0;
    this.#lowest = Number.POSITIVE_INFINITY;
    this.#highest = Number.NEGATIVE_INFINITY;
    const hasPar = prices.parBandBps !== undefined;
    if (hasPar) {
      const problem = this.#parProblem(prices);
      if (problem !== undefined) return problem;
      this.#take(prices.venue);
      this.#sources++;
      this.#insert(1);
      if (this.#lowest > 1) this.#lowest = 1;
      if (this.#highest < 1) this.#highest = 1;
    }
    for (const reference of prices.references) this.#takeReference(reference);
    if (this.#count === 0 || this.#sources < this.#settings.sourcesMin) return this.#problem ?? "missing";
    this.judged = this.#median();
    // With par alone the peg band has already judged the venue's quote.
    const isJudged = hasPar && this.#count === 1;
    return isJudged || this.#disagreementBps() <= this.#settings.disagreementBpsMax ? undefined : "disagreeing";
  }

  #parProblem({ venue, parBandBps }: PairPrices): NoFair | undefined {
    if (venue.seen !== "good") return venue.seen === "crossed" ? "crossed" : "missing";
    if (parBandBps === undefined) return "missing";
    if (!(this.moment.now - venue.since <= this.#settings.venueAgeMsMax)) return "stale";
    return Math.abs((venue.bid + venue.ask) / 2 - 1) * 1e4 <= parBandBps ? undefined : "off-peg";
  }

  #takeReference(source: SourcePrice): void {
    const problem = this.#referenceProblem(source);
    if (problem !== undefined) {
      // The first thing that was wrong explains best why too few are left.
      this.#problem ??= problem;
      return;
    }
    this.#take(source);
    this.#insert((source.bid + source.ask) / 2);
  }

  #referenceProblem(source: SourcePrice): NoFair | undefined {
    const { now } = this.moment;
    if (source.seen !== "good") return source.seen === "crossed" ? "crossed" : "missing";
    if (!(now - source.since <= this.#settings.referenceAgeMsMax)) return "stale";
    return now - source.changedAt <= this.#settings.frozenMsMax ? undefined : "frozen";
  }

  #take(source: SourcePrice): void {
    const mid = (source.bid + source.ask) / 2;
    const ageMs = this.moment.now - source.since;
    this.#sources++;
    if (mid < this.#lowest) this.#lowest = mid;
    if (mid > this.#highest) this.#highest = mid;
    if (ageMs > this.#ageMs) this.#ageMs = ageMs;
  }

  /** Sorted, for the median. */
  #insert(value: number): void {
    let place = this.#count++;
    for (; place > 0 && (this.#values[place - 1] as number) > value; place--)
      this.#values[place] = this.#values[place - 1] as number;
    this.#values[place] = value;
  }

  #median(): number {
    const half = this.#count >> 1;
    const upper = this.#values[half] as number;
    return (this.#count & 1) === 1 ? upper : ((this.#values[half - 1] as number) + upper) / 2;
  }

  #disagreementBps(): number {
    return ((this.#highest - this.#lowest) / this.judged) * 1e4;
  }
}

/** Without a reference no working is needed: fair value is par or nothing. It says what `judge` would say. */
class ParAlone implements Worth {
  private readonly venue: SourcePrice;
  private readonly moment: Moment;
  // Floats from the start, so that reading them needs no look at what they are. NaN is no band: nothing is inside it.
  private bandBps = Number.NaN;
  private ageMsMax = Number.NaN;

  constructor({ venue, parBandBps }: PairPrices, moment: Moment, { sourcesMin, venueAgeMsMax }: FairSettings) {
    this.venue = venue;
    this.moment = moment;
    // Par and the venue's quote are two sources.
    if (parBandBps !== undefined && sourcesMin <= 2) this.bandBps = parBandBps;
    this.ageMsMax = venueAgeMsMax;
  }

  value(): number | undefined {
    const { venue } = this;
    return this.moment.now - venue.since <= this.ageMsMax &&
      Math.abs((venue.bid + venue.ask) / 2 - 1) * 1e4 <= this.bandBps
      ? 1
      : undefined;
  }
}

class Judged implements Worth {
  readonly #prices: PairPrices;
  readonly #pricing: FirstPricing;
  /** The last value as the object that the runtime makes of it: while fair value stands still, no other is made. */
  #last: number | undefined = undefined;

  constructor(prices: PairPrices, pricing: FirstPricing) {
    this.#prices = prices;
    this.#pricing = pricing;
  }

  value(): number | undefined {
    const pricing = this.#pricing;
    if (pricing.judge(this.#prices) !== undefined) return undefined;
    if (pricing.judged !== this.#last) this.#last = pricing.judged;
    return this.#last;
  }
}
