// What winning trades brought for each unit that losing ones took. A trade is a fill that closed something.
// Formula: sum of positive results / |sum of negative results|

import { Money } from "../../src/domain/money/money.ts";
import type { ClosedTrades } from "./basis/closed-trades.ts";
import { enough, type Figure, known, notAvailable } from "./basis/figure.ts";

export function profitFactor({ results, sum }: ClosedTrades): Figure<number> {
  const few = enough(results.length, "closing fills");
  if (few !== undefined) return few;
  const won = Money.sum(
    results.filter((result) => result.isPositive()),
    sum.asset,
  );
  const lost = won.minus(sum);
  return lost.isZero() ? notAvailable("no trade lost") : known(won.toNumber() / lost.toNumber());
}
