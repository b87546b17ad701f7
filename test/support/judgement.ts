// Built-in strategies in the market of docs/STRATEGIES.md, and in the same one with nothing to earn: what each earns over
// holding, and how many orders it places.

import { computeFigures } from "../../backtest/metric/figures.ts";
import { backtestTerms } from "../../backtest/options.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { DEMO_MARKET, withoutEdge } from "../../src/simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../../src/simulator/market/reference.ts";
import { prepareBuiltIn } from "../../src/strategy/built-in.ts";
import type { BuiltInName } from "../../src/strategy/built-in-names.ts";
import { backtestOf } from "../backtest/stage.ts";

export const MARKETS = { base: DEMO_MARKET, "no edge": withoutEdge(DEMO_MARKET) } as const;
export type MarketName = keyof typeof MARKETS;

export type Trial = {
  readonly strategy: BuiltInName;
  readonly market: MarketName;
  readonly seed: number;
  readonly days: number;
  readonly params?: Readonly<Record<string, unknown>>;
};

export type Outcome = Omit<Trial, "params" | "days"> & {
  readonly orders: number;
  readonly fills: number;
  /** Proposals that the gate refused. */
  readonly refused: number;
  /** Over holding the opening inventory, in CHF. */
  readonly profit: number;
  readonly requests: number;
  readonly state: string;
};

const DAY = 86_400_000;
const FROM = millis(Date.UTC(2026, 0, 1));
const QUOTES_MS = 30_000;
const AGE_MS = 45_000;
const FUNDS = { CHF: "100000", VCHF: "100000", GBP: "100000", VGBP: "100000", USDC: "100000" };
/** A coin that nobody here stands for at par; all else is crossed from currencies and par. */

export function tried({ strategy, market, seed, days, params = {} }: Trial): Outcome {
  let refused = 0;
  const { record, standing } = backtestOf(unwrap(prepareBuiltIn(strategy, params)), days * DAY, {
    seed,
    from: FROM,
    to: millis(FROM + days * DAY),
    market: MARKETS[market],
    references: DEFAULT_REFERENCES,
    limits: { ...paperLimits, referenceAgeMsMax: AGE_MS },
    funds: FUNDS,
    terms: { ...backtestTerms, quotesMs: QUOTES_MS },
    watch: {
      step({ decisions }) {
        for (const { verdict } of decisions) if (verdict.kind === "refused") refused++;
      },
    },
  });
  const { profitOverHolding, slotsUsed } = computeFigures(record);
  if (profitOverHolding.kind !== "known") throw new Error(`seed ${seed}, ${strategy}: ${profitOverHolding.reason}`);
  if (slotsUsed.kind !== "known") throw new Error(`seed ${seed}, ${strategy}: ${slotsUsed.reason}`);
  return {
    strategy,
    market,
    seed,
    orders: record.fills.length + record.unfilled.length,
    fills: record.fills.length,
    refused,
    profit: profitOverHolding.value.toNumber(),
    requests: slotsUsed.value.total,
    state: standing.state,
  };
}
