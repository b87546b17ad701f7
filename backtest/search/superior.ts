// Does the best of many parameter sets beat holding, or is it the luck of having tried many? The test for superior
// predictive ability (Hansen, 2005), on the in-sample returns of all sets.

import { createRandom, type Random } from "../../src/domain/random.ts";
import { type Figure, known, notAvailable } from "../metric/figure.ts";
import { RETURNS_MIN } from "../metric/returns.ts";
import { isConstant, mean, standardDeviation } from "../metric/statistics.ts";
import type { TrialResult } from "./trial-result.ts";

export type Superiority = {
  /** The chance that the best of these sets, were none better than holding, does as well by luck. */
  readonly p: number;
  /** Those with returns over the whole time; sets that never traded count. */
  readonly sets: number;
  readonly periods: number;
};

/** Below this chance the best is called better than holding. */
export const SIGNIFICANT = 0.05;
const DRAWS = 1_000;
const DRAWS_MIN = 200;
/** Larger searches draw less often: about a second. */
const STEPS_MAX = 5e8;

/**
 * The chance that the best of all sets tried does as well by luck alone, where none is better than holding (SPA; Hansen, 2005).
 * Formula: T = max(0, max over sets of m / e), m the mean return over holding, e = standard deviation (n - 1) / sqrt(n); part of 1,000 stationary bootstraps (blocks of L = n^(1/3) on average; fewer above 5e8 steps) whose max(0, max of ((m* - m) * sqrt(n / (n - 2 L + 1)) + r) / e) is at least T, r = m where m < -e * sqrt(2 ln ln n), else 0
 *
 * Scaled by plain standard deviations: of 20 sets without an edge over 100 periods long-run ones reject 13 % at 5 %, these 6 %. The root widens what blocks lose by being drawn around the mean of the sample.
 */
export function superiority(results: readonly (readonly TrialResult[])[], seed: number): Figure<Superiority> {
  const all = results.map((runs) => Float64Array.from(runs.flatMap((run) => [...overHolding(run)])));
  const periods = Math.max(0, ...all.map(({ length }) => length));
  if (periods < RETURNS_MIN) return notAvailable(`needs at least ${RETURNS_MIN} returns over holding, was ${periods}`);
  const whole = all.filter(({ length }) => length === periods);
  // A set that never traded has no variance: its statistic is zero, which the maximum has anyway.
  const sets = whole.filter((returns) => !isConstant(returns));
  if (sets.length === 0) return notAvailable("no set has returns over holding that vary");
  return known({ p: chanceByLuck(sets, createRandom(seed).fork("superiority")), sets: whole.length, periods });
}

/** Empty where the trial did not run. Over holding, since what rates did is the same for every set. */
export function overHolding(result: TrialResult): Float64Array {
  if (result.kind !== "ran") return new Float64Array(0);
  const { equity, holding } = result.returns;
  return Float64Array.from(equity, (one, i) => one - (holding[i] as number));
}

export function chanceByLuck(sets: readonly Float64Array[], random: Random): number {
  const n = sets[0]?.length ?? 0;
  const blockMean = Math.cbrt(n);
  const widened = Math.sqrt(n / (n - 2 * blockMean + 1));
  const means = sets.map(mean);
  const errors = sets.map((returns) => standardDeviation(returns) / Math.sqrt(n));
  const best = (over: (set: number) => number): number =>
    errors.reduce((most, error, set) => Math.max(most, over(set) / error), 0);
  const observed = best((set) => means[set] as number);
  // A hopeless set keeps its mean: tried with others, it does not make them look lucky.
  const poor = Math.sqrt(2 * Math.log(Math.log(n)));
  const kept = means.map((one, set) => (one < -(errors[set] as number) * poor ? one : 0));
  const draws = Math.max(DRAWS_MIN, Math.min(DRAWS, Math.floor(STEPS_MAX / (n * sets.length))));
  let asGood = 0;
  for (let draw = 0; draw < draws; draw++) {
    const times = timesDrawn(n, 1 / blockMean, random);
    const apart = (set: number): number => meanOf(sets[set] as Float64Array, times) - (means[set] as number);
    if (best((set) => apart(set) * widened + (kept[set] as number)) >= observed) asGood++;
  }
  return asGood / draws;
}

/** How often each period is drawn in one stationary bootstrap: blocks start anywhere and wrap around at the end. */
function timesDrawn(n: number, restart: number, random: Random): Float64Array {
  const times = new Float64Array(n);
  let place = 0;
  for (let i = 0; i < n; i++) {
    place = i === 0 || random.next() < restart ? random.integer(0, n - 1) : (place + 1) % n;
    times[place] = (times[place] as number) + 1;
  }
  return times;
}

function meanOf(returns: Float64Array, times: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < returns.length; i++) sum += (returns[i] as number) * (times[i] as number);
  return sum / returns.length;
}
