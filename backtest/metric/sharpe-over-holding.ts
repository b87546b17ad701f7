// The same ratio for what trading added to holding the opening inventory: rates that moved anyway count neither way. Under 10
// fills it would be about the path of one position.
// Formula: mean(return - return of holding) / standard deviation (n - 1) of the differences * sqrt(periods a year)

import { enough, type Figure } from "./basis/figure.ts";
import type { PeriodReturns } from "./basis/period-returns.ts";
import { annualRatio } from "./sharpe.ts";

export function sharpeOverHolding({ equity, holding, perYear }: PeriodReturns, fills: number): Figure<number> {
  const over = equity.map((value, row) => value - (holding[row] as number));
  return enough(fills, "fills") ?? annualRatio(over, 0, perYear);
}
