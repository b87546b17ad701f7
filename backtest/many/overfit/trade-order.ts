// How deep the account could have fallen with the very same trades in another order: a run whose own fall is among the mildest
// was lucky in its order, and the next one will not be.
// Formula: over 2,000 orders (200 of more than 20,000) of the closed trades' results, max(highest sum so far - sum), sums from 0;
// its 5 %, 50 % and 95 % quantiles, and the part of orders that fall at least as deep as the run's own

import type { Random } from "../../../src/domain/random.ts";
import { enough, type Figure, known, notAvailable } from "../../metric/basis/figure.ts";
import { quantileOf } from "../../metric/basis/quantile.ts";

export type TradeOrder = {
  /** In the currency: the run's own, and those of other orders. */
  readonly own: number;
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  readonly deeperShare: number;
  readonly trades: number;
  readonly draws: number;
};

const DRAWS = 2_000;
/** A year of busy trading: every order of it costs a pass over all. */
const MANY = 20_000;
const DRAWS_OF_MANY = 200;

/** `results`: what each closed trade brought, in the order of the run. */
export function tradeOrder(results: readonly number[], random: Random): Figure<TradeOrder> {
  const few = enough(results.length, "closed trades");
  if (few !== undefined) return few;
  if (results.every((result) => result >= 0))
    return notAvailable("no trade lost, so in no order does the account fall");
  const own = deepestFall(results);
  const shuffled = [...results];
  const draws = results.length > MANY ? DRAWS_OF_MANY : DRAWS;
  const falls = Float64Array.from({ length: draws }, () => {
    shuffle(shuffled, random);
    return deepestFall(shuffled);
  });
  const sorted = falls.toSorted();
  // Sums of other orders are rounded otherwise.
  const slack = 1e-9 * results.reduce((sum, one) => sum + Math.abs(one), 0);
  const deeper = falls.reduce((count, fall) => count + (fall >= own - slack ? 1 : 0), 0);
  return known({
    own,
    low: quantileOf(sorted, 0.05),
    middle: quantileOf(sorted, 0.5),
    high: quantileOf(sorted, 0.95),
    deeperShare: deeper / draws,
    trades: results.length,
    draws,
  });
}

function deepestFall(results: readonly number[]): number {
  let sum = 0;
  let highest = 0;
  let deepest = 0;
  for (const result of results) {
    sum += result;
    highest = Math.max(highest, sum);
    deepest = Math.max(deepest, highest - sum);
  }
  return deepest;
}

/** Every order is as likely as any other (Fisher and Yates). */
function shuffle(values: number[], random: Random): void {
  for (let last = values.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [values[last], values[other]] = [values[other] as number, values[last] as number];
  }
}
