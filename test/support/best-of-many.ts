// The best of many parameter sets in a market with nothing to earn and in one where prices come back: does the test of the best
// tell them apart? Sets and markets were fixed before the first run, and so were the seed and the length of the suite's.

import { fileURLToPath } from "node:url";
import { backtestTerms } from "../../backtest/options.ts";
import { openPool, runTrials } from "../../backtest/search/pool.ts";
import { superiority } from "../../backtest/search/superior.ts";
import { limitsText, type Trial } from "../../backtest/search/trial.ts";
import { strategyDigest, type TrialFiles } from "../../backtest/search/trial-files.ts";
import type { TrialResult } from "../../backtest/search/trial-result.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { DEMO_MARKET, type MarketParameters, withoutEdge } from "../../src/simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../../src/simulator/market/reference.ts";

const FILE = fileURLToPath(new URL("../fixture/strategy/around-average.ts", import.meta.url));
const SYMBOL = "USDC/CHF" as PairSymbol;
const OFF = "off: what luck does is what is looked at" as const;
const FROM = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;
/** Of the test in the suite. */
export const SEED = 11;
/** As seldom as prices may be believed for: hours cost little. */
const QUOTES_MS = 45_000;
const BELIEVED_MS = 60_000;
const FLAT = withoutEdge(DEMO_MARKET);

export type MarketName = "without edge" | "with edge";

/** A rate that walks, hardly any spread; with an edge the pair also strays from it and comes back within minutes. */
function marketOf(name: MarketName): MarketParameters {
  const noise =
    name === "with edge" ? { noiseBps: 8, noiseHalfLifeMs: 10 * 60_000 } : { noiseBps: 0, noiseHalfLifeMs: 1 };
  return {
    ...FLAT,
    gridMs: 5_000,
    references: { ...FLAT.references, USD: { levelChf: 0.8, volatilityPerYear: 0.1, kind: "fiat" } },
    pairs: { ...FLAT.pairs, [SYMBOL]: { halfSpreadBps: 0.1, depth: 1_000_000, ...noise } },
  };
}

function pointsOf(lengths: number, bands: number): readonly (readonly [number, number])[] {
  const spread = (count: number, from: number, to: number): number[] =>
    Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
  return spread(lengths, 2, 200)
    .map(Math.round)
    .flatMap((length) => spread(bands, 0.5, 10).map((band) => [length, Number(band.toFixed(2))] as const));
}

export type LuckOptions = {
  readonly lengths: number;
  readonly bands: number;
  readonly hours: number;
  readonly seed: number;
  readonly workers: number;
};

export async function bestOfMany(market: MarketName, options: LuckOptions): Promise<ReturnType<typeof superiority>> {
  const points = pointsOf(options.lengths, options.bands);
  const digest = unwrap(strategyDigest(FILE));
  const ground: TrialFiles = { columns: [], strategies: [{ digest, path: FILE }], codeVersion: "0.0.0" };
  const trials = points.map(([length, bandBps]) => trialOf(market, { length, bandBps }, digest, options));
  const results: TrialResult[] = new Array(trials.length);
  const pool = openPool(options.workers, ground);
  await runTrials(trials, pool, (result, index) => {
    results[index] = result;
  }).finally(() => pool.close());
  return superiority(results, options.seed);
}

function trialOf(market: MarketName, params: object, digest: string, { hours, seed }: LuckOptions): Trial {
  const limits = { ...paperLimits, depegLossBpsMax: OFF, lossesMax: OFF, dailyLossBpsMax: OFF, drawdownBpsMax: OFF };
  return {
    strategy: { kind: "file", digest },
    params: { ...params },
    data: [],
    market: marketOf(market),
    references: DEFAULT_REFERENCES,
    seed,
    from: millis(FROM),
    to: millis(FROM + hours * HOUR),
    funds: { CHF: "100000", USDC: "100000" },
    terms: { ...backtestTerms, quotesMs: QUOTES_MS },
    limits: { ...limitsText(limits), referenceAgeMsMax: BELIEVED_MS },
    par: {},
    protocol: {},
  };
}
