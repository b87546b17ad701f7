// The synthetic market: every asset has a value in CHF (a walk for its reference, a reverting deviation from par, the
// stress of the day), and every pair has a price from two values, its own noise and a spread. A pure function of seed
// and time; values are cached only for speed.

import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { Issuer, Pegged } from "./depeg.ts";
import { FxClock, Jumps, walkPerYear, YEAR_MS } from "./fx.ts";
import type { Closure, Market, Top } from "./market.ts";
import { normal, type Stream, streamOf, uniform } from "./noise.ts";
import {
  DEMO_MARKET,
  type MarketParameters,
  type PairParameters,
  type ReferenceParameters,
  type StressParameters,
} from "./parameters.ts";
import { Path } from "./path.ts";
import { closedSince } from "./weekend.ts";

export function syntheticMarket(seed: number, parameters: MarketParameters = DEMO_MARKET): Market {
  invariant(Number.isSafeInteger(seed), `seed must be a safe whole number, was ${seed}`);
  const { gridMs, depthEpochMs, dealing } = parameters;
  invariant(depthEpochMs % gridMs === 0, `a depth epoch must be whole cells of ${gridMs} ms, was ${depthEpochMs}`);
  const shared: Shared = {
    clock: new FxClock(seed, parameters),
    common: new CommonMoves(seed, parameters),
    lags: streamOf(seed, "lag"),
  };
  const references = new Map<string, Reference>();
  for (const name of Object.keys(parameters.references))
    references.set(name, new Reference(name, seed, parameters, shared));
  const issuers = new Map<string, Issuer>();
  const values = new Map<string, Value>();
  for (const name of [...references.keys(), ...Object.keys(parameters.pegs)])
    values.set(name, new Value(name, seed, parameters, references, issuers));
  const pairs = new Map<string, SyntheticPair>();
  for (const [symbol, pair] of Object.entries(parameters.pairs))
    pairs.set(symbol, new SyntheticPair(symbol as PairSymbol, pair, seed, parameters, values, shared));
  const moment: PriceMoment = { at: millis(0), cell: 0, lagged: millis(0), isClosed: false };
  const look = (at: Millis): PriceMoment => {
    if (at === moment.at) return moment;
    moment.at = at;
    moment.cell = Math.floor(at / gridMs);
    moment.isClosed = parameters.weekendCloses && closedSince(at) !== undefined;
    const { lagMinMs, lagMaxMs } = dealing;
    const lag =
      lagMaxMs === 0 ? 0 : lagMinMs + (lagMaxMs - lagMinMs) * uniform(shared.lags, Math.floor(at / depthEpochMs));
    const lagged = lag === 0 ? at : millis(Math.floor(at - lag));
    // At the opening the dealer knows the new rate: Friday's would be a gift at a time known in advance.
    const isOpening = parameters.weekendCloses && !moment.isClosed && closedSince(lagged) !== undefined;
    moment.lagged = isOpening ? at : lagged;
    return moment;
  };

  return {
    read(symbol, at, into, shift = 0) {
      const pair = pairs.get(symbol);
      return pair?.read(look(at), into, shift) ?? false;
    },
    rate(base, quote, at) {
      const one = values.get(base)?.reference;
      const other = values.get(quote)?.reference;
      if (one === undefined || other === undefined) return undefined;
      return Math.exp(one.log(at) - other.log(at));
    },
    closure(asset, at) {
      const value = values.get(asset);
      if (value === undefined) return "open";
      value.look(Math.floor(at / gridMs), at);
      return value.closure;
    },
    stale: (symbol, at) => pairs.get(symbol)?.stale(look(at)) ?? 0,
    depthEpoch: (at) => Math.floor(at / depthEpochMs),
  };
}

type Shared = { readonly clock: FxClock; readonly common: CommonMoves; readonly lags: Stream };

/** `lagged`: the time of the rate between currencies that the dealer knows. */
type PriceMoment = { at: Millis; cell: number; lagged: Millis; isClosed: boolean };

// References and values cache their last result, because pairs share them.

/** The moves that all currencies share, at the volatility of one per year. */
class CommonMoves {
  private readonly path: Path;
  private readonly jumps: Jumps;
  private cell = Number.NaN;
  private last = Number.NaN;

  constructor(seed: number, parameters: MarketParameters) {
    this.path = new Path(streamOf(seed, "fx-common"), { kind: "walk", perYear: 1 }, parameters.gridMs);
    this.jumps = new Jumps(streamOf(seed, "fx-common-jumps"), parameters, "all");
  }

