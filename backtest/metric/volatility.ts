// How much equity swings, a year.
// Formula: standard deviation (n - 1) of period returns * sqrt(periods a year)

import { enough, type Figure, known } from "./basis/figure.ts";
import { standardDeviation } from "./basis/moments.ts";
import { type PeriodReturns, RETURNS_MIN } from "./basis/period-returns.ts";

export function volatility({ equity, perYear }: PeriodReturns): Figure<number> {
  return enough(equity.length, "period returns", RETURNS_MIN) ?? known(standardDeviation(equity) * Math.sqrt(perYear));
}
