// Fair value of a pair: the median of its references that are fresh and inside its band, if enough agree. Par is a
// reference switched on by name: it counts as one source, the venue's own fresh quote inside the peg band as the
// second. Where the venue shows no quotes, par counts only for the pairs that are named for it, and then alone. A pair
// without its own source is valued over other pairs, along the most reliable path. Nothing else substitutes for a
// missing price.

import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";
import { isCurrency } from "../domain/coin.ts";
import type { Fair, NoFair } from "../domain/fair.ts";
import { DAY_MS } from "../domain/time.ts";
import { type Way, waysBetween, waysFrom } from "./cross.ts";
import { isPegged } from "./currency.ts";
import type { FxWeek } from "./fx-week.ts";
import type { Marking } from "./mark.ts";
import { Moment } from "./moment.ts";
import { Finding, NO_COLLAR, PairPrices } from "./pair-prices.ts";
import type { Band } from "./refusal.ts";
import { SourcePrice } from "./source-price.ts";

export type FairSettings = {
  /**
   * The pairs for which par is a source, with the band around it that the venue's mid must stay in. `isAlone`: par
   * suffices where the venue shows no quotes.
   */
  readonly par: ReadonlyMap<PairSymbol, { readonly bandBps: number; readonly isAlone?: boolean }>;
  /** The venue shows no quotes; otherwise that is found out. */
  readonly isBlind?: boolean;
  readonly venueAgeMsMax: number;
  readonly referenceAgeMsMax: number;
  readonly sourcesMin: number;
  readonly sourcesMinOf?: ReadonlyMap<PairSymbol, number>;
  /** The origin of feeds that take their prices from elsewhere: feeds of one origin count as one source. */
  readonly origins?: ReadonlyMap<string, string>;
  readonly disagreementBpsMax: number;
  /** What a price of a pair can be at all. */
  readonly bands?: ReadonlyMap<PairSymbol, Band>;
  /** How holdings are marked while no price arrives; without it, at the last price indefinitely. */
  readonly marking?: Marking;
  /** The rules while the currency markets are closed; without it, the same as at other times. */
  readonly weekend?: Weekend;
  /** Keyed by `priceKey`: prices that depend on a rate of two currencies although their pair is not one. */
  readonly weekly?: ReadonlySet<string>;
  /** The lower end of the interval of a pair's hidden bid; undefined before any outcome. `fair`: NaN if there is none. */
  readonly hiddenLow?: (symbol: PairSymbol, fair: number, now: number) => number | undefined;
};

export type OwnFill = { readonly price: number; readonly at: number };

/** Identifies one source's prices of one pair. */
export function priceKey(source: string, symbol: PairSymbol): string {
  return `${source} ${symbol}`;
}

/**
 * Without a collar, no price that depends on a rate of two currencies has a fair value while their markets are closed.
 */
export type Weekend = { readonly week: FxWeek; readonly collarBps: number | undefined };

const HOUR_MS = DAY_MS / 24;
/** A last own fill, or last price of a reference, outside the band around par denies par alone for this long. */
const OFF_PEG_MS = DAY_MS;
/** The uncertainty that age adds to a price, in basis points per second: a generous estimate of a currency's move. */
const DRIFT_BPS_PER_S = 0.5;

export class Pricing {
  readonly moment = new Moment();
  readonly pairs = new Map<PairSymbol, PairPrices>();
  readonly disagreementBpsMax: number;
  readonly referenceAgeMsMax: number;
  readonly marking: Marking;
  /** The venue shows no quotes. */
  isBlind = false;
  readonly ownFills = new Map<PairSymbol, OwnFill>();
  /** Incremented with each new pair or first reference: while it is equal, paths are unchanged. */
  layout = 0;
  readonly #settings: FairSettings;
  readonly ways: PairWays;

  constructor(settings: FairSettings) {
    this.#settings = settings;
    this.ways = new PairWays(this.pairs);
    this.disagreementBpsMax = settings.disagreementBpsMax;
    this.referenceAgeMsMax = settings.referenceAgeMsMax;
    this.marking = settings.marking ?? { ageMsMax: Number.POSITIVE_INFINITY, haircutBps: 0 };
    if (settings.isBlind) this.hideQuotes();
  }

