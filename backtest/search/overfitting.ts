// The four overfitting checks: is the best set better than luck, is it isolated, and how much of its run is chance?

import type { Random } from "../../src/domain/random.ts";
import { enough, type Figure, known, notAvailable } from "../metric/figure.ts";
import { probabilisticSharpe, RETURNS_MIN } from "../metric/returns.ts";
import { isConstant, mean, normalQuantile, quantileOf, standardDeviation } from "../metric/statistics.ts";
import { type Choice, isEndOf } from "./parameter-space.ts";

export type DeflatedSharpe = {
  /** The deflated probability. */
  readonly chance: number;
  /** The probability if only this set had been tried. */
  readonly alone: number;
  /**
   * The probability with the variance limited to that of luck. Without the limit, sets that are truly worse count as
   * luck. It is never below `chance`.
   */
  readonly bounded: number;
  /** Annual Sharpe ratios: of the best set, and the best expected by luck over this many trials. */
  readonly sharpe: number;
  readonly luck: number;
  readonly trials: number;
  /** The equivalent number of independent trials by mean correlation: shown, not used. */
  readonly independent: number | undefined;
};

export type TrialReturns = {
  /** Returns over holding, one per period. */
  readonly returns: Float64Array;
  readonly perYear: number;
};

const EULER = 0.5772156649015329;
/** With fewer trials their dispersion is unknown. */
const TRIALS_MIN = 10;

/**
 * The probability that the best of many trials has a true Sharpe ratio over holding above the best that this many
 * trials without any edge would show by luck (Bailey and López de Prado, 2014). Every trial counts, however similar
 * they are.
 * Formula: the probabilistic Sharpe ratio with threshold sqrt(V) * ((1 - g) * z(1 - 1/N) + g * z(1 - 1/(N * e)));
 * V the variance (n - 1) of the trials' Sharpe ratios per period; N the number of trials, g = 0.5772... (Euler), z the normal
 * quantile; beside it with V at most 1 / (returns - 1), which it is where trials differ by luck alone and no set is truly worse
 *
 * Where some left a search early, V is of all of them, sum(returns / returns of the best * (ratio - m)^2) / (trials - 1), m the mean
 * ratio weighted by returns: over less time ratios lie further apart by luck alone; and at least 1 / (returns - 1): those that
 * stayed were chosen for being alike
 *
 * * `best` is the place of the one that was chosen. Trials that never traded have no ratio and say nothing of how far ratios lie apart; they were tried all the same, and count.
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

/** The dispersion of the ratios. In a search that drops sets on the way, the remaining ones do not show it. */
function spread(
  rated: readonly TrialReturns[],
  ratios: Float64Array,
  length: number,
  trials: readonly TrialReturns[],
): number {
  const left = trials.some(({ returns }) => returns.length > 0 && returns.length < length);
  if (!left) return standardDeviation(ratios) ** 2;
  // Distances from the mean and not levels: with a true edge, levels would reflect how long each set ran.
  const weights = rated.map(({ returns }) => returns.length / length);
  const sum = (of: (ratio: number) => number): number =>
    ratios.reduce((total, ratio, i) => total + (weights[i] as number) * of(ratio), 0);
  const middle = sum((ratio) => ratio) / sum(() => 1);
  return Math.max(sum((ratio) => (ratio - middle) ** 2) / (ratios.length - 1), byLuck(length));
}

/** The variance of the Sharpe ratio over this many returns when the true ratio is zero. */
function byLuck(length: number): number {
  return 1 / (length - 1);
}

/** The expected Sharpe ratio of the best of `trials` trials when the true ratio is zero. */
export function expectedBest(variance: number, trials: number): number {
  const quantiles = (1 - EULER) * normalQuantile(1 - 1 / trials) + EULER * normalQuantile(1 - 1 / (trials * Math.E));
  return Math.sqrt(variance) * quantiles;
}

/** The number of trials reduced by the mean correlation: c + (1 - c) * n. Undefined where periods do not match. */
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
  // A negative estimate is a sampling error: there cannot be more independent trials than trials.
  return Math.min(count, Math.max(1, correlation + (1 - correlation) * count));
}

export type Interval = { readonly low: number; readonly middle: number; readonly high: number };

