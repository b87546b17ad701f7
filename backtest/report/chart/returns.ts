// How returns are spread, and how the Sharpe ratio moves through the run.

import { DAY_MS } from "../../../src/domain/time.ts";
import { annualRatio, HOUR_MS, periodReturns } from "../../metric/returns.ts";
import { type WorthSeries, worthSeries } from "../../metric/worth.ts";
import type { RunRecord } from "../../record/run-record.ts";
import { duration } from "../format.ts";
import { binsFromZero } from "./bins-from-zero.ts";
import { type Chart, compact, seconds } from "./spec.ts";

const BINS_MIN = 8;
const BINS_MAX = 40;
const RETURNS_MIN = 10;
/** From here on the ratio rolls over a month of days, below over a week of hours. */
const LONG_MS = 90 * DAY_MS;
const MONTH_OF_DAYS = 30;
const WEEK_OF_HOURS = 168;

export function histogramChart(record: RunRecord): Chart {
  const { equity, periodMs } = periodReturns(worthSeries(record));
  const chart = { id: "histogram", title: "Returns", size: "half" } as const;
  const note = `how often a return of ${duration(periodMs)} was how large; zero counts with what lies above it`;
  const values = equity.filter((value) => Number.isFinite(value)).sort();
  const [low, high] = [values[0], values[values.length - 1]];
  if (values.length < RETURNS_MIN || low === undefined || high === undefined || !(high > low))
    return { ...chart, note, drawn: undefined, missing: `fewer than ${RETURNS_MIN} returns, or all the same` };
  const width = (high - low) / binCount(values, low, high);
  const drawn = { kind: "histogram", unit: "percent", ...binsFromZero(values, width) } as const;
  return { ...chart, note, drawn, missing: undefined };
}

/** Freedman and Diaconis: twice the interquartile range over the cube root of the count. */
function binCount(sorted: Float64Array, low: number, high: number): number {
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] as number;
  const width = (2 * (at(0.75) - at(0.25))) / Math.cbrt(sorted.length);
  return width > 0 ? Math.max(BINS_MIN, Math.min(BINS_MAX, Math.ceil((high - low) / width))) : BINS_MAX;
}

export function rollingSharpeChart(record: RunRecord): Chart {
  const series = worthSeries(record);
  const isLong = spanOf(series) >= LONG_MS;
  const { equity, holding, periodMs, perYear } = periodReturns(series, isLong ? DAY_MS : HOUR_MS);
  const window = isLong ? MONTH_OF_DAYS : WEEK_OF_HOURS;
  const chart = { id: "rolling-sharpe", title: "Rolling Sharpe", size: "half" } as const;
  const note = `a year's, over the last ${duration(window * periodMs)}`;
  if (equity.length <= window)
    return { ...chart, note, drawn: undefined, missing: `needs more than ${duration(window * periodMs)} of returns` };
  const over = equity.map((value, row) => value - (holding[row] as number));
  const ends = Array.from({ length: equity.length - window + 1 }, (_, index) => index + window);
  const rolling = (values: Float64Array) =>
    ends.map((end) => {
      const ratio = annualRatio(values.subarray(end - window, end), 0, perYear);
      return ratio.kind === "known" ? compact(ratio.value, 4) : null;
    });
  return {
    ...chart,
    note,
    drawn: {
      kind: "time",
      unit: "ratio",
      time: ends.map((end) => seconds(startOf(series) + end * periodMs)),
      lines: [
        { label: "Sharpe", ink: "main", values: rolling(equity) },
        { label: "over holding", ink: "second", values: rolling(over), dashed: true },
      ],
      marks: [],
    },
    missing: undefined,
  };
}

function startOf({ time }: WorthSeries): number {
  return time[0] ?? 0;
}

function spanOf({ time, length }: WorthSeries): number {
  return (time[length - 1] ?? 0) - (time[0] ?? 0);
}
