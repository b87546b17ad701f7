// Returns over equal periods from the start of the run; the last, incomplete one is left out. Days for runs of 20 days and
// more, hours below. Venue and coins trade around the clock, so a year has 365.25 days.

import type { WorthSeries } from "./worth-series.ts";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365.25 * DAY_MS;
const DAYS_MIN = 20;

/** Fewer returns than this make no statistic. */
export const RETURNS_MIN = 20;

export type PeriodReturns = {
  readonly periodMs: number;
  readonly perYear: number;
  /** Of equity, one for each period; and of holding the opening inventory. */
  readonly equity: Float64Array;
  readonly holding: Float64Array;
};

/** `periodMs` where somebody wants other periods than those of the figures. */
export function periodReturns(series: WorthSeries, periodMs = periodFor(series)): PeriodReturns {
  const { time, length } = series;
  const start = time[0] ?? 0;
  const spanMs = (time[length - 1] ?? 0) - start;
  const ends = lastRows(time, start, periodMs, Math.floor(spanMs / periodMs));
  const returns = (column: Float64Array): Float64Array =>
    ends.slice(1).map((row, index) => returnBetween(column[ends[index] as number] as number, column[row] as number));
  return {
    periodMs,
    perYear: YEAR_MS / periodMs,
    equity: returns(series.growth),
    holding: returns(series.holding),
  };
}

/** After ruin nothing moves any more. */
export function returnBetween(before: number, after: number): number {
  return before > 0 ? after / before - 1 : 0;
}

function periodFor({ time, length }: WorthSeries): number {
  return length > 0 && (time[length - 1] as number) - (time[0] as number) >= DAYS_MIN * DAY_MS ? DAY_MS : HOUR_MS;
}

/** The last row at or before the start and each period's end. */
function lastRows(time: Float64Array, start: number, periodMs: number, periods: number): Float64Array {
  const rows = new Float64Array(time.length === 0 ? 0 : periods + 1);
  let row = 0;
  for (let period = 0; period < rows.length; period++) {
    while (row + 1 < time.length && (time[row + 1] as number) <= start + period * periodMs) row++;
    rows[period] = row;
  }
  return rows;
}
