// Short trials for tests: the default market and account, hours of virtual time.

import { backtestTerms } from "../../../backtest/options.ts";
import { limitsText, type Trial } from "../../../backtest/search/trial.ts";
import type { TrialFiles } from "../../../backtest/search/trial-files.ts";
import { millis } from "../../../src/domain/time.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { DEMO_MARKET } from "../../../src/simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../../../src/simulator/market/reference.ts";

export const START = millis(Date.UTC(2026, 0, 5));
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const NO_FILES: TrialFiles = { columns: [], strategies: [], codeVersion: "0.0.0" };

export function trialOf(changes: Partial<Trial> = {}): Trial {
  return {
    strategy: { kind: "built-in", name: "peg-arbitrage" },
    params: {},
    data: [],
    market: DEMO_MARKET,
    references: DEFAULT_REFERENCES,
    seed: 1,
    from: START,
    to: millis(START + 3 * MINUTE),
    funds: { CHF: "100000", VCHF: "100000", GBP: "100000", VGBP: "100000" },
    terms: backtestTerms,
    limits: limitsText(paperLimits),
    par: { "VCHF/CHF": 50, "VGBP/GBP": 50 },
    protocol: {},
    ...changes,
  };
}

/** Quotes twice a minute, and believed for as long: hours cost little. */
export const SELDOM: Pick<Trial, "terms" | "limits"> = {
  terms: { ...backtestTerms, quotesMs: 30_000 },
  limits: { ...limitsText(paperLimits), referenceAgeMsMax: 45_000 },
};