export type Bootstrap = {
  /** Per year. */
  readonly sharpe: Interval;
  /** As a fraction, over the whole time. */
  readonly growth: Interval;
  /** The fraction of all series that lost. */
  readonly lossShare: number;
  readonly draws: number;
  readonly blockMean: number;
};

/**
 * The range of Sharpe ratio and profit over holding by chance alone: the run's returns are resampled in blocks of
 * random length, so that dependent returns stay together (stationary bootstrap; Politis and Romano, 1994).
 * Formula: 2,000 series of n returns, each next return the one that followed with chance 1 - 1/L, else any, L = n^(1/3);
 * 5 % and 95 % quantiles of mean / standard deviation (n - 1) * sqrt(periods a year) and of product(1 + return) - 1
 */
export function bootstrap({ returns, perYear }: TrialReturns, random: Random): Figure<Bootstrap> {
  const few = enough(returns.length, "period returns over holding", RETURNS_MIN);
  if (few !== undefined) return few;
  if (isConstant(returns)) return notAvailable("returns over holding do not vary");
  const blockMean = Math.cbrt(returns.length);
  const sharpes = new Float64Array(DRAWS);
  const growths = new Float64Array(DRAWS);
  const drawn = new Float64Array(returns.length);
  for (let draw = 0; draw < DRAWS; draw++) {
    redraw(returns, drawn, blockMean, random);
    sharpes[draw] = ratioOf(drawn) * Math.sqrt(perYear);
    growths[draw] = growthOf(drawn);
  }
  const lossShare = growths.reduce((lost, growth) => lost + (growth < 0 ? 1 : 0), 0) / DRAWS;
  return known({ sharpe: intervalOf(sharpes), growth: intervalOf(growths), lossShare, draws: DRAWS, blockMean });
}

/** One series: blocks start anywhere and wrap around at the end. */
function redraw(from: Float64Array, into: Float64Array, blockMean: number, random: Random): void {
  let place = 0;
  for (let i = 0; i < into.length; i++) {
    const begins = i === 0 || random.next() < 1 / blockMean;
    place = begins ? random.integer(0, from.length - 1) : (place + 1) % from.length;
    into[i] = from[place] as number;
  }
}

/** A series without variation earned or lost the same in every period and has no meaningful ratio. */
function ratioOf(returns: Float64Array): number {
  return isConstant(returns) ? 0 : mean(returns) / standardDeviation(returns);
}

function growthOf(returns: Float64Array): number {
  let growth = 1;
  for (const value of returns) growth *= 1 + value;
  return growth - 1;
}

function intervalOf(values: Float64Array): Interval {
  const sorted = values.toSorted();
  return { low: quantileOf(sorted, 0.05), middle: quantileOf(sorted, 0.5), high: quantileOf(sorted, 0.95) };
}

export type TradeOrder = {
  /** In the currency: the run's own drawdown, and those of other orders. */
  readonly own: number;
  readonly low: number;
  readonly middle: number;
  readonly high: number;
  readonly deeperShare: number;
  readonly trades: number;
  readonly draws: number;
};

const DRAWS = 2_000;
/** A year of busy trading: every draw costs a pass over all trades. */
const MANY = 20_000;
const DRAWS_OF_MANY = 200;

/**
 * How deep the account could have fallen with the same trades in another order: a run whose drawdown is among the
 * mildest was lucky in its order, and the next one will not be.
 * Formula: over 2,000 orders (200 of more than 20,000) of the closed trades' results, max(highest sum so far - sum), sums from 0;
 * its 5 %, 50 % and 95 % quantiles, and the part of orders that fall at least as deep as the run's own
 *
 * `results`: what each closed trade brought, in the order of the run.
 */
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
  // Sums in another order round differently.
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

/** Every order is equally likely (Fisher and Yates). */
function shuffle(values: number[], random: Random): void {
  for (let last = values.length - 1; last > 0; last--) {
    const other = random.integer(0, last);
    [values[last], values[other]] = [values[other] as number, values[last] as number];
  }
}

export type Neighbourhood = {
  /** As fractions of the best set's figure. */
  readonly kept: number;
  readonly worst: number;
  readonly neighbours: number;
  /** The best set lies at the end of a parameter's range, beyond which nothing was tried. */
  readonly isAtEnd: boolean;
};

