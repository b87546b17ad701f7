// Fair value of a pair. References count when they are fresh, moving, uncrossed and plausible, and must agree. Par is a
// reference switched on by name: it counts as one source, the venue's own fresh quote inside the peg band as the second.
// A pair without a source of its own is worth what others make of it, over the surest way. Nothing else stands in for a
// price that is not there.

import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";
import type { Fair, NoFair } from "../domain/fair.ts";
import type { Quote } from "../domain/quote.ts";
import {
  type Course,
  LEGS_MAX,
  type Leg,
  overStretch,
  type Stretch,
  stretchesOf,
  type Way,
  waysBetween,
  waysFrom,
} from "./cross.ts";
import { isCurrency } from "./currency.ts";
import type { FxWeek } from "./fx-week.ts";
import { dailyRate, Guard, type GuardSettings, type LegFault } from "./guard.ts";
import { Moment } from "./moment.ts";
import { PairPrices, type SourcePrice, type SourceTerms, type Worth } from "./pair-prices.ts";
import { type Band, bandBroken } from "./refusal.ts";
import { endOf, ownSteadyUntil } from "./steady.ts";

export type FairSettings = {
  /** The pairs for which par is a source, with the band around it that the venue's mid must keep. */
  readonly par: ReadonlyMap<PairSymbol, { readonly bandBps: number }>;
  readonly venueAgeMsMax: number;
  readonly referenceAgeMsMax: number;
  /** A reference that has not moved for so long is not believed. */
  readonly frozenMsMax: number;
  /** Where it is another for a source's prices of a pair, by `priceKey`. */
  readonly frozenMsMaxOf?: ReadonlyMap<string, number>;
  readonly sourcesMin: number;
  /** For pairs that need more. */
  readonly sourcesMinOf?: ReadonlyMap<PairSymbol, number>;
  /** Where feeds have their prices from, when it is not theirs alone: those of one origin count as one source. */
  readonly origins?: ReadonlyMap<string, string>;
  readonly disagreementBpsMax: number;
  /** How each price of a reference is judged; without it only its shape is. */
  readonly guard?: GuardSettings;
  /** What holds while the currency markets are closed; without it nothing else than at other times. */
  readonly weekend?: Weekend;
  /** By `priceKey`: prices of pairs that are no two currencies and rest on a rate of two all the same. */
  readonly weekly?: ReadonlySet<string>;
  /**
   * By `priceKey`: the pairs from which a source may work a price out that it does not have. What is wrong with one of them is
   * wrong with it, where it does not say itself which it was worked out from.
   */
  readonly legsOf?: ReadonlyMap<string, readonly PairSymbol[]>;
};

/** One source's prices of one pair. */
export function priceKey(source: string, symbol: PairSymbol): string {
  return `${source} ${symbol}`;
}

/** Without a collar nothing that rests on a rate of two currencies has a fair value then. */
export type Weekend = { readonly week: FxWeek; readonly collarBps: number | undefined };

/** What a pair can cost, and the source whose daily rate says so; undefined where it is set by hand. */
type Bound = { readonly band: Band; readonly measuredBy: string | undefined };
type Around = { readonly symbol: PairSymbol; readonly legs: Way<PairPrices> };

