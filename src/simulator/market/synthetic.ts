// The market inside: every asset has a value in CHF (a walk for what it stands for, a reverting deviation from par, the
// stress of the day), every pair a price made of two values, its own noise and a spread. A pure function of seed and
// time: values are remembered only to be fast.

import { type Asset, assetsOf, type PairSymbol } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import type { Millis } from "../../domain/time.ts";
import { emptyTop, type Market, type Top } from "./market.ts";
import { normal, type Stream, streamOf } from "./noise.ts";
import { DEFAULT_MARKET, type MarketParameters, type PairParameters } from "./parameters.ts";
import { createPath, type Path } from "./path.ts";
import { dayOf, type Stress, stressLevel, stressOfDay } from "./stress.ts";
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
  const closed = (at: Millis): Millis | undefined => (weekendCloses ? closedSince(at) : undefined);

  return {
    read(symbol, at, into) {
      const pair = pairs.get(symbol);
      if (pair === undefined) return false;
      const close = closed(at);
      if (close !== undefined && pair.crossesCurrencies) return false;
      pair.read(Math.floor(at / gridMs), Math.floor((close ?? at) / gridMs), into);
      return true;
    },
    rate(base, quote, at) {
      const one = references.get(referenceOf(base, parameters));
      const other = references.get(referenceOf(quote, parameters));
      if (one === undefined || other === undefined) return undefined;
      const cell = Math.floor(at / gridMs);
      const fxCell = Math.floor((closed(at) ?? at) / gridMs);
      return Math.exp(one.log(one.sleeps ? fxCell : cell) - other.log(other.sleeps ? fxCell : cell));
    },
    depthEpoch: (at) => Math.floor(at / depthEpochMs),
  };
}

// What follows keeps its last answer: pairs share assets, and readers stay in one cell for a while.

/** What an asset stands for: its logarithmic value in CHF. */
class Reference {
  readonly sleeps: boolean;
  readonly #level: number;
  /** Undefined for what does not move. */
  readonly #path: Path | undefined;
  readonly #atAnchor: number = 0;
  readonly #drift: number = 0;
  readonly #anchorCell: number = 0;
  #cell = Number.NaN;
  #log = 0;

  constructor(name: string, seed: number, parameters: MarketParameters) {
    const { levelChf, volatilityPerYear, kind } = parameters.references[name] as MarketParameters["references"][string];
    this.sleeps = kind === "fiat";
    this.#level = Math.log(levelChf);
    if (volatilityPerYear === 0) return;
    const { gridMs, anchor } = parameters;
    const path = createPath(streamOf(seed, `reference:${name}`), { kind: "walk", perYear: volatilityPerYear }, gridMs);
    this.#path = path;
    this.#anchorCell = Math.floor(anchor / gridMs);
    this.#atAnchor = path.at(this.#anchorCell);
    // Half the variance is taken off, so that the expected price, not its logarithm, stays where it is.
    this.#drift = (-(volatilityPerYear ** 2) / 2 / YEAR_MS) * gridMs;
  }

  log(cell: number): number {
    const path = this.#path;
    if (path === undefined) return this.#level;
    if (cell !== this.#cell) {
      this.#cell = cell;
      this.#log = this.#level + path.at(cell) - this.#atAnchor + this.#drift * (cell - this.#anchorCell);
    }
    return this.#log;
  }
}

/** An asset's logarithmic value in CHF, and how stressed it is (0 to 1). */
class Value {
  readonly currency: string | undefined;
  readonly #reference: Reference;
  readonly #gridMs: number;
  /** Undefined for what does not stray from what it stands for. */
  readonly #deviation: Path | undefined;
  readonly #episodeOf: ((day: number) => Stress | undefined) | undefined;
  #cell = Number.NaN;
  #strayed = 0;
  #stress = 0;
  #shift = 0;
  #day = Number.NaN;
  #episode: Stress | undefined;

  constructor(name: string, seed: number, parameters: MarketParameters, references: ReadonlyMap<string, Reference>) {
    const referenceName = referenceOf(name, parameters);
    const reference = references.get(referenceName);
    invariant(reference !== undefined, `peg of ${name} must stand for a known reference, was ${referenceName}`);
    this.#reference = reference;
    this.currency = reference.sleeps ? referenceName : undefined;
    this.#gridMs = parameters.gridMs;
    const peg = parameters.pegs[name];
    if (peg === undefined) return;
    const law = { kind: "reverting", deviation: peg.deviationBps / 1e4, halfLifeMs: peg.halfLifeMs } as const;
    if (peg.deviationBps !== 0) this.#deviation = createPath(streamOf(seed, `peg:${name}`), law, parameters.gridMs);
    if (!peg.stressed) return;
    const stream = streamOf(seed, `stress:${name}`);
    this.#episodeOf = (day) => stressOfDay(stream, parameters.stress, day);
  }

