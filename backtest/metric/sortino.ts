// Return for the downward swings alone, a year, over the risk-free rate.
// Formula: (mean - target) / sqrt(sum(min(0, return - target)^2) / n) * sqrt(periods a year), target = risk-free rate / periods a year

import { enough, type Figure, known, notAvailable } from "./basis/figure.ts";
import { mean } from "./basis/moments.ts";
import { type PeriodReturns, RETURNS_MIN } from "./basis/period-returns.ts";

export function sortino({ equity, perYear }: PeriodReturns, riskFreeRate: number): Figure<number> {
  const few = enough(equity.length, "period returns", RETURNS_MIN);
  if (few !== undefined) return few;
  const target = riskFreeRate / perYear;
  const below = Math.sqrt(mean(equity.map((value) => Math.min(0, value - target) ** 2)));
  if (!(below > 1e-12)) return notAvailable("no period was below the target");
  return known(((mean(equity) - target) / below) * Math.sqrt(perYear));
}