  walk(cell: number): number {
    if (cell !== this.cell) {
      this.last = this.path.at(cell);
      this.cell = cell;
    }
    return this.last;
  }

  jumped(at: Millis): number {
    return this.jumps.at(at);
  }
}

/** The logarithmic value in CHF of the reference that an asset represents. */
class Reference {
  readonly isCurrency: boolean;
  private readonly shared: Shared;
  private readonly level: number;
  /** Undefined for a reference that does not move. */
  private readonly path: Path | undefined;
  /** Undefined for a reference without jumps. */
  private readonly jumps: Jumps | undefined;
  private readonly gridMs: number;
  private readonly anchorCell: number;
  /** Of the shared walk and of its own. */
  private readonly weights: { readonly common: number; readonly own: number } = { common: 0, own: 1 };
  private readonly atAnchor: number = 0;
  private readonly drift: number = 0;
  private time = Number.NaN;
  private cell = Number.NaN;
  private walked = Number.NaN;
  private last = Number.NaN;

  constructor(name: string, seed: number, parameters: MarketParameters, shared: Shared) {
    const { levelChf, volatilityPerYear, kind } = parameters.references[name] as ReferenceParameters;
    const { gridMs, anchor, fx } = parameters;
    this.shared = shared;
    this.isCurrency = kind === "fiat";
    this.level = Math.log(levelChf);
    this.gridMs = gridMs;
    this.anchorCell = Math.floor(anchor / gridMs);
    if (volatilityPerYear === 0) return;
    const perYear = this.isCurrency ? walkPerYear(volatilityPerYear, fx) : volatilityPerYear;
    this.path = new Path(streamOf(seed, `reference:${name}`), { kind: "walk", perYear }, gridMs);
    if (this.isCurrency && fx.correlation > 0)
      this.weights = { common: perYear * Math.sqrt(fx.correlation), own: Math.sqrt(1 - fx.correlation) };
    if (this.isCurrency && fx.jumpsPerYear + fx.crashesPerYear > 0)
      this.jumps = new Jumps(streamOf(seed, `jumps:${name}`), parameters, name);
    this.atAnchor = this.moved(this.anchorCell) + this.jumped(anchor);
    // Half the variance is subtracted, so that the expected price, not its logarithm, stays constant.
    this.drift = (-(perYear ** 2) / 2 / YEAR_MS) * gridMs;
  }

  log(at: Millis): number {
    if (this.path === undefined) return this.level;
    if (at === this.time) return this.last;
    this.time = at;
    const cell = Math.floor((this.isCurrency ? this.shared.clock.at(at) : at) / this.gridMs);
    if (cell !== this.cell) {
      this.walked = this.level + this.moved(cell) - this.atAnchor + this.drift * (cell - this.anchorCell);
      this.cell = cell;
    }
    this.last = this.jumps === undefined ? this.walked : this.walked + this.jumped(at);
    return this.last;
  }

  private moved(cell: number): number {
    const { common, own } = this.weights;
    const moved = (this.path as Path).at(cell);
    return common === 0 ? moved : common * this.shared.common.walk(cell) + own * moved;
  }

  private jumped(at: Millis): number {
    return this.jumps === undefined ? 0 : this.jumps.at(at) + this.shared.common.jumped(at);
  }
}

/** An asset's logarithmic value in CHF, and its stress (0 to 1), as of the last read. */
class Value {
  readonly reference: Reference;
  readonly currency: string | undefined;
  readonly floor: number;
  log = Number.NaN;
  stress = Number.NaN;
  /** The part of its logarithm that an event took. */
  fallen = 0;
  closure: Closure = "open";
  private readonly pegged: Pegged | undefined;
  private readonly gridMs: number;
  /** Undefined for an asset that does not deviate from its reference. */
  private readonly deviation: Path | undefined;
  private readonly episodes: Episodes | undefined;
  private cell = Number.NaN;
  private rateAt = Number.NaN;

