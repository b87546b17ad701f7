// The chance that the best of many trials has a true Sharpe ratio over holding above what the best of so many trials without
// any edge shows by luck (Bailey and López de Prado, 2014). Every trial that was run counts, however alike they are.
// Formula: the probabilistic Sharpe ratio with threshold sqrt(V) * ((1 - g) * z(1 - 1/N) + g * z(1 - 1/(N * e)));
// V the variance (n - 1) of the trials' Sharpe ratios per period; N the number of trials, g = 0.5772... (Euler), z the normal
// quantile; beside it with V at most 1 / (returns - 1), which it is where trials differ by luck alone and no set is truly worse;
// where some left a search early, V is of all of them, sum(returns / returns of the best * (ratio - m)^2) / (trials - 1), m the mean
// ratio weighted by returns: over less time ratios lie further apart by luck alone; and at least 1 / (returns - 1): those that
// stayed were chosen for being alike

import { type Figure, known, notAvailable } from "../../metric/basis/figure.ts";
import { isConstant, mean, standardDeviation } from "../../metric/basis/moments.ts";
import { normalQuantile } from "../../metric/basis/normal.ts";
import { RETURNS_MIN } from "../../metric/basis/period-returns.ts";
import { probabilisticSharpe } from "../../metric/probabilistic-sharpe.ts";

export type DeflatedSharpe = {
  /** The chance. */
  readonly chance: number;
  /** What it would be had only this one been tried. */
  readonly alone: number;
  /** What it is with no more variance than luck has. Sets that are truly worse count as luck otherwise: never below the chance. */
  readonly bounded: number;
  /** Sharpe ratios a year: the best one's, and what luck shows over so many trials. */
  readonly sharpe: number;
  readonly luck: number;
  readonly trials: number;
  /** How many independent ones they amount to by their mean correlation: shown, not used. */
  readonly independent: number | undefined;
};

export type TrialReturns = {
  /** Over holding, one for each period. */
  readonly returns: Float64Array;
  readonly perYear: number;
};

const EULER = 0.5772156649015329;
/** Fewer say nothing of how far trials lie apart. */
const TRIALS_MIN = 10;

/**
 * `best` is the place of the one that was chosen. Trials that never traded have no ratio and say nothing of how far ratios
 * lie apart; they were tried all the same, and count.
 */
export function deflatedSharpe(trials: readonly TrialReturns[], best: number): Figure<DeflatedSharpe> {
  const chosen = trials[best];
  const rated = trials.filter(({ returns }) => returns.length >= RETURNS_MIN && !isConstant(returns));
  if (chosen === undefined || !rated.includes(chosen))
    return notAvailable(`the best has fewer than ${RETURNS_MIN} returns over holding, or they do not vary`);
  if (rated.length < TRIALS_MIN)
    return notAvailable(`needs at least ${TRIALS_MIN} trials with a Sharpe ratio, was ${rated.length}`);
  const ratios = Float64Array.from(rated, ({ returns }) => mean(returns) / standardDeviation(returns));
  if (isConstant(ratios)) return notAvailable("Sharpe ratios of the trials do not vary");
  const { returns, perYear } = chosen;
  const variance = spread(rated, ratios, returns.length, trials);
  const luck = expectedBest(variance, trials.length);
  const least = expectedBest(Math.min(variance, byLuck(returns.length)), trials.length);
  const ofBest = { equity: returns, holding: returns, perYear, periodMs: 0 };
  const above = (threshold: number): Figure<number> => probabilisticSharpe(ofBest, 0, threshold);
  const [chance, alone, bounded] = [above(luck), above(0), above(least)];
  if (chance.kind !== "known" || alone.kind !== "known" || bounded.kind !== "known")
    return notAvailable("returns are too crooked for the formula");
  const aYear = Math.sqrt(perYear);
  return known({
    chance: chance.value,
    alone: alone.value,
    bounded: bounded.value,
    sharpe: (ratios[rated.indexOf(chosen)] as number) * aYear,
    luck: luck * aYear,
    trials: trials.length,
    independent: independentTrials(rated.map((trial) => trial.returns)),
  });
}

/** How far ratios lie apart. With a search that drops sets on the way those that are left do not say it. */
function spread(
  rated: readonly TrialReturns[],
  ratios: Float64Array,
  length: number,
  trials: readonly TrialReturns[],
): number {
  const left = trials.some(({ returns }) => returns.length > 0 && returns.length < length);
  if (!left) return standardDeviation(ratios) ** 2;
  // Distances from the middle, not levels: with a true edge these would say how long each one ran.
  const weights = rated.map(({ returns }) => returns.length / length);
  const sum = (of: (ratio: number) => number): number =>
    ratios.reduce((total, ratio, i) => total + (weights[i] as number) * of(ratio), 0);
  const middle = sum((ratio) => ratio) / sum(() => 1);
  return Math.max(sum((ratio) => (ratio - middle) ** 2) / (ratios.length - 1), byLuck(length));
}

/** The variance of the Sharpe ratio of so many returns, where the true one is zero. */
function byLuck(length: number): number {
  return 1 / (length - 1);
}

/** The Sharpe ratio to be expected of the best of so many trials whose true one is zero. */
export function expectedBest(variance: number, trials: number): number {
  const quantiles = (1 - EULER) * normalQuantile(1 - 1 / trials) + EULER * normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * quantiles;
}

/** Their number pulled towards one by the mean correlation: c + (1 - c) * n. Undefined where periods do not fit. */
function independentTrials(all: readonly Float64Array[]): number | undefined {
  const [first] = all;
  const count = all.length;
  if (first === undefined || all.some(({ length }) => length !== first.length)) return undefined;
  // The variance of the sum of standardised series is n + n (n - 1) times the mean correlation.
  const sum = new Float64Array(first.length);
  for (const returns of all) {
    const [middle, spread] = [mean(returns), standardDeviation(returns)];
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + ((returns[i] as number) - middle) / spread;
  }
  const correlation = (standardDeviation(sum) ** 2 - count) / (count * (count - 1));
  // Below zero it is an estimate that went past it: no more can be independent than there are.
  return Math.min(count, Math.max(1, correlation + (1 - correlation) * count));
}
