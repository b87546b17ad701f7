// What a trade brings on average, in the currency. A trade is a fill that closed something.
// Formula: sum of results / number of closing fills

import type { ClosedTrades } from "./basis/closed-trades.ts";
import { enough, type Figure, known } from "./basis/figure.ts";

export function expectancy({ results, sum }: ClosedTrades): Figure<number> {
  return enough(results.length, "closing fills") ?? known(sum.toNumber() / results.length);
}