  constructor(
    name: string,
    seed: number,
    parameters: MarketParameters,
    references: ReadonlyMap<string, Reference>,
    issuers: Map<string, Issuer>,
  ) {
    const peg = parameters.pegs[name];
    const referenceName = peg?.reference ?? name;
    const reference = references.get(referenceName);
    invariant(reference !== undefined, `peg of ${name} must stand for a known reference, was ${referenceName}`);
    this.reference = reference;
    this.currency = reference.isCurrency ? referenceName : undefined;
    this.gridMs = parameters.gridMs;
    this.floor = (peg?.floorBps ?? 10_000) / 1e4;
    if (peg === undefined) return;
    const law = { kind: "reverting", deviation: peg.deviationBps / 1e4, halfLifeMs: peg.halfLifeMs } as const;
    if (peg.deviationBps !== 0) this.deviation = new Path(streamOf(seed, `peg:${name}`), law, parameters.gridMs);
    const { stress, staged } = parameters;
    if (peg.stressed && stress.chancePerDay > 0) this.episodes = new Episodes(streamOf(seed, `stress:${name}`), stress);
    const { lesserPerYear, flashesPerYear, collapsesPerYear, endsPerYear } = stress;
    const isStaged = staged?.issuers.includes(peg.issuer) === true;
    const many = isStaged ? 0 : lesserPerYear + flashesPerYear + collapsesPerYear + endsPerYear;
    if (many === 0 && staged?.event?.of !== peg.issuer) return;
    const issuer = issuers.get(peg.issuer) ?? new Issuer(seed, peg.issuer, parameters);
    issuers.set(peg.issuer, issuer);
    this.pegged = new Pegged(seed, name, issuer, stress);
  }

  /** `rateAt`: the time of the currency's rate. */
  look(cell: number, rateAt: Millis): void {
    if (cell === this.cell && rateAt === this.rateAt) return;
    const strayed = this.deviation === undefined ? 0 : this.deviation.at(cell);
    this.stress = 0;
    this.fallen = 0;
    this.closure = "open";
    const episode = this.episodes?.at(cell * this.gridMs);
    if (episode !== undefined) {
      this.stress = levelOf(episode, cell * this.gridMs);
      this.fallen = episode.shift * this.stress;
      if (this.stress > 0) this.closure = "redemption";
    }
    if (this.pegged !== undefined) {
      this.pegged.look(cell * this.gridMs);
      this.fallen += this.pegged.shift;
      this.stress = Math.max(this.stress, this.pegged.level);
      this.closure = this.pegged.closure;
    }
    this.log = this.reference.log(rateAt) + strayed + this.fallen;
    this.cell = cell;
    this.rateAt = rateAt;
  }
}

class SyntheticPair {
  private readonly crossesCurrencies: boolean;
  /** A coin against its own currency: the floor applies. */
  private readonly isOwn: boolean;
  private readonly one: Value;
  private readonly other: Value;
  private readonly halfSpread: number;
  private readonly depth: number;
  private readonly parameters: MarketParameters;
  private readonly shared: Shared;
  /** Undefined for a pair without noise. */
  private readonly noise: Path | undefined;
  private readonly streams: {
    readonly bid: Stream;
    readonly ask: Stream;
    readonly spread: Stream;
    readonly side: Stream;
  };
  private epoch = -1;
  private bidDraw = Number.NaN;
  private askDraw = Number.NaN;
  private spreadDraw = 1;

  constructor(
    symbol: PairSymbol,
    pair: PairParameters,
    seed: number,
    parameters: MarketParameters,
    values: ReadonlyMap<string, Value>,
    shared: Shared,
  ) {
    const { base, quote } = assetsOf(symbol);
    const one = values.get(base);
    const other = values.get(quote);
    invariant(one !== undefined && other !== undefined, `both assets of ${symbol} must have a value in the market`);
    this.one = one;
    this.other = other;
    this.halfSpread = pair.halfSpreadBps / 1e4;
    this.depth = pair.depth;
    this.parameters = parameters;
    this.shared = shared;
    this.isOwn = one.reference === other.reference;
    this.crossesCurrencies =
      one.currency !== undefined && other.currency !== undefined && one.currency !== other.currency;
    const law = { kind: "reverting", deviation: pair.noiseBps / 1e4, halfLifeMs: pair.noiseHalfLifeMs } as const;
    if (pair.noiseBps !== 0) this.noise = new Path(streamOf(seed, `pair:${symbol}`), law, parameters.gridMs);
    this.streams = {
      bid: streamOf(seed, `bid-size:${symbol}`),
      ask: streamOf(seed, `ask-size:${symbol}`),
      spread: streamOf(seed, `spread:${symbol}`),
      side: streamOf(seed, `side:${symbol}`),
    };
  }

