// The part of trades that won. A trade is a fill that closed something; one that came out even did not win.
// Formula: closing fills with a positive result / closing fills

import type { ClosedTrades } from "./basis/closed-trades.ts";
import { enough, type Figure, known } from "./basis/figure.ts";

export function winRate({ results }: ClosedTrades): Figure<number> {
  const won = results.filter((result) => result.isPositive()).length;
  return enough(results.length, "closing fills") ?? known(won / results.length);
}
