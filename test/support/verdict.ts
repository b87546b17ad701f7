// What a judgement comes to: in how many seeds a strategy ends above holding, and how many of its orders are left when there is
// nothing to earn.

import type { MarketName, Outcome } from "./judgement.ts";

export type Verdict = {
  readonly seeds: number;
  readonly above: number;
  readonly orders: number;
  readonly ordersWithoutEdge: number;
  /** Of profit over holding. */
  readonly least: number;
  readonly median: number;
  readonly most: number;
  readonly holds: boolean;
};

const ABOVE_SHARE_MIN = 0.9;
const ORDER_SHARE_MAX = 0.02;

export function judged(outcomes: readonly Outcome[], strategy: string): Verdict {
  const of = (market: MarketName) => outcomes.filter((one) => one.strategy === strategy && one.market === market);
  const base = of("base");
  const profits = base.map(({ profit }) => profit).sort((one, other) => one - other);
  const above = profits.filter((profit) => profit > 0).length;
  const orders = sum(base);
  const ordersWithoutEdge = sum(of("no edge"));
  const isJudged = base.length > 0 && of("no edge").length === base.length;
  return {
    seeds: base.length,
    above,
    orders,
    ordersWithoutEdge,
    least: profits[0] ?? Number.NaN,
    median: middle(profits),
    most: profits.at(-1) ?? Number.NaN,
    holds: isJudged && above >= ABOVE_SHARE_MIN * base.length && ordersWithoutEdge < ORDER_SHARE_MAX * orders,
  };
}

export function verdictLines(outcomes: readonly Outcome[]): string[] {
  return [...new Set(outcomes.map(({ strategy }) => strategy))].map((strategy) => {
    const { seeds, above, orders, ordersWithoutEdge, least, median, most, holds } = judged(outcomes, strategy);
    const profit = `${least.toFixed(2)} to ${most.toFixed(2)} CHF, median ${median.toFixed(2)}`;
    const share = ((ordersWithoutEdge / orders) * 100).toFixed(2);
    return `${strategy}: above holding in ${above} of ${seeds} (${profit}); ${orders} orders, without edge ${ordersWithoutEdge} (${share} %): ${holds ? "holds" : "does not hold"}`;
  });
}

function sum(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((total, { orders }) => total + orders, 0);
}

function middle(sorted: readonly number[]): number {
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}
