// Where the price went after a fill: positive is our way, negative means that whoever sold to us knew more. A fill has none for
// a moment at which the market is closed (a hole of the data) or the run is over. A journal has prices of decisions alone: the last
// one of the later two thirds of that time counts, and a fill without one has no markout.
// Formula: for each horizon, sum of +-(mid after - price) / price * worth / sum of worth, in bp; standard error of the plain mean

import { type Fills, MARKOUT_SECONDS } from "../record/run-record.ts";
import { enough, type Figure, known } from "./basis/figure.ts";
import { fillEdges } from "./basis/fill-edges.ts";
import { standardDeviation } from "./basis/moments.ts";

export type Markout = {
  readonly seconds: number;
  readonly bps: Figure<{ readonly mean: number; readonly standardError: number; readonly fills: number }>;
};

export function markout(fills: Fills): readonly Markout[] {
  const { sign, price, worth } = fillEdges(fills);
  return MARKOUT_SECONDS.map((seconds, horizon) => {
    const mids = fills.mids[horizon] as Float64Array;
    const moves: number[] = [];
    let [weighted, weights] = [0, 0];
    for (let row = 0; row < fills.length; row++) {
      const paid = price[row] as number;
      const move = (((sign[row] as number) * ((mids[row] as number) - paid)) / paid) * 10_000;
      const weight = worth[row] as number;
      if (!Number.isFinite(move) || !(weight > 0)) continue;
      moves.push(move);
      weighted += move * weight;
      weights += weight;
    }
    const standardError = standardDeviation(Float64Array.from(moves)) / Math.sqrt(moves.length);
    const bps =
      enough(moves.length, "fills with a later price") ??
      known({ mean: weighted / weights, standardError, fills: moves.length });
    return { seconds, bps };
  });
}
