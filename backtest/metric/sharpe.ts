// Return for the swings it took, a year, over the risk-free rate.
// Formula: (mean of period returns - risk-free rate / periods a year) / standard deviation (n - 1) * sqrt(periods a year)

import { enough, type Figure, known, notAvailable } from "./basis/figure.ts";
import { isConstant, mean, standardDeviation } from "./basis/moments.ts";
import { type PeriodReturns, RETURNS_MIN } from "./basis/period-returns.ts";

export function sharpe({ equity, perYear }: PeriodReturns, riskFreeRate: number): Figure<number> {
  return annualRatio(equity, riskFreeRate / perYear, perYear);
}

/** Of any series of returns: also of the differences to another one. */
export function annualRatio(returns: Float64Array, target: number, perYear: number): Figure<number> {
  const few = enough(returns.length, "period returns", RETURNS_MIN);
  if (few !== undefined) return few;
  if (isConstant(returns)) return notAvailable("returns do not vary");
  return known(((mean(returns) - target) / standardDeviation(returns)) * Math.sqrt(perYear));
}
