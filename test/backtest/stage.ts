// Short backtests for tests: the default market and account, a strategy by hand or from a file, minutes of virtual time.

import { type BacktestOptions, backtestTerms } from "../../backtest/options.ts";
import { type Backtest, runBacktest } from "../../backtest/run-backtest.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import { DEFAULT_SETTINGS } from "../../src/execution/parameters.ts";
import { DEMO_MARKET } from "../../src/simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../../src/simulator/market/reference.ts";
import { prepareBuiltIn } from "../../src/strategy/built-in.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import { LIMITS } from "../bot/bench.ts";
import { START } from "../support/lockstep.ts";

export const MINUTE = 60_000;
const PAR = new Map(["VCHF/CHF", "VGBP/GBP"].map((symbol) => [symbol as PairSymbol, { bandBps: 50 }]));

export function pegArbitrage(params: object = {}): Strategy {
  return unwrap(prepareBuiltIn("peg-arbitrage", params));
}

export function optionsOf(
  strategy: Strategy,
  lengthMs: number,
  changes: Partial<BacktestOptions> = {},
): BacktestOptions {
  return {
    strategy,
    limits: LIMITS,
    par: PAR,
    protocol: DEFAULT_SETTINGS,
    funds: { CHF: "100000", VCHF: "100000", GBP: "100000", VGBP: "100000" },
    seed: 1,
    from: START,
    to: millis(START + lengthMs),
    market: DEMO_MARKET,
    references: DEFAULT_REFERENCES,
    recordings: [],
    terms: backtestTerms,
    codeVersion: "0.0.0",
    ...changes,
  };
}

export function backtestOf(strategy: Strategy, lengthMs: number, changes: Partial<BacktestOptions> = {}): Backtest {
  return unwrap(runBacktest(optionsOf(strategy, lengthMs, changes)));
}
