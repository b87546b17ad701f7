// How far Sharpe ratio and profit over holding could have come out by chance alone: the run's own returns drawn anew, in blocks
// of random length so that what hangs together stays together (stationary bootstrap; Politis and Romano, 1994).
// Formula: 2,000 series of n returns, each next return the one that followed with chance 1 - 1/L, else any, L = n^(1/3);
// 5 % and 95 % quantiles of mean / standard deviation (n - 1) * sqrt(periods a year) and of product(1 + return) - 1

import type { Random } from "../../../src/domain/random.ts";
import { enough, type Figure, known, notAvailable } from "../../metric/basis/figure.ts";
import { isConstant, mean, standardDeviation } from "../../metric/basis/moments.ts";
import { RETURNS_MIN } from "../../metric/basis/period-returns.ts";
import { quantileOf } from "../../metric/basis/quantile.ts";
import type { TrialReturns } from "./deflated-sharpe.ts";

export type Interval = { readonly low: number; readonly middle: number; readonly high: number };

export type Bootstrap = {
  /** A year's. */
  readonly sharpe: Interval;
  /** A part of one, over the whole time. */
  readonly growth: Interval;
  /** Of all series, the part that lost. */
  readonly lossShare: number;
  readonly draws: number;
  readonly blockMean: number;
};

const DRAWS = 2_000;

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

/** One series: blocks that begin anywhere and go round at the end. */
function redraw(from: Float64Array, into: Float64Array, blockMean: number, random: Random): void {
  let place = 0;
  for (let i = 0; i < into.length; i++) {
    const begins = i === 0 || random.next() < 1 / blockMean;
    place = begins ? random.integer(0, from.length - 1) : (place + 1) % from.length;
    into[i] = from[place] as number;
  }
}

/** A series that came out without any swing earned or lost the same in every period: that is no ratio of this kind. */
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