  read(moment: PriceMoment, into: Top, moved: number): boolean {
    const { one, other } = this;
    const { stress, depthEpochMs, gridMs, weekendSpreadFactor, dealing } = this.parameters;
    const { at, cell, lagged: rateAt } = moment;
    const isWide = this.crossesCurrencies && moment.isClosed;
    if (isWide && weekendSpreadFactor === 0) return false;
    if (this.isWithdrawn(moment)) return false;
    one.look(cell, rateAt);
    other.look(cell, rateAt);
    const noise = this.noise === undefined ? 0 : this.noise.at(cell);
    const middle = Math.exp(one.log - other.log + noise + moved);
    const level = Math.max(one.stress, other.stress);
    const epoch = Math.floor((cell * gridMs) / depthEpochMs);
    if (epoch !== this.epoch) this.draw(epoch);
    let half = this.halfSpread * (1 + (stress.spreadFactor - 1) * level) * this.spreadDraw;
    if (isWide) half *= weekendSpreadFactor;
    else if (this.crossesCurrencies && dealing.volatilityPower > 0)
      half *= Math.max(1, this.shared.clock.volatility(at)) ** dealing.volatilityPower;
    const depth = this.depth * (1 + (stress.depthFactor - 1) * level);
    into.bid = middle * (1 - half);
    into.ask = middle * (1 + half);
    into.bidSize = depth * this.bidDraw;
    into.askSize = depth * this.askDraw;
    if (this.isOwn) {
      const par = one.fallen === 0 ? 1 : Math.exp(one.fallen);
      into.bid = Math.min(into.bid, par * (1 + one.floor));
      into.ask = Math.max(into.ask, par * (1 - one.floor));
    }
    if (dealing.oneSidedShare > 0) this.dropSide(Math.floor(at / HOUR), into);
    return true;
  }

  stale({ at, lagged }: PriceMoment): number {
    return this.crossesCurrencies && lagged !== at ? this.crossed(at) - this.crossed(lagged) : 0;
  }

  /** The dealer sees the world with its least delay, and takes its quotes away while they are too far from it. */
  private isWithdrawn({ at, lagged, isClosed }: PriceMoment): boolean {
    const { withdrawBps, lagMinMs } = this.parameters.dealing;
    if (withdrawBps === 0 || !this.crossesCurrencies || isClosed || lagged === at) return false;
    return Math.abs(this.crossed(millis(at - lagMinMs)) - this.crossed(lagged)) * 1e4 > withdrawBps;
  }

  private crossed(at: Millis): number {
    return this.one.reference.log(at) - this.other.reference.log(at);
  }

  private dropSide(hour: number, into: Top): void {
    const place = uniform(this.streams.side, hour) / this.parameters.dealing.oneSidedShare;
    if (place < 0.5) into.bidSize = 0;
    else if (place < 1) into.askSize = 0;
  }

  private draw(epoch: number): void {
    const { depthSigma, spreadSigma } = this.parameters;
    const { bid, ask, spread } = this.streams;
    this.epoch = epoch;
    this.bidDraw = Math.exp(depthSigma * normal(bid, epoch));
    this.askDraw = Math.exp(depthSigma * normal(ask, epoch));
    if (spreadSigma > 0) this.spreadDraw = Math.exp(spreadSigma * normal(spread, epoch));
  }
}

// Episodes of a coin in the market for demonstrations: each is drawn from its day's number and lies inside that day. It
// rises fast and decays slowly.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const RISE = 0.1;
const LOSS_SHARE = 0.8;

/** `shift` is the change of the logarithm of the coin's price at the peak. */
type Episode = { readonly startAt: number; readonly lengthMs: number; readonly shift: number };

class Episodes {
  private readonly stream: Stream;
  private readonly stress: StressParameters;
  private day = -1;
  private today: Episode | undefined;

  constructor(stream: Stream, stress: StressParameters) {
    this.stream = stream;
    this.stress = stress;
  }

  at(at: number): Episode | undefined {
    const day = Math.floor(at / DAY);
    if (day !== this.day) this.today = this.drawn(day);
    this.day = day;
    return this.today;
  }

  private drawn(day: number): Episode | undefined {
    const { chancePerDay, minMs, maxMs, minBps, maxBps } = this.stress;
    const draw = (part: number): number => uniform(this.stream, day * 8 + part);
    if (draw(0) >= chancePerDay) return undefined;
    const lengthMs = minMs + draw(1) * (maxMs - minMs);
    const size = (minBps + draw(2) * (maxBps - minBps)) / 1e4;
    const shift = draw(4) < LOSS_SHARE ? -size : size;
    return { startAt: day * DAY + draw(3) * (DAY - lengthMs), lengthMs, shift };
  }
}

/** From 0 (none) to 1 (the peak). */
function levelOf({ startAt, lengthMs }: Episode, at: number): number {
  const part = (at - startAt) / lengthMs;
  if (part <= 0 || part >= 1) return 0;
  return part < RISE ? part / RISE : ((1 - part) / (1 - RISE)) ** 2;
}
