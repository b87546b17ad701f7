// The longest rows of winning and of losing trades. One that came out even ends both.
// Formula: longest run of positive results; longest run of negative results

import type { Money } from "../../src/domain/money/money.ts";
import type { ClosedTrades } from "./basis/closed-trades.ts";
import { enough, type Figure, known } from "./basis/figure.ts";

export type Streaks = { readonly won: number; readonly lost: number };

export function streaks({ results }: ClosedTrades): Figure<Streaks> {
  return (
    enough(results.length, "closing fills", 1) ??
    known({
      won: longest(results, (result) => result.isPositive()),
      lost: longest(results, (result) => result.isNegative()),
    })
  );
}

function longest(results: readonly Money[], counts: (result: Money) => boolean): number {
  let most = 0;
  let row = 0;
  for (const result of results) {
    row = counts(result) ? row + 1 : 0;
    most = Math.max(most, row);
  }
  return most;
}
