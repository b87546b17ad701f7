// The synthetic market: every asset has a value in CHF (a walk for its reference, a reverting deviation from par, the
// stress of the day), and every pair has a price from two values, its own noise and a spread. A pure function of seed
// and time; values are cached only for speed.

import { assetsOf, type PairSymbol } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import type { Market, Top } from "./market.ts";
import { normal, type Stream, streamOf, uniform } from "./noise.ts";
import { DEFAULT_MARKET, type MarketParameters, type PairParameters, type StressParameters } from "./parameters.ts";
import { Path } from "./path.ts";
import { closedSince } from "./weekend.ts";

const YEAR_MS = 365.25 * 86_400_000;

export function syntheticMarket(seed: number, parameters: MarketParameters = DEFAULT_MARKET): Market {
  invariant(Number.isSafeInteger(seed), `seed must be a safe whole number, was ${seed}`);
  const { gridMs, depthEpochMs, weekendCloses } = parameters;
  invariant(depthEpochMs % gridMs === 0, `a depth epoch must be whole cells of ${gridMs} ms, was ${depthEpochMs}`);
  const references = new Map<string, Reference>();
  for (const name of Object.keys(parameters.references)) references.set(name, new Reference(name, seed, parameters));
  const values = new Map<string, Value>();
  for (const name of [...references.keys(), ...Object.keys(parameters.pegs)])
    values.set(name, new Value(name, seed, parameters, references));
  const pairs = new Map<string, SyntheticPair>();
  for (const [symbol, pair] of Object.entries(parameters.pairs))
    pairs.set(symbol, new SyntheticPair(symbol as PairSymbol, pair, seed, parameters, values));

  return {
    read(symbol, at, into) {
      const pair = pairs.get(symbol);
      if (pair === undefined) return false;
      const cell = Math.floor(at / gridMs);
      const close = weekendCloses ? closedSince(at) : undefined;
      if (close === undefined) pair.read(cell, cell, into);
      else if (pair.crossesCurrencies) return false;
      else pair.read(cell, Math.floor(close / gridMs), into);
      return true;
    },
    rate(base, quote, at) {
      const one = values.get(base)?.reference;
      const other = values.get(quote)?.reference;
      if (one === undefined || other === undefined) return undefined;
      const cell = Math.floor(at / gridMs);
      const close = weekendCloses ? closedSince(at) : undefined;
      const fxCell = close === undefined ? cell : Math.floor(close / gridMs);
      return Math.exp(one.log(cell, fxCell) - other.log(cell, fxCell));
    },
    depthEpoch: (at) => Math.floor(at / depthEpochMs),
  };
}

// References and values cache their last result, because pairs share them.

/** The logarithmic value in CHF of the reference that an asset represents. */
class Reference {
  readonly sleeps: boolean;
  private readonly level: number;
  /** Undefined for a reference that does not move. */
  private readonly path: Path | undefined;
  private readonly atAnchor: number = 0;
  private readonly drift: number = 0;
  private readonly anchorCell: number = 0;
  private cell = Number.NaN;
  private last = Number.NaN;

  constructor(name: string, seed: number, parameters: MarketParameters) {
    const { levelChf, volatilityPerYear, kind } = parameters.references[name] as MarketParameters["references"][string];
    this.sleeps = kind === "fiat";
    this.level = Math.log(levelChf);
    if (volatilityPerYear === 0) return;
    const { gridMs, anchor } = parameters;
    const path = new Path(streamOf(seed, `reference:${name}`), { kind: "walk", perYear: volatilityPerYear }, gridMs);
    this.path = path;
    this.anchorCell = Math.floor(anchor / gridMs);
    this.atAnchor = path.at(this.anchorCell);
    // Half the variance is subtracted, so that the expected price, not its logarithm, stays constant.
    this.drift = (-(volatilityPerYear ** 2) / 2 / YEAR_MS) * gridMs;
  }

  /** A currency does not move while its markets are closed. */
  log(cell: number, fxCell: number): number {
    const { path } = this;
    if (path === undefined) return this.level;
    const own = this.sleeps ? fxCell : cell;
    if (own !== this.cell) {
      this.last = this.level + path.at(own) - this.atAnchor + this.drift * (own - this.anchorCell);
      this.cell = own;
    }
    return this.last;
  }
}

/** An asset's logarithmic value in CHF, and its stress (0 to 1), as of the last read. */
class Value {
  readonly reference: Reference;
  readonly currency: string | undefined;
  log = Number.NaN;
  stress = Number.NaN;
  private readonly gridMs: number;
  /** Undefined for an asset that does not deviate from its reference. */
  private readonly deviation: Path | undefined;
  private readonly episodeOf: ((day: number) => Stress | undefined) | undefined;
  private cell = Number.NaN;
  private fxCell = Number.NaN;
  private day = -1;
  private episode: Stress | undefined;

