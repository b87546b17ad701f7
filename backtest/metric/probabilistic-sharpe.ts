// The chance that the true Sharpe ratio is above a threshold (0 unless told), given how many returns there were and how
// crooked they are (Bailey and López de Prado, 2012).
// Formula: Phi((SR - threshold) * sqrt(n - 1) / sqrt(1 - skewness * SR + (kurtosis - 1) / 4 * SR^2)), SR per period

import { enough, type Figure, known, notAvailable } from "./basis/figure.ts";
import { isConstant, kurtosis, mean, skewness, standardDeviation } from "./basis/moments.ts";
import { normalCdf } from "./basis/normal.ts";
import { type PeriodReturns, RETURNS_MIN } from "./basis/period-returns.ts";

/** The threshold is a Sharpe ratio per period, not a year's. */
export function probabilisticSharpe(
  { equity, perYear }: PeriodReturns,
  riskFreeRate: number,
  threshold = 0,
): Figure<number> {
  const few = enough(equity.length, "period returns", RETURNS_MIN);
  if (few !== undefined) return few;
  if (isConstant(equity)) return notAvailable("returns do not vary");
  const ratio = (mean(equity) - riskFreeRate / perYear) / standardDeviation(equity);
  const shape = { count: equity.length, ratio, skewness: skewness(equity), kurtosis: kurtosis(equity) };
  return chanceAbove(shape, threshold);
}

/** What is known of returns: the ratio is one of a period. */
export type Shape = {
  readonly count: number;
  readonly ratio: number;
  readonly skewness: number;
  readonly kurtosis: number;
};

export function chanceAbove({ count, ratio, skewness, kurtosis }: Shape, threshold: number): Figure<number> {
  const spread = 1 - skewness * ratio + ((kurtosis - 1) / 4) * ratio ** 2;
  if (!(spread > 0)) return notAvailable("returns are too crooked for the formula");
  return known(normalCdf(((ratio - threshold) * Math.sqrt(count - 1)) / Math.sqrt(spread)));
}
