// The run by calendar month and by day (UTC), the incomplete first and last ones included. A sample at midnight
// ends the day before it.
// Formula: for each period growth at its last sample / growth at the last sample before it - 1; fills in it

import { DAY_MS, type Millis, millis } from "../../src/domain/time.ts";
import type { Fills } from "../record/run-record.ts";
import { enough, type Figure, known } from "./basis/figure.ts";
import { returnBetween } from "./basis/period-returns.ts";
import type { WorthSeries } from "./basis/worth-series.ts";

export type Period = {
  /** Its first moment. */
  readonly from: Millis;
  readonly return: number;
  /** Of holding the opening inventory. */
  readonly holding: number;
  readonly fills: number;
};

export type Periods = { readonly months: readonly Period[]; readonly days: readonly Period[] };

export function periods(series: WorthSeries, fills: Pick<Fills, "length" | "time">): Figure<Periods> {
  return (
    enough(series.length, "samples of equity", 2) ??
    known({ months: cut(series, fills, MONTHS), days: cut(series, fills, DAYS) })
  );
}

function cut(
  { time, growth, holding, length }: WorthSeries,
  fills: Pick<Fills, "length" | "time">,
  calendar: Calendar,
): readonly Period[] {
  const found: Period[] = [];
  let before = 0;
  let fill = 0;
  let from = calendar.startOf(time[0] as number);
  let next = calendar.after(from);
  for (let row = 0; row < length; row++) {
    const isLast = row + 1 === length;
    if (!isLast && (time[row + 1] as number) <= next) continue;
    const first = fill;
    while (fill < fills.length && (isLast || (fills.time[fill] as number) < next)) fill++;
    const over = (column: Float64Array): number => returnBetween(column[before] as number, column[row] as number);
    found.push({ from: millis(from), return: over(growth), holding: over(holding), fills: fill - first });
    before = row;
    from = calendar.startOf((time[row + 1] ?? 0) - 1);
    next = calendar.after(from);
  }
  return found;
}

type Calendar = { readonly startOf: (at: number) => number; readonly after: (start: number) => number };

const DAYS: Calendar = {
  startOf: (at) => Math.floor(at / DAY_MS) * DAY_MS,
  after: (start) => start + DAY_MS,
};

const MONTHS: Calendar = {
  startOf: (at) => monthStart(at, 0),
  after: (start) => monthStart(start, 1),
};

function monthStart(at: number, months: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}