  constructor(name: string, seed: number, parameters: MarketParameters, references: ReadonlyMap<string, Reference>) {
    const peg = parameters.pegs[name];
    const referenceName = peg?.reference ?? name;
    const reference = references.get(referenceName);
    invariant(reference !== undefined, `peg of ${name} must stand for a known reference, was ${referenceName}`);
    this.reference = reference;
    this.currency = reference.sleeps ? referenceName : undefined;
    this.gridMs = parameters.gridMs;
    if (peg === undefined) return;
    const law = { kind: "reverting", deviation: peg.deviationBps / 1e4, halfLifeMs: peg.halfLifeMs } as const;
    if (peg.deviationBps !== 0) this.deviation = new Path(streamOf(seed, `peg:${name}`), law, parameters.gridMs);
    if (!peg.stressed) return;
    const stream = streamOf(seed, `stress:${name}`);
    this.episodeOf = (day) => stressOfDay(stream, parameters.stress, day);
  }

  look(cell: number, fxCell: number): void {
    if (cell === this.cell && fxCell === this.fxCell) return;
    const strayed = this.deviation === undefined ? 0 : this.deviation.at(cell);
    const episode = this.episodeOf === undefined ? undefined : this.episodeAt(cell, this.episodeOf);
    this.stress = episode === undefined ? 0 : stressLevel(episode, cell * this.gridMs);
    const shift = episode === undefined ? 0 : episode.shift * this.stress;
    this.log = this.reference.log(cell, fxCell) + strayed + shift;
    this.cell = cell;
    this.fxCell = fxCell;
  }

  private episodeAt(cell: number, episodeOf: (day: number) => Stress | undefined): Stress | undefined {
    const day = dayOf(cell * this.gridMs);
    if (day !== this.day) {
      this.day = day;
      this.episode = episodeOf(day);
    }
    return this.episode;
  }
}

class SyntheticPair {
  readonly crossesCurrencies: boolean;
  private readonly one: Value;
  private readonly other: Value;
  private readonly halfSpread: number;
  private readonly depth: number;
  private readonly parameters: MarketParameters;
  /** Undefined for a pair without noise. */
  private readonly noise: Path | undefined;
  private readonly bidStream: Stream;
  private readonly askStream: Stream;
  private epoch = -1;
  private bidDraw = Number.NaN;
  private askDraw = Number.NaN;

  constructor(
    symbol: PairSymbol,
    pair: PairParameters,
    seed: number,
    parameters: MarketParameters,
    values: ReadonlyMap<string, Value>,
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
    this.crossesCurrencies =
      one.currency !== undefined && other.currency !== undefined && one.currency !== other.currency;
    const law = { kind: "reverting", deviation: pair.noiseBps / 1e4, halfLifeMs: pair.noiseHalfLifeMs } as const;
    if (pair.noiseBps !== 0) this.noise = new Path(streamOf(seed, `pair:${symbol}`), law, parameters.gridMs);
    this.bidStream = streamOf(seed, `bid-size:${symbol}`);
    this.askStream = streamOf(seed, `ask-size:${symbol}`);
  }

  read(cell: number, fxCell: number, into: Top): void {
    const { one, other } = this;
    const { stress, depthEpochMs, gridMs } = this.parameters;
    one.look(cell, fxCell);
    other.look(cell, fxCell);
    const noise = this.noise === undefined ? 0 : this.noise.at(cell);
    const middle = Math.exp(one.log - other.log + noise);
    const level = Math.max(one.stress, other.stress);
    const half = this.halfSpread * (1 + (stress.spreadFactor - 1) * level);
    const depth = this.depth * (1 + (stress.depthFactor - 1) * level);
    const epoch = Math.floor((cell * gridMs) / depthEpochMs);
    if (epoch !== this.epoch) this.draw(epoch);
    into.bid = middle * (1 - half);
    into.ask = middle * (1 + half);
    into.bidSize = depth * this.bidDraw;
    into.askSize = depth * this.askDraw;
  }

  private draw(epoch: number): void {
    const { depthSigma } = this.parameters;
    this.epoch = epoch;
    this.bidDraw = Math.exp(depthSigma * normal(this.bidStream, epoch));
    this.askDraw = Math.exp(depthSigma * normal(this.askStream, epoch));
  }
}

// Stress episodes of a coin: at most one a day, drawn from the day's number and wholly inside that day, so that the day
// alone determines it. An episode rises fast and decays slowly.

const DAY = 86_400_000;
/** The share of an episode in which it rises. */
const RISE = 0.1;
const LOSS_SHARE = 0.8;

type Stress = { readonly startAt: number; readonly lengthMs: number; readonly shift: number };

/** The episode of a day; `shift` is the change of the logarithm of the coin's price at its peak. */
function stressOfDay(stream: Stream, parameters: StressParameters, day: number): Stress | undefined {
  const draw = (part: number): number => uniform(stream, day * 8 + part);
  if (draw(0) >= parameters.chancePerDay) return undefined;
  const lengthMs = parameters.minMs + draw(1) * (parameters.maxMs - parameters.minMs);
  const size = (parameters.minBps + draw(2) * (parameters.maxBps - parameters.minBps)) / 1e4;
  return {
    startAt: day * DAY + draw(3) * (DAY - lengthMs),
    lengthMs,
    shift: draw(4) < LOSS_SHARE ? -size : size,
  };
}

function dayOf(at: number): number {
  return Math.floor(at / DAY);
}

/** From 0 (none) to 1 (the peak). */
function stressLevel(stress: Stress, at: number): number {
  const part = (at - stress.startAt) / stress.lengthMs;
  if (part <= 0 || part >= 1) return 0;
  return part < RISE ? part / RISE : ((1 - part) / (1 - RISE)) ** 2;
}
