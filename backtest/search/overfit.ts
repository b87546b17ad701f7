// How likely is it that the set which is best in-sample is no better than the median afterwards? The probability of
// backtest overfitting by combinatorially symmetric cross-validation (Bailey, Borwein, López de Prado and Zhu, 2017), for
// recorded prices: a synthetic market has other seeds, which judge better.

import { type Figure, known, notAvailable } from "../metric/figure.ts";
import { RETURNS_MIN } from "../metric/returns.ts";

const SETS_MIN = 10;
const BLOCKS_MIN = 8;
const BLOCKS_MAX = 16;

/**
 * The share of all ways to choose by one half of the time in which the best of that half is at or below the median in the
 * other half.
 * Formula: over all halves of 8 to 16 equal blocks of 20 returns over holding or more, share with rank / (sets + 1) <= 1 / 2, rank of the set with the best mean / standard deviation in one half by the same in the other, from 1 for the worst
 */
export function overfitting(sets: readonly Float64Array[]): Figure<number> {
  const periods = Math.min(...sets.map(({ length }) => length));
  const blocks = Math.min(BLOCKS_MAX, 2 * Math.floor(periods / RETURNS_MIN / 2));
  if (sets.length < SETS_MIN) return notAvailable(`needs at least ${SETS_MIN} sets, was ${sets.length}`);
  if (blocks < BLOCKS_MIN)
    return notAvailable(`needs at least ${BLOCKS_MIN} blocks of ${RETURNS_MIN} returns over holding, was ${blocks}`);
  const length = Math.floor(periods / blocks);
  const sums = sets.map((returns) => Array.from({ length: blocks }, (_, block) => momentsOf(returns, block, length)));
  const ratioIn = (own: readonly Moments[], isIn: (block: number) => boolean): number => {
    let [sum, squares, count] = [0, 0, 0];
    for (const [block, moments] of own.entries()) {
      if (!isIn(block)) continue;
      sum += moments.sum;
      squares += moments.squares;
      count += length;
    }
    const variance = squares / count - (sum / count) ** 2;
    return variance > 1e-24 ? sum / count / Math.sqrt(variance) : 0;
  };
  let [halves, poor] = [0, 0];
  for (let mask = 0; mask < 2 ** blocks; mask++) {
    if (bitsIn(mask) !== blocks / 2) continue;
    const chosen = sums.map((own) => ratioIn(own, (block) => ((mask >> block) & 1) === 1));
    const judged = sums.map((own) => ratioIn(own, (block) => ((mask >> block) & 1) === 0));
    const best = judged[chosen.indexOf(Math.max(...chosen))] as number;
    const rank = judged.filter((one) => one < best).length + 1;
    halves++;
    if (rank / (sets.length + 1) <= 0.5) poor++;
  }
  return known(poor / halves);
}

type Moments = { readonly sum: number; readonly squares: number };

function momentsOf(returns: Float64Array, block: number, length: number): Moments {
  const own = returns.subarray(block * length, (block + 1) * length);
  return { sum: own.reduce((sum, one) => sum + one, 0), squares: own.reduce((sum, one) => sum + one * one, 0) };
}

function bitsIn(mask: number): number {
  let bits = 0;
  for (let rest = mask; rest > 0; rest >>= 1) bits += rest & 1;
  return bits;
}
