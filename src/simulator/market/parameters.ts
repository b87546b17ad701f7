// The parameters of the synthetic market, with their units. The defaults were fixed before any strategy was tuned and
// are documented in docs/SIMULATOR.md; change them there too.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { type Millis, millis } from "../../domain/time.ts";

export type MarketParameters = {
  /** The shortest time between two price changes. */
  readonly gridMs: number;
  /** The time at which the random walks are at their level. */
  readonly anchor: Millis;
  /** The value of each reference in CHF at the anchor, and its volatility per year (0.09 is 9 %). */
  readonly references: Readonly<Record<string, ReferenceParameters>>;
  /** Coins, the reference that each represents, and their deviation from it. */
  readonly pegs: Readonly<Record<string, PegParameters>>;
  readonly stress: StressParameters;
  readonly pairs: Readonly<Record<string, PairParameters>>;
  /** Sizes are log-normal around the pair's depth with this sigma, redrawn every epoch. */
  readonly depthSigma: number;
  readonly depthEpochMs: number;
  /** From Friday to Sunday, 17:00 in New York: currencies do not move, and pairs of two currencies have no price. */
  readonly weekendCloses: boolean;
};

export type ReferenceParameters = {
  readonly levelChf: number;
  readonly volatilityPerYear: number;
  readonly kind: "fiat" | "crypto";
};

export type PegParameters = {
  readonly reference: Asset;
  /** Standard deviation from par. */
  readonly deviationBps: number;
  readonly halfLifeMs: number;
  readonly stressed: boolean;
};

/** Episodes in which a coin loses (four times in five) or gains value, spreads widen and sizes shrink. */
export type StressParameters = {
  readonly chancePerDay: number;
  readonly minBps: number;
  readonly maxBps: number;
  readonly minMs: number;
  readonly maxMs: number;
  /** Factors at the peak of an episode. */
  readonly spreadFactor: number;
  readonly depthFactor: number;
};

export type PairParameters = {
  readonly halfSpreadBps: number;
  /** Median size of each side, in base units. */
  readonly depth: number;
  /** The pair's deviation from the cross rate of its two assets. */
  readonly noiseBps: number;
  readonly noiseHalfLifeMs: number;
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export const DEFAULT_MARKET: MarketParameters = {
  gridMs: 250,
  anchor: millis(Date.UTC(2026, 0, 1)),
  references: {
    CHF: { levelChf: 1, volatilityPerYear: 0, kind: "fiat" },
    GBP: { levelChf: 1.06, volatilityPerYear: 0.08, kind: "fiat" },
    USD: { levelChf: 0.8, volatilityPerYear: 0.09, kind: "fiat" },
    BTC: { levelChf: 75_000, volatilityPerYear: 0.5, kind: "crypto" },
    ETH: { levelChf: 2_500, volatilityPerYear: 0.65, kind: "crypto" },
  },
  pegs: {
    VCHF: { reference: "CHF" as Asset, deviationBps: 12, halfLifeMs: 40 * MINUTE, stressed: true },
    VGBP: { reference: "GBP" as Asset, deviationBps: 14, halfLifeMs: 40 * MINUTE, stressed: true },
    USDC: { reference: "USD" as Asset, deviationBps: 2, halfLifeMs: 2 * HOUR, stressed: false },
  },
  stress: {
    chancePerDay: 0.05,
    minBps: 40,
    maxBps: 150,
    minMs: HOUR,
    maxMs: 8 * HOUR,
    spreadFactor: 4,
    depthFactor: 0.25,
  },
  pairs: {
    "VCHF/CHF": { halfSpreadBps: 3, depth: 40_000, noiseBps: 1, noiseHalfLifeMs: 5 * MINUTE },
    "VCHF/USDC": { halfSpreadBps: 6, depth: 30_000, noiseBps: 2, noiseHalfLifeMs: 5 * MINUTE },
    "VCHF/ETH": { halfSpreadBps: 15, depth: 10_000, noiseBps: 4, noiseHalfLifeMs: 5 * MINUTE },
    "VCHF/BTC": { halfSpreadBps: 12, depth: 15_000, noiseBps: 4, noiseHalfLifeMs: 5 * MINUTE },
    "VGBP/GBP": { halfSpreadBps: 3, depth: 35_000, noiseBps: 1, noiseHalfLifeMs: 5 * MINUTE },
    "VGBP/USDC": { halfSpreadBps: 6, depth: 25_000, noiseBps: 2, noiseHalfLifeMs: 5 * MINUTE },
    "VGBP/VCHF": { halfSpreadBps: 7, depth: 20_000, noiseBps: 2, noiseHalfLifeMs: 5 * MINUTE },
    "USDC/CHF": { halfSpreadBps: 4, depth: 50_000, noiseBps: 1, noiseHalfLifeMs: 5 * MINUTE },
  } satisfies Record<string, PairParameters> as Readonly<Record<PairSymbol | string, PairParameters>>,
  depthSigma: 0.5,
  depthEpochMs: 5_000,
  weekendCloses: false,
};

/** The same market without any edge: no peg deviation, no stress, no noise; walks and spreads stay. */
export function withoutEdge(parameters: MarketParameters): MarketParameters {
  return {
    ...parameters,
    pegs: mapped(parameters.pegs, (peg) => ({ ...peg, deviationBps: 0, stressed: false })),
    stress: { ...parameters.stress, chancePerDay: 0 },
    pairs: mapped(parameters.pairs, (pair) => ({ ...pair, noiseBps: 0 })),
  };
}

function mapped<T>(record: Readonly<Record<string, T>>, change: (value: T) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
