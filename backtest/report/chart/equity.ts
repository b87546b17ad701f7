// Equity beside holding the opening inventory, and how far it is below its own peak; a second run is laid over both.

import { underwater } from "../../metric/returns.ts";
import { worthSeries } from "../../metric/worth.ts";
import type { RunRecord } from "../../record/run-record.ts";
import type { Comparison } from "../comparison.ts";
import { thinnedRows } from "../thin.ts";
import { type Chart, type ChartLine, compact, SPANS, seconds } from "./spec.ts";

const MISSING = "equity was known at fewer than two moments";

export function equityChart({ samples, settings }: RunRecord, compared: Comparison | undefined): Chart {
  const { time, equity, benchmark } = samples;
  const chart = { id: "equity", title: "Equity", size: "wide" } as const;
  const note = `worth of all that is held in ${settings.currency}, beside the opening inventory left alone`;
  if (samples.length < 2) return { ...chart, note, drawn: undefined, missing: MISSING };
  const rows = thinnedRows(time, [equity, benchmark], SPANS);
  const line = (label: string, values: Float64Array): Pick<ChartLine, "label" | "values"> => ({
    label,
    values: rows.map((row) => compact(values[row] as number)),
  });
  const lines: ChartLine[] = [
    { ...line("equity", equity), ink: "main" },
    { ...line("holding", benchmark), ink: "quiet", dashed: true },
  ];
  if (compared !== undefined)
    lines.push({ ...overlaid(compared, compared.record.samples.equity, time, rows), ink: "other" });
  return { ...chart, note, drawn: timeChart("money", time, rows, lines), missing: undefined };
}

export function underwaterChart(record: RunRecord, compared: Comparison | undefined): Chart {
  const series = worthSeries(record);
  const chart = { id: "underwater", title: "Below the peak", size: "wide" } as const;
  const note = "how far equity is under its highest so far";
  if (series.length < 2) return { ...chart, note, drawn: undefined, missing: MISSING };
  const depth = underwater(series);
  const rows = thinnedRows(series.time, [depth], SPANS);
  const values = rows.map((row) => compact(depth[row] as number, 5));
  const lines: ChartLine[] = [{ label: "below the peak", values, ink: "loss", fill: "zero" }];
  if (compared !== undefined) {
    const other = worthSeries(compared.record);
    lines.push({ ...overlaidAt(compared.label, other.time, underwater(other), series.time, rows), ink: "other" });
  }
  return { ...chart, note, drawn: timeChart("percent", series.time, rows, lines), missing: undefined };
}

function timeChart(
  unit: "money" | "percent",
  time: Float64Array,
  rows: readonly number[],
  lines: readonly ChartLine[],
) {
  return { kind: "time", unit, time: rows.map((row) => seconds(time[row] as number)), lines, marks: [] } as const;
}

function overlaid(
  { label, record }: Comparison,
  values: Float64Array,
  time: Float64Array,
  rows: readonly number[],
): Pick<ChartLine, "label" | "values"> {
  return overlaidAt(label, record.samples.time, values, time, rows);
}

/** The other run's last value at each drawn moment, up to the one it ends before or at; a gap outside its own time. */
function overlaidAt(
  label: string,
  otherTime: Float64Array,
  values: Float64Array,
  time: Float64Array,
  rows: readonly number[],
): Pick<ChartLine, "label" | "values"> {
  let other = -1;
  const last = otherTime[otherTime.length - 1] ?? -Infinity;
  return {
    label,
    values: rows.map((row, index) => {
      const at = time[row] as number;
      const before = time[rows[index - 1] as number] ?? -Infinity;
      while (other + 1 < otherTime.length && (otherTime[other + 1] as number) <= at) other++;
      return other < 0 || (at > last && before >= last) ? null : compact(values[other] as number);
    }),
  };
}