  /** The venue shows no quotes: pairs with par exist without one, and holdings are marked by other prices. */
  hideQuotes(): void {
    for (const symbol of this.#settings.par.keys()) this.pair(symbol);
    this.#setBlind(true);
  }

  showQuotes(): void {
    this.#setBlind(false);
  }

  #setBlind(isBlind: boolean): void {
    this.isBlind = isBlind;
    this.ways.isBlind = isBlind;
    this.#layOut();
    for (const prices of this.pairs.values()) prices.heard();
  }

  filled(symbol: PairSymbol, price: number, at: number): void {
    this.ownFills.set(symbol, { price, at });
    this.pairs.get(symbol)?.heard();
  }

  hiddenLow(symbol: PairSymbol, fair: number): number | undefined {
    return this.#settings.hiddenLow?.(symbol, fair, this.moment.now);
  }

  /** Whether par is a price of the pair although the venue shows none. */
  isParAlone(symbol: PairSymbol): boolean {
    return this.isBlind && this.#settings.par.get(symbol)?.isAlone === true;
  }

  /** The prices of a pair: always the same object, created on first request. */
  pair(symbol: PairSymbol): PairPrices {
    return this.pairs.get(symbol) ?? this.#added(symbol);
  }

  #added(symbol: PairSymbol): PairPrices {
    const { par, weekend, sourcesMin, sourcesMinOf } = this.#settings;
    const { base, quote } = assetsOf(symbol);
    const added = new PairPrices(symbol, {
      moment: this.moment,
      parBandBps: par.get(symbol)?.bandBps,
      sourcesMin: Math.max(sourcesMin, sourcesMinOf?.get(symbol) ?? 0),
      isOfTheWeek: weekend !== undefined && isCurrency(base) && isCurrency(quote),
      valueOf: (prices) => this.value(prices),
      referenceOf: (source) => this.#reference(source, symbol),
      onLayout: () => this.#layOut(),
    });
    this.pairs.set(symbol, added);
    this.moment.prices++;
    this.#layOut();
    return added;
  }

  #layOut(): void {
    this.layout++;
    this.ways.forget();
  }

  #reference(source: string, symbol: PairSymbol): SourcePrice {
    const { origins, bands, weekend, weekly } = this.#settings;
    const price = new SourcePrice(source, origins?.get(source), bands?.get(symbol));
    price.isOfTheWeek = weekend !== undefined && weekly?.has(priceKey(source, symbol)) === true;
    return price;
  }

  /** The value alone; undefined if there is none. */
  value(prices: PairPrices): number | undefined {
    const { reason, value } = this.judge(prices);
    return reason === undefined ? value : undefined;
  }

  /** Why a reference's price of the pair is not used now; undefined if it is used. */
  doubtOf(prices: PairPrices, source: string): NoFair | undefined {
    const reference = prices.references.find(({ name }) => name === source);
    return reference === undefined ? "missing" : (this.ownDoubtOf(reference) ?? this.judge(prices).reason);
  }

  fair(prices: PairPrices): Fair {
    const { reason, value, since, sources, apartBps, spreadBps, collarBps } = this.judge(prices);
    if (reason !== undefined) return { kind: "none", reason, limit: limitOf(prices, reason) };
    return {
      kind: "fair",
      value,
      ageMs: this.#ageOf(since),
      sources,
      disagreementBps: apartBps,
      spreadBps,
      collarBps: collarBps === Number.POSITIVE_INFINITY ? undefined : collarBps,
    };
  }

  judge(prices: PairPrices): Finding {
    return hasSource(prices) ? this.#judgeOwn(prices) : this.#judgeCross(prices);
  }

  #ageOf(since: number): number {
    return Math.max(0, this.moment.now - since);
  }

  /** Judged again when a price of the pair has changed, one in use got too old, or markets may have opened or closed. */
  #judgeOwn(prices: PairPrices): Finding {
    const { finding, version } = prices;
    const { now } = this.moment;
    if (finding.version === version && now <= finding.until) return finding;
    finding.version = version;
    finding.until = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS - 1;
    finding.reason = this.#lookAt(prices, finding);
    return finding;
  }

  #lookAt(prices: PairPrices, found: Finding): NoFair | undefined {
    const { venue, references, sourcesMin, isOfTheWeek } = prices;
    const { referenceAgeMsMax, venueAgeMsMax } = this.#settings;
    if (isOfTheWeek && this.#isShutWithoutCollar()) return "closed";
    const isParAlone = this.isParAlone(prices.symbol);
    const hasPar = prices.parBandBps !== undefined && (isParAlone || !this.isBlind);
    // Our own fills and silent references count for a time of their own.
    if (isParAlone) found.until = Number.NEGATIVE_INFINITY;
    else if (hasPar) found.expire(venue.since + venueAgeMsMax, this.moment.now);
    const offPar = !hasPar ? undefined : isParAlone ? this.#offPegAlone(prices) : this.#parProblem(prices);
    if (offPar !== undefined) return offPar;
    const doubts = references.map((source) => this.ownDoubtOf(source));
    const believed = references.filter((_, place) => doubts[place] === undefined);
    for (const { since } of believed) found.expire(since + referenceAgeMsMax, this.moment.now);
    // The venue's quote next to par is a source but not a value.
    const sources = hasPar && !isParAlone ? [venue, ...believed] : believed;
    // Par alone suffices by its setting, however many sources are required elsewhere; two names of one origin are one.
    const parSources = !hasPar ? 0 : isParAlone ? sourcesMin : 2;
    found.sources = parSources + (believed.length < 2 ? believed.length : new Set(believed.map(originOf)).size);
    const values = believed.map(midOf);
    if (hasPar) values.push(1);
    // The first problem best explains why too few sources are left.
    if (values.length === 0 || found.sources < sourcesMin)
      return doubts.find((doubt) => doubt !== undefined) ?? "missing";
    found.value = medianOf(values);
    found.since = Number.POSITIVE_INFINITY;
    found.spreadBps = 0;
    let [lowest, highest] = hasPar ? [1, 1] : [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const source of sources) {
      const mid = midOf(source);
      lowest = Math.min(lowest, mid);
      highest = Math.max(highest, mid);
      found.since = Math.min(found.since, source.since);
      found.spreadBps = Math.max(found.spreadBps, ((source.ask - source.bid) / mid) * 1e4);
    }
    found.apartBps = ((highest - lowest) / found.value) * 1e4;
    const isWeekly = isOfTheWeek || believed.some((source) => source.isOfTheWeek);
    found.collarBps = (isWeekly && this.#isClosed() ? this.#settings.weekend?.collarBps : undefined) ?? NO_COLLAR;
    // With par alone the peg band has already judged the venue's quote; a reference outside its band may be right.
    if (hasPar && values.length === 1) return doubts.includes("implausible") ? "implausible" : undefined;
    return found.apartBps <= this.disagreementBpsMax ? undefined : "disagreeing";
  }

  #isClosed(): boolean {
    return this.#settings.weekend?.week.isClosed(this.moment.now) === true;
  }

  /** The currency markets are closed and no price may depend on them. */
  #isShutWithoutCollar(): boolean {
    return this.#settings.weekend?.collarBps === undefined && this.#isClosed();
  }

  /**
   * Chooses the most reliable path: least disagreement, narrowest, freshest. Its age is that of the oldest leg, and
   * uncertainties add up. Paths with different rates disagree as sources do, however reliable each one is.
   */
  #judgeCross(prices: PairPrices): Finding {
    const none = new Finding();
    let surest: Finding | undefined;
    let leastDoubt = Number.POSITIVE_INFINITY;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (const way of this.ways.of(prices)) {
      const found = this.#walk(way);
      none.reason ??= found.reason;
      if (found.reason !== undefined) continue;
      lowest = Math.min(lowest, found.value);
      highest = Math.max(highest, found.value);
      const doubt = found.apartBps + found.spreadBps + (this.#ageOf(found.since) / 1_000) * DRIFT_BPS_PER_S;
      if (doubt >= leastDoubt) continue;
      leastDoubt = doubt;
      surest = found;
    }
    if (surest === undefined) {
      none.reason ??= "missing";
      return none;
    }
    surest.apartBps = Math.max(surest.apartBps, ((highest - lowest) / surest.value) * 1e4);
    if (surest.sources < prices.sourcesMin) surest.reason = "missing";
    else if (!(surest.apartBps <= this.disagreementBpsMax)) surest.reason = "disagreeing";
    return surest;
  }

  /** The result over the legs of a path; a problem of one leg is a problem of the path. */
  #walk(legs: Way<PairPrices>): Finding {
    const sum = new Finding();
    for (const { prices, inverse } of legs) {
      const leg = this.#judgeOwn(prices);
      sum.reason = leg.reason;
      if (leg.reason !== undefined) break;
      sum.value = inverse ? sum.value / leg.value : sum.value * leg.value;
      sum.since = Math.min(sum.since, leg.since);
      sum.sources = Math.min(sum.sources, leg.sources);
      sum.apartBps += leg.apartBps;
      sum.spreadBps += leg.spreadBps;
      sum.collarBps = Math.min(sum.collarBps, leg.collarBps);
    }
    return sum;
  }

  #parProblem({ venue, parBandBps }: PairPrices): NoFair | undefined {
    if (venue.seen !== "good") return venue.seen === "crossed" ? "crossed" : "missing";
    if (parBandBps === undefined) return "missing";
    if (!(this.moment.now - venue.since <= this.#settings.venueAgeMsMax)) return "stale";
    return Math.abs((venue.bid + venue.ask) / 2 - 1) * 1e4 <= parBandBps ? undefined : "off-peg";
  }

  /**
   * Without quotes, only our own fills and the references show that a coin left its peg; a reference that falls silent
   * does not bring it back.
   */
  #offPegAlone({ symbol, parBandBps = 0, references }: PairPrices): NoFair | undefined {
    const isOff = (price: number, at: number): boolean =>
      this.moment.now - at <= OFF_PEG_MS && Math.abs(price - 1) * 1e4 > parBandBps;
    const fill = this.ownFills.get(symbol);
    if (fill !== undefined && isOff(fill.price, fill.at)) return "off-peg";
    for (const { bid, ask, since, lastAt } of references)
      if (isOff((bid + ask) / 2, Number.isNaN(since) ? lastAt : since)) return "off-peg";
    return undefined;
  }

  /** The problem of a reference's price on its own, regardless of the others. */
  ownDoubtOf(source: SourcePrice): NoFair | undefined {
    if (source.seen !== "good") return whyUnseen(source);
    if (!(this.moment.now - source.since <= this.#settings.referenceAgeMsMax)) return "stale";
    return source.isOfTheWeek && this.#isShutWithoutCollar() ? "closed" : undefined;
  }
}

function limitOf({ sourcesMin, parBandBps }: PairPrices, reason: NoFair): number | undefined {
  return reason === "missing" ? sourcesMin : reason === "off-peg" ? parBandBps : undefined;
}

function midOf({ bid, ask }: SourcePrice): number {
  return (bid + ask) / 2;
}

function originOf({ origin }: SourcePrice): string {
  return origin;
}

function medianOf(values: number[]): number {
  if (values.length > 2) values.sort((one, other) => one - other);
  const half = values.length >> 1;
  const upper = values[half] as number;
  return values.length % 2 === 1 ? upper : ((values[half - 1] as number) + upper) / 2;
}

function whyUnseen({ seen }: SourcePrice): NoFair {
  return seen === "nothing" || seen === "unreadable" || seen === "good" ? "missing" : seen;
}

// Paths from one asset to another over the pairs with their own source. Cached until the pairs or their sources change.

class PairWays {
  readonly #pairs: ReadonlyMap<PairSymbol, PairPrices>;
  readonly #known = new Map<PairPrices, readonly Way<PairPrices>[]>();
  isBlind = false;

  constructor(pairs: ReadonlyMap<PairSymbol, PairPrices>) {
    this.#pairs = pairs;
  }

  /** Called for a new pair or a first source, because paths may change. */
  forget(): void {
    this.#known.clear();
  }

  of(prices: PairPrices): readonly Way<PairPrices>[] {
    const known = this.#known.get(prices) ?? waysBetween(prices.symbol, this.#sourced());
    this.#known.set(prices, known);
    return known;
  }

  /** Shortest first, then by name; the direct pair is one of them. */
  from(from: Asset, to: Asset): readonly Way<PairPrices>[] {
    return waysFrom(from, to, this.#sourced());
  }

  #sourced(): readonly PairPrices[] {
    // Without quotes a coin is marked at par or less, with or without a source.
    return [...this.#pairs.values()].filter((pair) => hasSource(pair) || (this.isBlind && isPegged(pair.symbol)));
  }
}

/** Par or a reference; without either a pair is valued over other pairs. */
function hasSource({ parBandBps, references }: PairPrices): boolean {
  return parBandBps !== undefined || references.length > 0;
}
