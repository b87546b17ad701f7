// The same strategy, market and seed under each policy of the slots: what each earned for a request.

import { computeFigures } from "../../backtest/metric/figures.ts";
import { type BacktestTerms, backtestTerms } from "../../backtest/options.ts";
import type { Backtest } from "../../backtest/run-backtest.ts";
import { SLOT_POLICIES, type SlotPolicy } from "../../src/exchange/budget/scheduler.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import { backtestOf } from "./stage.ts";

export type PolicyRun = {
  /** In the currency of the limits, over what holding would have been worth. */
  readonly profit: number;
  readonly requests: number;
  readonly perRequest: number;
  readonly fills: number;
  readonly byClass: Readonly<Record<string, number>>;
  readonly traceHash: string;
};

export type Compared = Readonly<Record<SlotPolicy, PolicyRun>>;

type Comparison = { readonly lengthMs: number; readonly seed: number; readonly terms?: Partial<BacktestTerms> };

export function comparePolicies(strategy: () => Strategy, { lengthMs, seed, terms = {} }: Comparison): Compared {
  const runs = SLOT_POLICIES.map((slotPolicy) => {
    const changes = { seed, terms: { ...backtestTerms, ...terms, slotPolicy } };
    return [slotPolicy, summed(backtestOf(strategy(), lengthMs, changes))] as const;
  });
  return Object.fromEntries(runs) as Compared;
}

function summed({ record, traceHash }: Backtest): PolicyRun {
  const { profitOverHolding, profitPerRequest, slotsUsed } = computeFigures(record);
  if (profitOverHolding.kind === "n/a" || profitPerRequest.kind === "n/a" || slotsUsed.kind === "n/a")
    throw new Error("a run of the default market must have its figures");
  return {
    profit: profitOverHolding.value.toNumber(),
    requests: slotsUsed.value.total,
    perRequest: profitPerRequest.value,
    fills: record.fills.length,
    byClass: slotsUsed.value.byClass,
    traceHash,
  };
}
