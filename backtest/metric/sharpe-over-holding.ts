// The same ratio for what trading added to holding the opening inventory: rates that moved anyway count neither way.
// Formula: mean(return - return of holding) / standard deviation (n - 1) of the differences * sqrt(periods a year)

import type { Figure } from "./basis/figure.ts";
import type { PeriodReturns } from "./basis/period-returns.ts";
import { annualRatio } from "./sharpe.ts";

export function sharpeOverHolding({ equity, holding, perYear }: PeriodReturns): Figure<number> {
  return annualRatio(
    equity.map((value, row) => value - (holding[row] as number)),
    0,
    perYear,
  );
}
