// Charts of equity against holding the opening inventory, its distance below the peak, the distribution of returns,
// and the holdings of each currency.

import { overHoldingSeries, periodReturns, underwater } from "../../metric/returns.ts";
import { closedTrips } from "../../metric/round-trips.ts";
import { type WorthSeries, worthSeries } from "../../metric/worth.ts";
import type { RunRecord } from "../../record/run-record.ts";
import { duration } from "../format.ts";
import { binsFromZero, type Chart, type ChartLine, chartOf, SPANS, thinnedRows, timeChart, valuesAt } from "./spec.ts";

const MISSING = "equity was known at fewer than two moments";

export function equityChart({ samples, settings }: RunRecord): Chart {
  const { time, equity, benchmark } = samples;
  const note = `worth of all that is held in ${settings.currency}, beside the opening inventory left alone`;
  const head = { id: "equity", title: "Equity", size: "wide", note } as const;
  if (samples.length < 2) return chartOf(head, MISSING);
  const rows = thinnedRows(time, [equity, benchmark], SPANS);
  const lines: ChartLine[] = [
    { label: "equity", values: valuesAt(equity, rows), ink: "main" },
    { label: "holding", values: valuesAt(benchmark, rows), ink: "quiet", dashed: true },
  ];
  return chartOf(head, timeChart("money", time, rows, lines));
}

/** What trading added to the opening inventory left alone, and how far that fell. */
export function overHoldingCharts(record: RunRecord): Chart[] {
  const { time, equity, benchmark, length } = record.samples;
  const note = `equity less the opening inventory left alone, in ${record.settings.currency}`;
  const head = { id: "over-holding", title: "Profit over holding", size: "wide", note } as const;
  const over = equity.map((worth, row) => worth - (benchmark[row] as number));
  const rows = thinnedRows(time, [over], SPANS);
  const line: ChartLine = { label: "over holding", values: valuesAt(over, rows), ink: "main", fill: "zero" };
  const fall = "how far equity over holding is under its highest so far";
  const series = overHoldingSeries(worthSeries(record));
  return [
    chartOf(head, length < 2 ? MISSING : timeChart("money", time, rows, [line])),
    depthChart({ id: "underwater", title: "Below its peak", size: "wide", note: fall }, series, MISSING),
  ];
}

export function depthChart(head: Omit<Chart, "drawn" | "missing">, series: WorthSeries, missing: string): Chart {
  if (series.length < 2) return chartOf(head, missing);
  const depth = underwater(series);
  const rows = thinnedRows(series.time, [depth], SPANS);
  const own: ChartLine = { label: "below the peak", values: valuesAt(depth, rows, 5), ink: "loss", fill: "zero" };
  return chartOf(head, timeChart("percent", series.time, rows, [own]));
}

/** `series` is undefined when nothing ran. */
export function growthChart(
  head: Omit<Chart, "drawn" | "missing">,
  series: WorthSeries | undefined,
  missing: string,
): Chart {
  if (series === undefined || series.length < 2) return chartOf(head, missing);
  const { time, growth, holding } = series;
  const rows = thinnedRows(time, [growth, holding], SPANS);
  const values = (column: Float64Array): ChartLine["values"] =>
    valuesAt(
      column.map((value) => value - 1),
      rows,
      6,
    );
  return chartOf(
    head,
    timeChart("percent", time, rows, [
      { label: "equity", ink: "main", values: values(growth) },
      { label: "holding", ink: "quiet", dashed: true, values: values(holding) },
    ]),
  );
}

const BINS_MIN = 8;
const BINS_MAX = 40;
const HISTOGRAM_MIN = 10;

export function histogramCharts(record: RunRecord): readonly Chart[] {
  const { equity, periodMs } = periodReturns(worthSeries(record));
  const { trips } = closedTrips(record);
  const returned = `how often a return of ${duration(periodMs)} was how large; zero counts with what lies above it`;
  const tripped = "how often a round trip earned how much of its size, in bp and after fees";
  const returns = { id: "histogram", title: "Returns", size: "half", note: returned } as const;
  const roundTrips = { id: "round-trips", title: "Round trips", size: "half", note: tripped } as const;
  return [
    histogram(returns, "percent", equity),
    histogram(
      roundTrips,
      "bps",
      Float64Array.from(trips, ({ bps }) => bps),
    ),
  ];
}

function histogram(head: Omit<Chart, "drawn" | "missing">, unit: "percent" | "bps", of: Float64Array): Chart {
  const values = of.filter((value) => Number.isFinite(value)).sort();
  const [low, high] = [values[0], values[values.length - 1]];
  if (values.length < HISTOGRAM_MIN || low === undefined || high === undefined || !(high > low))
    return chartOf(head, `fewer than ${HISTOGRAM_MIN} of them, or all the same`);
  const width = (high - low) / binCount(values, low, high);
  return chartOf(head, { kind: "histogram", unit, ...binsFromZero(values, width) });
}

/** Freedman and Diaconis: twice the interquartile range over the cube root of the count. */
function binCount(sorted: Float64Array, low: number, high: number): number {
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] as number;
  const width = (2 * (at(0.75) - at(0.25))) / Math.cbrt(sorted.length);
  return width > 0 ? Math.max(BINS_MIN, Math.min(BINS_MAX, Math.ceil((high - low) / width))) : BINS_MAX;
}

export function balanceCharts({ samples }: RunRecord): Chart[] {
  const { time } = samples;
  return samples.assets.map(({ asset, held, inFlight }) => {
    const note = "all that is owned; the band is what is on its way and cannot be spent";
    const head = { id: `balance-${asset}`, title: `${asset} held`, size: "half", note } as const;
    if (samples.length < 2) return chartOf(head, "balances were not recorded");
    const free = held.map((amount, row) => amount - (inFlight[row] as number));
    const rows = thinnedRows(time, [held, free], SPANS / 3);
    const owned: ChartLine = { label: "held", ink: "main", values: valuesAt(held, rows), stepped: true };
    const spendable: ChartLine = { label: "free", ink: "warn", values: valuesAt(free, rows), stepped: true };
    const hasBand = inFlight.some((amount) => amount > 0);
    return chartOf(
      head,
      timeChart("amount", time, rows, hasBand ? [spendable, { ...owned, fill: "before" }] : [owned]),
    );
  });
}
