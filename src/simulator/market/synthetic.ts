// The market inside: every asset has a value in CHF (a walk for what it stands for, a reverting deviation from par, the
// stress of the day), every pair a price made of two values, its own noise and a spread. A pure function of seed and
// time: values are remembered only to be fast.

import { type Asset, assetsOf, type PairSymbol } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import type { Millis } from "../../domain/time.ts";
import type { Market, Top } from "./market.ts";
import { normal, type Stream, streamOf } from "./noise.ts";
import { DEFAULT_MARKET, type MarketParameters, type PairParameters } from "./parameters.ts";
import { createPath } from "./path.ts";
import { dayOf, type Stress, stressLevel, stressOfDay } from "./stress.ts";
import { closedSince } from "./weekend.ts";

const YEAR_MS = 365.25 * 86_400_000;

export function syntheticMarket(seed: number, parameters: MarketParameters = DEFAULT_MARKET): Market {
  invariant(Number.isSafeInteger(seed), `seed must be a safe whole number, was ${seed}`);
  const { gridMs, depthEpochMs, weekendCloses } = parameters;
  invariant(depthEpochMs % gridMs === 0, `a depth epoch must be whole cells of ${gridMs} ms, was ${depthEpochMs}`);
  const references = new Map<string, Reference>();
  for (const name of Object.keys(parameters.references)) references.set(name, createReference(name, seed, parameters));
  const values = new Map<string, Value>();
  for (const name of [...references.keys(), ...Object.keys(parameters.pegs)])
    values.set(name, createValue(name, seed, parameters, references));
  const pairs = new Map<string, SyntheticPair>();
  for (const [symbol, pair] of Object.entries(parameters.pairs))
    pairs.set(symbol, createPair(symbol as PairSymbol, pair, seed, parameters, values));
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

type Reference = { readonly log: (cell: number) => number; readonly sleeps: boolean };

function createReference(name: string, seed: number, parameters: MarketParameters): Reference {
  const { levelChf, volatilityPerYear, kind } = parameters.references[name] as MarketParameters["references"][string];
  const sleeps = kind === "fiat";
  const level = Math.log(levelChf);
  if (volatilityPerYear === 0) return { log: () => level, sleeps };
  const { gridMs, anchor } = parameters;
  const path = createPath(streamOf(seed, `reference:${name}`), { kind: "walk", perYear: volatilityPerYear }, gridMs);
  const atAnchor = path.at(Math.floor(anchor / gridMs));
  // Half the variance is taken off, so that the expected price, not its logarithm, stays where it is.
  const drift = (-(volatilityPerYear ** 2) / 2 / YEAR_MS) * gridMs;
  const anchorCell = Math.floor(anchor / gridMs);
  return { log: remembered((cell) => level + path.at(cell) - atAnchor + drift * (cell - anchorCell)), sleeps };
}

/** An asset's logarithmic value in CHF, and how stressed it is (0 to 1) at the cell last asked. */
type Value = {
  readonly log: (cell: number, fxCell: number) => number;
  readonly stress: (cell: number) => number;
  readonly currency: string | undefined;
};

function createValue(
  name: string,
  seed: number,
  parameters: MarketParameters,
  references: ReadonlyMap<string, Reference>,
): Value {
  const referenceName = referenceOf(name, parameters);
  const reference = references.get(referenceName);
  invariant(reference !== undefined, `peg of ${name} must stand for a known reference, was ${referenceName}`);
  const currency = reference.sleeps ? referenceName : undefined;
  const timeOf = (cell: number, fxCell: number): number => (reference.sleeps ? fxCell : cell);
  const peg = parameters.pegs[name];
  if (peg === undefined)
    return { log: (cell, fxCell) => reference.log(timeOf(cell, fxCell)), stress: () => 0, currency };
  const law = { kind: "reverting", deviation: peg.deviationBps / 1e4, halfLifeMs: peg.halfLifeMs } as const;
  const deviation = createPath(streamOf(seed, `peg:${name}`), law, parameters.gridMs);
  const strayed = peg.deviationBps === 0 ? () => 0 : remembered((cell) => deviation.at(cell));
  const episode = peg.stressed ? episodesOf(name, seed, parameters) : () => undefined;
  const level = remembered((cell) => {
    const stress = episode(cell * parameters.gridMs);
    return stress === undefined ? 0 : stressLevel(stress, cell * parameters.gridMs);
  });
  return {
    log: (cell, fxCell) =>
      reference.log(timeOf(cell, fxCell)) +
      strayed(cell) +
      (episode(cell * parameters.gridMs)?.shift ?? 0) * level(cell),
    stress: level,
    currency,
  };
}

function episodesOf(name: string, seed: number, parameters: MarketParameters): (at: number) => Stress | undefined {
  const stream = streamOf(seed, `stress:${name}`);
  const ofDay = remembered<Stress | undefined>((day) => stressOfDay(stream, parameters.stress, day));
  return (at) => ofDay(dayOf(at));
}

type SyntheticPair = {
  readonly crossesCurrencies: boolean;
  readonly read: (cell: number, fxCell: number, into: Top) => void;
};

function createPair(
  symbol: PairSymbol,
  pair: PairParameters,
  seed: number,
  parameters: MarketParameters,
  values: ReadonlyMap<string, Value>,
): SyntheticPair {
  const { base, quote } = assetsOf(symbol);
  const one = values.get(base);
  const other = values.get(quote);
  invariant(one !== undefined && other !== undefined, `both assets of ${symbol} must have a value in the market`);
  const { stress, depthSigma, depthEpochMs, gridMs } = parameters;
  const law = { kind: "reverting", deviation: pair.noiseBps / 1e4, halfLifeMs: pair.noiseHalfLifeMs } as const;
  const path = createPath(streamOf(seed, `pair:${symbol}`), law, gridMs);
  const noise = pair.noiseBps === 0 ? () => 0 : (cell: number) => path.at(cell);
  const bidStream = streamOf(seed, `bid-size:${symbol}`);
  const askStream = streamOf(seed, `ask-size:${symbol}`);
  const sizeOf = (stream: Stream) => remembered((epoch) => Math.exp(depthSigma * normal(stream, epoch)));
  const bidDraw = sizeOf(bidStream);
  const askDraw = sizeOf(askStream);
  let known = -1;
  const top = { bid: 0, ask: 0, bidSize: 0, askSize: 0 };
  return {
    crossesCurrencies: one.currency !== undefined && other.currency !== undefined && one.currency !== other.currency,
    read(cell, fxCell, into) {
      if (cell !== known) {
        const level = Math.max(one.stress(cell), other.stress(cell));
        const middle = Math.exp(one.log(cell, fxCell) - other.log(cell, fxCell) + noise(cell));
        const half = (pair.halfSpreadBps / 1e4) * (1 + (stress.spreadFactor - 1) * level);
        const depth = pair.depth * (1 + (stress.depthFactor - 1) * level);
        const epoch = Math.floor((cell * gridMs) / depthEpochMs);
        top.bid = middle * (1 - half);
        top.ask = middle * (1 + half);
        top.bidSize = depth * bidDraw(epoch);
        top.askSize = depth * askDraw(epoch);
        known = cell;
      }
      into.bid = top.bid;
      into.ask = top.ask;
      into.bidSize = top.bidSize;
      into.askSize = top.askSize;
    },
  };
}

function referenceOf(asset: Asset | string, parameters: MarketParameters): string {
  return parameters.pegs[asset]?.reference ?? asset;
}

/** Keeps the last answer: pairs share assets, and readers stay in one cell for a while. */
function remembered<T>(of: (index: number) => T): (index: number) => T {
  let known = Number.NaN;
  let value: T;
  return (index) => {
    if (index !== known) {
      value = of(index);
      known = index;
    }
    return value;
  };
}