export interface Pricing {
  /** When fair values are asked for; whoever feeds the prices moves it. */
  readonly moment: Moment;
  readonly pairs: ReadonlyMap<PairSymbol, PairPrices>;
  /** How far apart what should be the same may be. */
  readonly disagreementBpsMax: number;
  /** How old a reference may be. */
  readonly referenceAgeMsMax: number;
  /** Counts new pairs, first references and other measures: while it stands still, ways are what they were. */
  readonly layout: number;
  /** From one asset to another over pairs with a source of their own, shortest first, else by name: the pair of the two itself is one. */
  ways(from: Asset, to: Asset): readonly Course<PairPrices>[];
  /** Whether the pair of a part of a way cannot cost what the legs make of it. */
  isBeyond(stretch: Stretch, value: number): boolean;
  /** What rules out that a pair costs so much; undefined where nothing does. */
  boundBroken(symbol: PairSymbol, value: number): Bound | undefined;
  /** Every way around a pair that has a measure. For people: nothing is decided over them. */
  waysAround(): readonly Around[];
  /** The prices of a pair: the same object each time, made when first asked for. */
  pair(symbol: PairSymbol): PairPrices;
  fair(prices: PairPrices): Fair;
  /** The value alone, without an object: undefined where there is none. */
  value(prices: PairPrices): number | undefined;
  /** Why a reference's price of the pair counts for nothing at the moment; undefined where it counts. */
  doubtOf(prices: PairPrices, source: string): NoFair | undefined;
  /** The same for what is wrong with it by itself, whatever the others say. */
  ownDoubtOf(prices: PairPrices, reference: SourcePrice): NoFair | undefined;
  /** When the currency markets open again, where they close and are closed at the moment. */
  closedUntil(): number | undefined;
  /** Whether nothing but par, or nothing at all, is behind it: then it is what it was, or unknown. */
  isByPar(prices: PairPrices): boolean;
}

export function createPricing(settings: FairSettings): Pricing {
  return new FirstPricing(settings);
}

/** More than any pair has. */
const SOURCES_MAX = 1_000;
/** What age adds to the doubt about a price, in 1/10000 a second: what a currency moves in that time, generously. */
const DRIFT_BPS_PER_S = 0.5;

/** The fields below `pairs` are one reused sheet of working, so that asking for a value allocates nothing. */
class FirstPricing implements Pricing {
  readonly moment = new Moment();
  readonly pairs = new Map<PairSymbol, PairPrices>();
  readonly disagreementBpsMax: number;
  readonly referenceAgeMsMax: number;
  layout = 0;
  readonly #settings: FairSettings;
  readonly #values = new Float64Array(17);
  readonly #legValues = new Float64Array(LEGS_MAX);
  readonly #ways = new Map<PairPrices, readonly Course<PairPrices>[]>();
  #around: readonly Around[] | undefined = undefined;
  #count = 0;
  #problem: NoFair | undefined = undefined;
  /** A reference that says something else than par, and may be right. */
  #objection: NoFair | undefined = undefined;
  judged = 0.5;
  #ageMs = 0.5;
  #sources = 0;
  #lowest = 0.5;
  #highest = 0.5;
  #apartBps = 0.5;
  #spreadBps = 0.5;
  /** Infinite when there is none. */
  #collarBps = 0.5;
  /** The pair that was judged last: where there is no fair value, the one that has none. */
  #blamed: PairPrices | undefined = undefined;

  constructor(settings: FairSettings) {
    this.#settings = settings;
    this.disagreementBpsMax = settings.disagreementBpsMax;
    this.referenceAgeMsMax = settings.referenceAgeMsMax;
  }

  pair(symbol: PairSymbol): PairPrices {
    return this.pairs.get(symbol) ?? this.#added(symbol);
  }

  #added(symbol: PairSymbol): PairPrices {
    const { par, guard, weekend, sourcesMin, sourcesMinOf } = this.#settings;
    const parBandBps = par.get(symbol)?.bandBps;
    const { base, quote } = assetsOf(symbol);
    const siblings: Guard[] = [];
    const added = new PairPrices(symbol, {
      moment: this.moment,
      parBandBps,
      sourcesMin: Math.max(sourcesMin, sourcesMinOf?.get(symbol) ?? 0),
      isOfTheWeek: weekend !== undefined && isCurrency(base) && isCurrency(quote),
      worths: (prices) => {
        const judged = new Judged(prices, this);
        return { judged, alone: parBandBps === undefined ? judged : new ParAlone(prices, this.moment, this.#settings) };
      },
      guard: (price, prices) => {
        if (guard === undefined) return undefined;
        const made = new Guard(price, symbol, guard, {
          moment: this.moment,
          siblings,
          anchor: () => prices.anchor,
          measure: () => this.#measureOf(prices),
          legFault: (quote, isNone) => this.#legFault(quote, isNone),
        });
        siblings.push(made);
        return made;
      },
      termsOf: (source) => this.#termsOf(source, symbol),
      isAnchor: (source) => guard?.anchors.has(source) === true,
      measuredBy: guard?.measuredBy.get(symbol),
      onLayout: () => this.#layOut(),
    });
    this.pairs.set(symbol, added);
    this.moment.prices++;
    this.#layOut();
    return added;
  }

  #layOut(): void {
    this.layout++;
    this.#ways.clear();
    this.#around = undefined;
  }

