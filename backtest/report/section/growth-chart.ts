// Growth of an account beside the same account left alone, over the time that judges.

import type { WorthSeries } from "../../metric/worth.ts";
import { type Chart, compact, SPANS, seconds } from "../chart/spec.ts";
import { thinnedRows } from "../thin.ts";

/** `series` is undefined where nothing ran. */
export function growthChart(
  { title, note, missing }: { readonly title: string; readonly note: string; readonly missing: string },
  series: WorthSeries | undefined,
): Chart {
  const chart = { id: "equity", title, note, size: "wide" } as const;
  if (series === undefined || series.length < 2) return { ...chart, drawn: undefined, missing };
  const rows = thinnedRows(series.time, [series.growth, series.holding], SPANS);
  const values = (column: Float64Array) => rows.map((row) => compact((column[row] as number) - 1, 6));
  return {
    ...chart,
    missing: undefined,
    drawn: {
      kind: "time",
      unit: "percent",
      time: rows.map((row) => seconds(series.time[row] as number)),
      lines: [
        { label: "equity", ink: "main", values: values(series.growth) },
        { label: "holding", ink: "quiet", dashed: true, values: values(series.holding) },
      ],
      marks: [],
    },
  };
}