  log(cell: number, fxCell: number): number {
    if (cell !== this.#cell) this.#look(cell);
    const reference = this.#reference;
    return reference.log(reference.sleeps ? fxCell : cell) + this.#strayed + this.#shift * this.#stress;
  }

  stress(cell: number): number {
    if (cell !== this.#cell) this.#look(cell);
    return this.#stress;
  }

  #look(cell: number): void {
    this.#cell = cell;
    if (this.#deviation !== undefined) this.#strayed = this.#deviation.at(cell);
    const episodeOf = this.#episodeOf;
    if (episodeOf === undefined) return;
    const at = cell * this.#gridMs;
    const day = dayOf(at);
    if (day !== this.#day) {
      this.#day = day;
      this.#episode = episodeOf(day);
    }
    const episode = this.#episode;
    this.#shift = episode === undefined ? 0 : episode.shift;
    this.#stress = episode === undefined ? 0 : stressLevel(episode, at);
  }
}

class SyntheticPair {
  readonly crossesCurrencies: boolean;
  readonly #one: Value;
  readonly #other: Value;
  readonly #pair: PairParameters;
  readonly #parameters: MarketParameters;
  /** Undefined for a pair without noise of its own. */
  readonly #noise: Path | undefined;
  readonly #bidStream: Stream;
  readonly #askStream: Stream;
  #epoch = Number.NaN;
  #bidDraw = 0;
  #askDraw = 0;
  #cell = -1;
  readonly #top = emptyTop();

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
    this.#one = one;
    this.#other = other;
    this.#pair = pair;
    this.#parameters = parameters;
    this.crossesCurrencies =
      one.currency !== undefined && other.currency !== undefined && one.currency !== other.currency;
    const law = { kind: "reverting", deviation: pair.noiseBps / 1e4, halfLifeMs: pair.noiseHalfLifeMs } as const;
    if (pair.noiseBps !== 0) this.#noise = createPath(streamOf(seed, `pair:${symbol}`), law, parameters.gridMs);
    this.#bidStream = streamOf(seed, `bid-size:${symbol}`);
    this.#askStream = streamOf(seed, `ask-size:${symbol}`);
  }

  read(cell: number, fxCell: number, into: Top): void {
    const top = this.#top;
    if (cell !== this.#cell) this.#look(cell, fxCell);
    into.bid = top.bid;
    into.ask = top.ask;
    into.bidSize = top.bidSize;
    into.askSize = top.askSize;
  }

  #look(cell: number, fxCell: number): void {
    const [one, other, top] = [this.#one, this.#other, this.#top];
    const { halfSpreadBps, depth: whole } = this.#pair;
    const { stress, depthEpochMs, gridMs } = this.#parameters;
    const level = Math.max(one.stress(cell), other.stress(cell));
    const noise = this.#noise === undefined ? 0 : this.#noise.at(cell);
    const middle = Math.exp(one.log(cell, fxCell) - other.log(cell, fxCell) + noise);
    const half = (halfSpreadBps / 1e4) * (1 + (stress.spreadFactor - 1) * level);
    const depth = whole * (1 + (stress.depthFactor - 1) * level);
    const epoch = Math.floor((cell * gridMs) / depthEpochMs);
    if (epoch !== this.#epoch) this.#draw(epoch);
    top.bid = middle * (1 - half);
    top.ask = middle * (1 + half);
    top.bidSize = depth * this.#bidDraw;
    top.askSize = depth * this.#askDraw;
    this.#cell = cell;
  }

  #draw(epoch: number): void {
    const { depthSigma } = this.#parameters;
    this.#epoch = epoch;
    this.#bidDraw = Math.exp(depthSigma * normal(this.#bidStream, epoch));
    this.#askDraw = Math.exp(depthSigma * normal(this.#askStream, epoch));
  }
}

function referenceOf(asset: Asset | string, parameters: MarketParameters): string {
  return parameters.pegs[asset]?.reference ?? asset;
}
