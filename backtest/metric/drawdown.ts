// The deepest fall of equity from a peak: how deep, when, how long until the peak was reached again; and the longest time
// spent below a peak, which may be another fall.
// Formula: max over time of (1 - growth / highest growth so far)

import { type Millis, millis } from "../../src/domain/time.ts";
import { type Figure, known, notAvailable } from "./basis/figure.ts";
import type { WorthSeries } from "./basis/worth-series.ts";

export type Drawdown = {
  /** A part of one. */
  readonly size: number;
  readonly peakAt: Millis;
  readonly troughAt: Millis;
  /** Undefined while the peak has not been reached again. */
  readonly recoveredAt: Millis | undefined;
  /** From the peak to recovery, or to the end of the run. */
  readonly durationMs: number;
  /** From the trough to recovery. */
  readonly recoveryMs: number | undefined;
  readonly longestMs: number;
};

export function drawdown({ time, growth, length }: WorthSeries): Figure<Drawdown> {
  if (length < 2) return notAvailable("needs at least 2 samples of equity");
  let peak = 0;
  let deepest = { size: 0, peak: 0, trough: 0 };
  let longestMs = 0;
  for (let row = 0; row < length; row++) {
    const value = growth[row] as number;
    const highest = growth[peak] as number;
    // The moment of recovery ends a fall; time at a peak is none.
    const isBelow = value < highest || (row > 0 && (growth[row - 1] as number) < highest);
    if (isBelow) longestMs = Math.max(longestMs, (time[row] as number) - (time[peak] as number));
    if (value >= highest) peak = row;
    const size = 1 - value / (growth[peak] as number);
    if (size > deepest.size) deepest = { size, peak, trough: row };
  }
  if (deepest.size === 0) return notAvailable("equity never fell below a peak");
  const recovered = growth.findIndex((value, row) => row > deepest.trough && value >= (growth[deepest.peak] as number));
  const at = (row: number): Millis => millis(time[row] as number);
  const [peakAt, troughAt] = [at(deepest.peak), at(deepest.trough)];
  const recoveredAt = recovered < 0 ? undefined : at(recovered);
  return known({
    size: deepest.size,
    peakAt,
    troughAt,
    recoveredAt,
    durationMs: (recoveredAt ?? at(length - 1)) - peakAt,
    recoveryMs: recoveredAt && recoveredAt - troughAt,
    longestMs,
  });
}

/** How far below the highest so far, at each sample: zero or negative. */
export function underwater({ growth }: WorthSeries): Float64Array {
  let highest = 0;
  return growth.map((value) => {
    highest = Math.max(highest, value);
    return value / highest - 1;
  });
}