  #termsOf(source: string, symbol: PairSymbol): SourceTerms {
    const { origins, frozenMsMax, frozenMsMaxOf, weekend, weekly } = this.#settings;
    const key = priceKey(source, symbol);
    return {
      origin: origins?.get(source) ?? source,
      frozenMsMax: frozenMsMaxOf?.get(key) ?? frozenMsMax,
      isOfTheWeek: weekend !== undefined && weekly?.has(key) === true,
    };
  }

  /** What a price of the pair should be near to before anything else is known of its source; NaN where nothing says. */
  #measureOf({ symbol, parBandBps, venue }: PairPrices): number {
    const own = this.#freshMid(venue);
    if (!Number.isNaN(own)) return own;
    if (parBandBps !== undefined) return 1;
    for (const { symbol: twin, inverse } of twinsOf(symbol)) {
      const prices = this.pairs.get(twin);
      const mid = prices === undefined ? Number.NaN : this.#freshMid(prices.venue);
      if (!Number.isNaN(mid)) return inverse ? 1 / mid : mid;
    }
    return Number.NaN;
  }

  /** A leg that is missing, old or frozen is its source's to leave out; one that nobody believes is found here alone. */
  #legFault({ source, symbol, legs }: Quote, isNone: boolean): LegFault | undefined {
    for (const leg of legs ?? this.#settings.legsOf?.get(priceKey(source, symbol)) ?? []) {
      const prices = this.pairs.get(leg);
      const price = prices?.references.find(({ name }) => name === source);
      if (prices === undefined || price === undefined) {
        if (isNone) return "nothing";
        continue;
      }
      const problem = this.#referenceProblem(price, prices);
      switch (problem) {
        case "crossed":
          return "crossed";
        case "implausible":
          return "implausible";
        case "jumping":
          return "held";
        case "frozen":
        case "stale":
          if (isNone) return problem;
      }
    }
    return undefined;
  }

  #freshMid({ seen, since, bid, ask }: SourcePrice): number {
    const isFresh = seen === "good" && this.moment.now - since <= this.#settings.venueAgeMsMax;
    return isFresh ? (bid + ask) / 2 : Number.NaN;
  }

  value(prices: PairPrices): number | undefined {
    return prices.worth.value();
  }

  doubtOf(prices: PairPrices, source: string): NoFair | undefined {
    const reference = prices.references.find(({ name }) => name === source);
    return reference === undefined ? "missing" : (this.#referenceProblem(reference, prices) ?? this.judge(prices));
  }

  ownDoubtOf(prices: PairPrices, reference: SourcePrice): NoFair | undefined {
    return this.#referenceProblem(reference, prices);
  }

  closedUntil(): number | undefined {
    const { weekend } = this.#settings;
    return weekend?.week.isClosed(this.moment.now) ? weekend.week.opensAfter(this.moment.now) : undefined;
  }

  isByPar(prices: PairPrices): boolean {
    if (prices.references.length > 0) return false;
    return prices.parBandBps !== undefined || this.#waysOf(prices).length === 0;
  }

  steadyUntil(prices: PairPrices): number {
    return hasSource(prices) ? ownSteadyUntil(prices, this.moment, this.#settings) : this.moment.now;
  }

  fair(prices: PairPrices): Fair {
    const reason = this.judge(prices);
    if (reason !== undefined) return { kind: "none", reason, limit: this.#limitOf(reason) };
    return {
      kind: "fair",
      value: this.judged,
      ageMs: this.#ageMs,
      sources: this.#sources,
      disagreementBps: this.#apartBps,
      spreadBps: this.#spreadBps,
      collarBps: this.#collarBps === Number.POSITIVE_INFINITY ? undefined : this.#collarBps,
    };
  }

  #limitOf(reason: NoFair): number | undefined {
    const blamed = this.#blamed;
    if (blamed === undefined) return undefined;
    if (reason === "missing") return blamed.sourcesMin;
    if (reason === "off-peg") return blamed.parBandBps;
    const frozen = (source: SourcePrice): boolean => this.#referenceProblem(source, blamed) === "frozen";
    return reason === "frozen" ? blamed.references.find(frozen)?.frozenMsMax : undefined;
  }

  /** Undefined when there is a fair value: then it is `judged`. */
  judge(prices: PairPrices): NoFair | undefined {
    return hasSource(prices) ? this.#judgeOwn(prices) : this.#judgeCross(prices);
  }

  #judgeOwn(prices: PairPrices): NoFair | undefined {
    this.#blamed = prices;
    this.#count = 0;
    this.#problem = undefined;
    this.#objection = undefined;
    this.#ageMs = 0;
    this.#sources = 0;
    this.#lowest = Number.POSITIVE_INFINITY;
    this.#highest = Number.NEGATIVE_INFINITY;
    this.#spreadBps = 0;
    this.#collarBps = Number.POSITIVE_INFINITY;
    if (prices.isOfTheWeek && this.#isShut()) return "closed";
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
    for (let place = 0; place < prices.references.length; place++) this.#takeReference(prices, place);
    if (this.#count === 0 || this.#sources < prices.sourcesMin) return this.#problem ?? "missing";
    this.judged = this.#median();
    this.#apartBps = ((this.#highest - this.#lowest) / this.judged) * 1e4;
    // With par alone the peg band has already judged the venue's quote.
    const isJudged = hasPar && this.#count === 1;
    if (isJudged && this.#objection !== undefined) return this.#objection;
    return isJudged || this.#apartBps <= this.disagreementBpsMax ? undefined : "disagreeing";
  }

  /** True when nothing may rest on currencies now; where there is a collar for such times, it is put down. */
  #isShut(): boolean {
    const { weekend } = this.#settings;
    if (weekend === undefined || !weekend.week.isClosed(this.moment.now)) return false;
    if (weekend.collarBps === undefined) return true;
    this.#collarBps = weekend.collarBps;
    return false;
  }

  /**
   * The surest way: least apart, narrowest, freshest. Age is that of the oldest leg, doubts add up. Ways that come to
   * different rates disagree as sources do, however sure each is of itself.
   */
  #judgeCross(prices: PairPrices): NoFair | undefined {
    let reason: NoFair | undefined;
    let blamed = prices;
    let least = Number.POSITIVE_INFINITY;
    let value = 0;
    let ageMs = 0;
    let sources = 0;
    let apartBps = 0;
    let spreadBps = 0;
    let collarBps = Number.POSITIVE_INFINITY;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (const way of this.#waysOf(prices)) {
      const problem = this.#walk(way);
      if (reason === undefined && problem !== undefined) blamed = this.#blamed ?? prices;
      reason ??= problem;
      if (problem !== undefined) continue;
      lowest = Math.min(lowest, this.judged);
      highest = Math.max(highest, this.judged);
      const doubt = this.#apartBps + this.#spreadBps + (this.#ageMs / 1_000) * DRIFT_BPS_PER_S;
      if (doubt >= least) continue;
      least = doubt;
      value = this.judged;
      ageMs = this.#ageMs;
      sources = this.#sources;
      apartBps = this.#apartBps;
      spreadBps = this.#spreadBps;
      collarBps = this.#collarBps;
    }
    this.#blamed = least === Number.POSITIVE_INFINITY ? blamed : prices;
    if (least === Number.POSITIVE_INFINITY) return reason ?? "missing";
    this.judged = value;
    this.#ageMs = ageMs;
    this.#sources = sources;
    this.#apartBps = Math.max(apartBps, ((highest - lowest) / value) * 1e4);
    this.#spreadBps = spreadBps;
    this.#collarBps = collarBps;
    if (sources < prices.sourcesMin) return "missing";
    return this.#apartBps <= this.disagreementBpsMax ? undefined : "disagreeing";
  }

  /** What the legs of a way come to; a problem of one is the problem of all. */
  #walk({ legs, stretches }: Course<PairPrices>): NoFair | undefined {
    let value = 1;
    let ageMs = 0;
    let sources = SOURCES_MAX;
    let apartBps = 0;
    let spreadBps = 0;
    let collarBps = Number.POSITIVE_INFINITY;
    for (let place = 0; place < legs.length; place++) {
      const { prices, inverse } = legs[place] as Leg<PairPrices>;
      const problem = this.#judgeOwn(prices);
      if (problem !== undefined) return problem;
      this.#legValues[place] = this.judged;
      value = inverse ? value / this.judged : value * this.judged;
      ageMs = Math.max(ageMs, this.#ageMs);
      sources = Math.min(sources, this.#sources);
      apartBps += this.#apartBps;
      spreadBps += this.#spreadBps;
      collarBps = Math.min(collarBps, this.#collarBps);
    }
    for (const stretch of stretches)
      if (this.isBeyond(stretch, overStretch(stretch, legs, this.#legValues))) return "implausible";
    this.judged = value;
    this.#ageMs = ageMs;
    this.#sources = sources;
    this.#apartBps = apartBps;
    this.#spreadBps = spreadBps;
    this.#collarBps = collarBps;
    return undefined;
  }

  #waysOf(prices: PairPrices): readonly Course<PairPrices>[] {
    const known = this.#ways.get(prices);
    if (known !== undefined) return known;
    const found = waysBetween(prices.symbol, this.#sourced()).map((way) => this.#courseOf(way));
    this.#ways.set(prices, found);
    return found;
  }

  ways(from: Asset, to: Asset): readonly Course<PairPrices>[] {
    return waysFrom(from, to, this.#sourced()).map((way) => this.#courseOf(way));
  }

  #courseOf(legs: Way<PairPrices>): Course<PairPrices> {
    const { guard } = this.#settings;
    const isMeasured = (symbol: PairSymbol): boolean =>
      guard !== undefined && (guard.bands.has(symbol) || guard.measuredBy.has(symbol));
    return { legs, stretches: stretchesOf(legs, isMeasured) };
  }

  isBeyond({ symbol }: Stretch, value: number): boolean {
    return this.boundBroken(symbol, value) !== undefined;
  }

  boundBroken(symbol: PairSymbol, value: number): Bound | undefined {
    const { guard } = this.#settings;
    if (guard === undefined) return undefined;
    const { bands, anchorBps, anchorAgeMsMax } = guard;
    const anchor = this.pairs.get(symbol)?.anchor;
    const byHand = bands.get(symbol);
    const band = bandBroken(value, byHand, dailyRate(anchor, this.moment.now, anchorAgeMsMax), anchorBps);
    return band && { band, measuredBy: band === byHand ? undefined : anchor?.name };
  }

  waysAround(): readonly Around[] {
    this.#around ??= this.#measured().flatMap((symbol) =>
      waysBetween(symbol, this.#sourced()).map((legs) => ({ symbol, legs })),
    );
    return this.#around;
  }

  #measured(): readonly PairSymbol[] {
    const { guard } = this.#settings;
    return guard === undefined ? [] : [...new Set([...guard.bands.keys(), ...guard.measuredBy.keys()])];
  }

  #sourced(): readonly PairPrices[] {
    return [...this.pairs.values()].filter(hasSource);
  }

  #parProblem({ venue, parBandBps }: PairPrices): NoFair | undefined {
    if (venue.seen !== "good") return venue.seen === "crossed" ? "crossed" : "missing";
    if (parBandBps === undefined) return "missing";
    if (!(this.moment.now - venue.since <= this.#settings.venueAgeMsMax)) return "stale";
    return Math.abs((venue.bid + venue.ask) / 2 - 1) * 1e4 <= parBandBps ? undefined : "off-peg";
  }

  #takeReference(prices: PairPrices, place: number): void {
    const source = prices.references[place] as SourcePrice;
    const problem = this.#referenceProblem(source, prices);
    if (problem !== undefined) {
      // The first thing that was wrong explains best why too few are left.
      this.#problem ??= problem;
      if (problem === "jumping" || problem === "implausible") this.#objection ??= problem;
      return;
    }
    this.#take(source);
    if (this.#isCounted(prices, place)) this.#sources--;
    this.#insert((source.bid + source.ask) / 2);
  }

  /** Whether one before it has its prices from the same place: a second name is no second opinion. */
  #isCounted(prices: PairPrices, place: number): boolean {
    const { references } = prices;
    const { origin } = references[place] as SourcePrice;
    for (let before = 0; before < place; before++) {
      const other = references[before] as SourcePrice;
      if (other.origin === origin && this.#referenceProblem(other, prices) === undefined) return true;
    }
    return false;
  }

  #referenceProblem(source: SourcePrice, prices: PairPrices): NoFair | undefined {
    const { now } = this.moment;
    if (source.seen !== "good") return whyUnseen(source);
    if (!(now - source.since <= this.#settings.referenceAgeMsMax)) return "stale";
    if (!(now - source.changedAt <= source.frozenMsMax)) return "frozen";
    if (source.isOfTheWeek && this.#isShut()) return "closed";
    return source.isProven || this.#isPlausible(source, prices) ? undefined : "implausible";
  }

  /** Of a source that nothing was held against so far: what may do so came later than its price. */
  #isPlausible({ bid, ask }: SourcePrice, prices: PairPrices): boolean {
    const measure = this.#measureOf(prices);
    const { anchorBps = 0 } = this.#settings.guard ?? {};
    return !(Math.abs((bid + ask) / 2 / measure - 1) * 1e4 > anchorBps);
  }

  #take(source: SourcePrice): void {
    const mid = (source.bid + source.ask) / 2;
    const ageMs = this.moment.now - source.since;
    const spreadBps = ((source.ask - source.bid) / mid) * 1e4;
    this.#sources++;
    if (mid < this.#lowest) this.#lowest = mid;
    if (mid > this.#highest) this.#highest = mid;
    if (ageMs > this.#ageMs) this.#ageMs = ageMs;
    if (spreadBps > this.#spreadBps) this.#spreadBps = spreadBps;
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
}

/** Par, or a reference: without either a pair is worth what others make of it. */
function hasSource({ parBandBps, references }: PairPrices): boolean {
  return parBandBps !== undefined || references.length > 0;
}

/** Pairs of the venue that cost about the same: coins stand for their currencies, and may be quoted the other way round. */
function twinsOf(symbol: PairSymbol): readonly { readonly symbol: PairSymbol; readonly inverse: boolean }[] {
  const { base, quote } = assetsOf(symbol);
  const standing = (asset: string): readonly string[] => (isCurrency(asset as Asset) ? [`V${asset}`, asset] : [asset]);
  return standing(base).flatMap((one) =>
    standing(quote).flatMap((other) => [
      { symbol: `${one}/${other}` as PairSymbol, inverse: false },
      { symbol: `${other}/${one}` as PairSymbol, inverse: true },
    ]),
  );
}

function whyUnseen({ seen }: SourcePrice): NoFair {
  if (seen === "held") return "jumping";
  return seen === "nothing" || seen === "unreadable" || seen === "good" ? "missing" : seen;
}

/** Without a reference no working is needed: fair value is par or nothing. It says what `judge` would say. */
class ParAlone implements Worth {
  private readonly venue: SourcePrice;
  private readonly moment: Moment;
  // Floats from the start, so that reading them needs no look at what they are. NaN is no band: nothing is inside it.
  private bandBps = Number.NaN;
  private ageMsMax = Number.NaN;

  constructor({ venue, parBandBps, sourcesMin }: PairPrices, moment: Moment, { venueAgeMsMax }: FairSettings) {
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

  steadyUntil(): number {
    return endOf(this.venue.since, this.ageMsMax, this.moment.now);
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

  steadyUntil(): number {
    return this.#pricing.steadyUntil(this.#prices);
  }
}
