// The same run over many seeds, and again with the edge taken out of the market: quantiles of the main figures, and the
// growth over holding as a fan. One seed is one draw; only what most of them show says something of the strategy.

import { DAY_MS } from "../../src/domain/time.ts";
import type { FigureName } from "../metric/figures.ts";
import { quantileOf } from "../metric/statistics.ts";
import { figureText } from "../search/ranking.ts";
import type { RanTrial } from "../search/trial-result.ts";
import { type Chart, type ChartLine, chartOf, compact, seconds } from "./chart/spec.ts";
import { number } from "./format.ts";
import { columnsOf, type Part } from "./report.ts";
import { SHARPE_MAX } from "./run-text.ts";

export type SeedRuns = {
  /** In the order of the seeds, from the first on. */
  readonly runs: readonly RanTrial[];
  readonly withoutEdge: readonly RanTrial[];
  readonly from: number;
  readonly firstSeed: number;
};

const QUANTILES = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

const SHOWN: readonly (readonly [label: string, FigureName])[] = [
  ["net profit", "netProfit"],
  ["profit over holding", "profitOverHolding"],
  ["return", "totalReturn"],
  ["Sharpe", "sharpe"],
  ["Sharpe over holding", "sharpeOverHolding"],
  ["deepest drawdown", "drawdown"],
  ["drawdown over holding", "drawdownOverHolding"],
  ["win rate of round trips", "roundTripWinRate"],
  ["fill rate", "fillRate"],
  ["markout after 60 s, bp", "markoutBps60"],
  ["toxicity, bp", "toxicityBps"],
];

type SeedRow = {
  readonly label: string;
  /** Of the seeds that have the figure; null without any. */
  readonly quantiles: readonly (number | null)[];
  /** The median with the edge removed. */
  readonly withoutEdge: number | null;
  /** Seeds that have it. */
  readonly known: number;
  readonly text: (value: number | null) => string;
};

export function seedRows({ runs, withoutEdge }: SeedRuns, currency: string): readonly SeedRow[] {
  const row = (label: string, of: (run: RanTrial) => number | null, text: SeedRow["text"]): SeedRow => {
    const [own, other] = [knownOf(runs, of), knownOf(withoutEdge, of)];
    const at = (values: Float64Array, part: number) => (values.length === 0 ? null : quantileOf(values, part));
    const quantiles = QUANTILES.map((part) => at(own, part));
    return { label, quantiles, withoutEdge: at(other, 0.5), known: own.length, text };
  };
  const figures = SHOWN.map(([label, name]) =>
    row(
      label,
      ({ figures }) => figures[name],
      (value) => figureText(name, value, currency),
    ),
  );
  const plain = (value: number | null): string => (value === null ? "n/a" : number(value, 2));
  return [row("profit over holding a day, bp", dailyBps, plain), ...figures, row("fills", ({ fills }) => fills, plain)];
}

function knownOf(runs: readonly RanTrial[], of: (run: RanTrial) => number | null): Float64Array {
  return Float64Array.from(runs.map(of).filter((value) => value !== null)).sort();
}

/** The mean return over holding, in bp of equity. */
function dailyBps({ returns: { equity, holding, periodMs } }: RanTrial): number | null {
  const sum = equity.reduce((total, value, row) => total + value - (holding[row] as number), 0);
  return equity.length === 0 ? null : (sum / equity.length) * (DAY_MS / periodMs) * 10_000;
}

export function seedsTitle({ runs, firstSeed }: SeedRuns): string {
  const halted = runs.filter(({ state }) => state === "HALTED").length;
  const ended = halted === 0 ? "" : `; ${number(halted, 0)} of them ended HALTED`;
  return `${number(runs.length, 0)} seeds, ${firstSeed} to ${firstSeed + runs.length - 1}${ended}`;
}

/** Shown figures too good to be taken at their word. */
export function seedCautions(rows: readonly SeedRow[]): readonly string[] {
  const high = rows.flatMap(({ label, quantiles, withoutEdge }) => {
    const most = Math.max(...[...quantiles, withoutEdge].map((value) => value ?? Number.NEGATIVE_INFINITY));
    return label.startsWith("Sharpe") && most > SHARPE_MAX ? [`${label} reaches ${number(most, 2)}`] : [];
  });
  if (high.length === 0) return [];
  return [
    `${high.join(", ")}: above ${SHARPE_MAX} it tells of the prices and assumptions before it tells of the strategy. The part that is left with the edge removed comes from the holdings`,
  ];
}

export function seedsJson(seeds: SeedRuns): object {
  const rows = seedRows(seeds, "");
  const figures = rows.map(({ text: _, ...row }) => row);
  return { parts: QUANTILES, figures, cautions: seedCautions(rows), ...seeds };
}

export function seedParts(seeds: SeedRuns, currency: string): readonly Part[] {
  const rows = seedRows(seeds, currency);
  const quantiles = QUANTILES.map((part) => (part === 0.5 ? ">median" : `>${part * 100} %`));
  return [
    { kind: "charts", title: seedsTitle(seeds), charts: [fanChart(seeds)] },
    {
      ...{ kind: "table", title: "", shown: rows.length },
      columns: columnsOf("figure", ...quantiles, ">edge removed, median"),
      rows: rows.map(({ label, quantiles, withoutEdge, text }) => [label, ...quantiles.map(text), text(withoutEdge)]),
      notes: [...seedCautions(rows), `All that follows on the page is of seed ${seeds.firstSeed} alone.`],
    },
  ];
}

function fanChart({ runs, withoutEdge, from }: SeedRuns): Chart {
  const note = "growth of equity less that of holding: quantiles over the seeds, and the median with the edge removed";
  const head = { id: "seeds", title: "Over holding, by seed", size: "wide", note } as const;
  const periods = Math.min(...[...runs, ...withoutEdge].map(({ returns }) => returns.equity.length));
  if (periods < 1) return chartOf(head, "no seed has a return");
  const [own, other] = [runs, withoutEdge].map((some) => some.map((run) => growthOver(run).slice(0, periods + 1)));
  const at = (paths: readonly number[][] = [], part: number): ChartLine["values"] =>
    Array.from({ length: periods + 1 }, (_, period) =>
      compact(quantileOf(Float64Array.from(paths, (path) => path[period] as number).sort(), part), 5),
    );
  const lines = QUANTILES.map((part, place): ChartLine => {
    const label = part === 0.5 ? "median" : `${part * 100} %`;
    const ink = part === 0.5 ? "main" : "quiet";
    // The half of the seeds around the median, below it as above it.
    const band = place === 0 ? {} : ({ fill: "before", ...(part === 0.5 ? { fillInk: "main" } : {}) } as const);
    return { label, ink, values: at(own, part), ...band };
  });
  const periodMs = runs[0]?.returns.periodMs ?? 0;
  return chartOf(head, {
    kind: "time",
    unit: "percent",
    time: Array.from({ length: periods + 1 }, (_, period) => seconds(from + period * periodMs)),
    lines: [...lines, { label: "edge removed", ink: "other", values: at(other, 0.5), dashed: true }],
    marks: [],
  });
}

function growthOver({ returns: { equity, holding } }: RanTrial): number[] {
  let [own, untraded] = [1, 1];
  const path = equity.map((value, row) => {
    own *= 1 + value;
    untraded *= 1 + (holding[row] as number);
    return own - untraded;
  });
  return [0, ...path];
}