export type Tried = {
  /** One value per parameter, in the same order for all. */
  readonly values: readonly unknown[];
  /** The objective, higher being better; null where the run has no such figure. */
  readonly achieved: number | null;
};

const NEIGHBOURS_MIN = 2;

/**
 * How much of the best result remains one step away in any parameter: a good set lies on a plateau, a lucky one on a
 * spike.
 * Formula: mean, and lowest, of what was looked for at the neighbours / what the best came to; a neighbour differs by one step
 * of one parameter; where values were drawn and have no steps, or there is one parameter, the 2 * parameters sets that lie
 * nearest by rank
 *
 * `choices`: what each parameter may be.
 */
export function neighbourhood(
  tried: readonly Tried[],
  best: number,
  choices: readonly Choice[],
): Figure<Neighbourhood> {
  const chosen = tried[best];
  if (chosen?.achieved == null) return notAvailable("the best has no figure");
  if (!(chosen.achieved > 0)) return notAvailable("what the best came to is not above zero");
  const axes = chosen.values.map((_, axis) => axisOf(tried.map(({ values }) => values[axis])));
  const places = tried.map(({ values }) => values.map((value, axis) => (axes[axis] as AxisPlaces).of(value)));
  const near = isGrid(tried, axes) ? stepsAway(places, axes, best) : nearest(places, axes, best);
  const values = near.flatMap((index) => tried[index]?.achieved ?? []);
  if (values.length < NEIGHBOURS_MIN)
    return notAvailable(`needs at least ${NEIGHBOURS_MIN} neighbours with a figure, was ${values.length}`);
  const { achieved } = chosen;
  return known({
    kept: mean(Float64Array.from(values)) / achieved,
    worst: Math.min(...values) / achieved,
    neighbours: values.length,
    isAtEnd: choices.some((choice, axis) => isEndOf(choice, chosen.values[axis])),
  });
}

type AxisPlaces = {
  /** The index of a value among all values tried, from 0. */
  readonly of: (value: unknown) => number;
  readonly count: number;
  /** Texts have no order, and so no neighbours. */
  readonly isOrdered: boolean;
};

function axisOf(values: readonly unknown[]): AxisPlaces {
  const distinct = [...new Set(values)];
  const isOrdered = distinct.every((value) => typeof value === "number");
  if (isOrdered) (distinct as number[]).sort((one, other) => one - other);
  const places = new Map(distinct.map((value, place) => [value, place]));
  return { of: (value) => places.get(value) as number, count: distinct.length, isOrdered };
}

/**
 * Whether every combination was tried. A single parameter would always look like a grid, and has only one neighbour at
 * its ends.
 */
function isGrid(tried: readonly Tried[], axes: readonly AxisPlaces[]): boolean {
  if (axes.length < 2) return false;
  return axes.reduce((sets, { count }) => sets * count, 1) === tried.length && axes.some(({ isOrdered }) => isOrdered);
}

function stepsAway(
  places: readonly (readonly number[])[],
  axes: readonly AxisPlaces[],
  best: number,
): readonly number[] {
  const own = places[best] as readonly number[];
  return indexesOf(places, (other) => {
    const steps = other.map((place, axis) => {
      const away = Math.abs(place - (own[axis] as number));
      return axes[axis]?.isOrdered || away === 0 ? away : Infinity;
    });
    return steps.reduce((sum, one) => sum + one, 0) === 1;
  });
}

function nearest(places: readonly (readonly number[])[], axes: readonly AxisPlaces[], best: number): readonly number[] {
  const own = places[best] as readonly number[];
  const distance = (other: readonly number[]): number =>
    other.reduce((sum, place, axis) => {
      const { count, isOrdered } = axes[axis] as AxisPlaces;
      if (!isOrdered) return place === own[axis] ? sum : Infinity;
      return sum + ((place - (own[axis] as number)) / Math.max(1, count - 1)) ** 2;
    }, 0);
  const distances = places.map(distance);
  return indexesOf(places, (_, index) => index !== best && Number.isFinite(distances[index]))
    .toSorted((one, other) => (distances[one] as number) - (distances[other] as number) || one - other)
    .slice(0, 2 * axes.length);
}

function indexesOf<T>(values: readonly T[], test: (value: T, index: number) => boolean): readonly number[] {
  return values.flatMap((value, index) => (test(value, index) ? [index] : []));
}
