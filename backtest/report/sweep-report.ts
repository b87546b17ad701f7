// The report of a search: what was chosen and what it came to, a map of any two parameters, the ranking.

import { assumptionsOf, namedGrounds } from "../assumption.ts";
import type { Figure } from "../metric/figure.ts";
import type { FigureName } from "../metric/figures.ts";
import type { WorthSeries } from "../metric/worth.ts";
import type { BacktestOptions } from "../options.ts";
import type { Axis } from "../search/parameter-space.ts";
import {
  achievedText,
  agreementOf,
  chosenInSample,
  countText,
  faultIn,
  figureText,
  type RankedRow,
  rankText,
  setText,
  unitOf,
  unjudgedText,
  valueText,
} from "../search/ranking.ts";
import { figureOf, type Objective } from "../search/search-terms.ts";
import { SIGNIFICANT, type Superiority } from "../search/superior.ts";
import { runsOf } from "../search/sweep.ts";
import type { SweepPlan } from "../search/sweep-plan.ts";
import { type Chart, compact } from "./chart/spec.ts";
import { growthChart } from "./chart/worth.ts";
import { type Line, line } from "./figure-lines.ts";
import { duration, minute, number, percent } from "./format.ts";
import { columnsOf, type MapFigure, type ParameterMap, type Report, type Setting, type Table } from "./report.ts";

export type Sweep = {
  readonly plan: SweepPlan;
  /** Of the base backtest, with the first of the searched values. */
  readonly options: BacktestOptions;
  readonly rows: readonly RankedRow[];
  readonly superior: Figure<Superiority>;
  /** For recorded prices. */
  readonly overfit: Figure<number>;
  /** Of the out-of-sample run of the set chosen in-sample; undefined where there is none. */
  readonly series: WorthSeries | undefined;
  /** Ways in which the price data favour every parameter set. */
  readonly cautions: readonly string[];
  /** The sets that a kernel looked at before these were run, and how far its ranking agrees with theirs. */
  readonly screen?: { readonly sets: number; readonly agreement: number | undefined } | undefined;
  /** How many sets are refused, and which. */
  readonly leftOut: string | undefined;
};

/** Larger pages are slow in browsers; the result file has all rows. */
const MAPPED_MAX = 20_000;

export function sweepReport(sweep: Sweep): Report {
  const { plan, options, rows, overfit, series, cautions } = sweep;
  const { base, axes, search, objective } = plan;
  const unjudged = unjudgedText(objective, rows);
  const ground =
    base.data.length === 0
      ? `a synthetic market (${base.market.name})`
      : namedGrounds(base.data.map(({ name }) => name)).join(" and ");
  return {
    title: `Sweep of ${options.strategy.name} over ${axes.map(({ name }) => name).join(", ")}`,
    facts: [
      `${search} search`,
      `${number(rows.length, 0)} parameter sets, ${number(runsOf(plan), 0)} runs`,
      `${minute(base.from)} to ${minute(base.to)} (${duration(base.to - base.from)})`,
      splitText(plan),
      ground,
      `seed ${base.seed}`,
      `pegbot ${options.codeVersion}`,
    ],
    notes: [...(unjudged === undefined ? [] : [unjudged]), ...failedTexts(rows), ...cautions],
    parts: [
      { kind: "tiles", lines: [...tilesOf(plan, rows, sweep), ...overfitTile(plan, overfit)] },
      { kind: "map", title: "Parameters", map: parameterMap(plan, rows.slice(0, MAPPED_MAX)) },
      ranking(plan, rows, unjudged),
      {
        kind: "charts",
        title: "The chosen set",
        charts: [curve(objective, rows, series)],
      },
      { kind: "settings", title: "Settings", rows: settingsOf(sweep) },
    ],
    footer: `Parameters may be chosen by what is in-sample; what is out-of-sample was not seen by that choice. Who picks the first line of the ranking has chosen by what is out-of-sample, and has no judge left. Times are UTC. What the figures mean: docs/reference/figures.md; how a sweep works: docs/guides/sweep.md of pegbot ${options.codeVersion}.`,
  };
}

function splitText({ split }: SweepPlan): string {
  if (split.kind === "time") return `the last ${percent(split.share, 0)} of the time judge`;
  const chosen = split.choosing === 1 ? "" : `${split.choosing} seeds choose, `;
  return `${chosen}${split.count} other seed${split.count === 1 ? "" : "s"} judge${split.count === 1 ? "s" : ""}`;
}

/** A set whose strategy failed must not look like a poor one, and a stopped bot did nothing from then on. */
function failedTexts(rows: readonly RankedRow[]): readonly string[] {
  const why = ({ chosen, judged }: RankedRow): string | undefined => faultIn(chosen) ?? faultIn(judged);
  const [first, ...more] = rows.filter((row) => why(row) !== undefined);
  const stopped = rows.filter((row) => endText(row) !== ACTIVE).length;
  const of = `of ${rows.length}`;
  return [
    ...(first === undefined
      ? []
      : [
          `${more.length + 1} ${of} sets have a run that failed, which has no figure: it chooses nothing and ranks last; ${setText(first.values)} ${why(first)}`,
        ]),
    ...(stopped === 0 ? [] : [`${stopped} ${of} did not trade to the end: their figures are of a bot that stopped`]),
    ...(isOneRun(rows)
      ? [`all ${rows.length} sets came to the very same result: no parameter had any effect in this time`]
      : []),
  ];
}

/** Compares every figure: a single equal one may be chance. */
function isOneRun(rows: readonly RankedRow[]): boolean {
  const sides = rows.map(({ chosen, judged }) =>
    JSON.stringify([chosen, judged], (key, value) => (key === "traces" ? null : value)),
  );
  return rows.length > 1 && new Set(sides).size === 1;
}

const ACTIVE = "ACTIVE";

function endText({ judged, chosen }: RankedRow): string {
  const stoppedIn = (states: readonly string[]): string => [...new Set(states)].filter((one) => one !== ACTIVE).join();
  const before = stoppedIn(chosen.states);
  return stoppedIn(judged.states) || (before === "" ? ACTIVE : `${before} in-sample`);
}

function tilesOf(
  { objective, base }: SweepPlan,
  rows: readonly RankedRow[],
  { superior, screen }: Pick<Sweep, "superior" | "screen">,
): readonly Line[] {
  const [first] = rows;
  const chosen = chosenInSample(objective, rows);
  const currency = String(base.limits.currency);
  const text = (value: number | null | undefined): string => achievedText(objective, value ?? null, currency);
  const both = rows.flatMap((row) =>
    row.outOfSample === null || row.inSample === null ? [] : [[row.inSample, row.outOfSample] as const],
  );
  const gains = rows.filter((row) => (row.judged.figures.profitOverHolding ?? 0) > 0).length;
  return [
    { label: "best in-sample", text: chosen === undefined ? "n/a: no set can be chosen" : setText(chosen.values) },
    { label: `its ${objective} in-sample`, text: text(chosen?.inSample) },
    { label: "and out-of-sample", text: text(chosen?.outOfSample), note: "what to believe of the choice" },
    { label: "its rank out-of-sample", text: (chosen && rankText(chosen, rows)) ?? "n/a" },
    { label: "best out-of-sample", text: text(first?.outOfSample), note: first && setText(first.values) },
    superiorTile(superior),
    {
      label: "ranks agree",
      text: agreementText(agreementOf(objective, both)),
      note: "Spearman's correlation of ranks in-sample and out-of-sample",
    },
    ...screenTile(screen),
    {
      label: "better than holding",
      text: `${number(gains, 0)} of ${number(rows.length, 0)}`,
      note: "out-of-sample, by profit over holding",
    },
  ];
}

function agreementText(agreement: number | undefined): string {
  return agreement === undefined ? "n/a" : number(agreement, 2);
}

function screenTile(screen: Sweep["screen"]): readonly Line[] {
  if (screen === undefined) return [];
  const note = `Spearman's correlation in-sample of kernel and bot; the kernel left these of ${number(screen.sets, 0)} sets, and p counts these alone`;
  return [{ label: "screen agrees", text: agreementText(screen.agreement), note }];
}

function superiorTile(superior: Figure<Superiority>): Line {
  const label = "the best beats holding";
  if (superior.kind === "n/a") return { label, text: "n/a", note: superior.reason };
  const { p, sets, periods } = superior.value;
  return {
    label,
    text: `${p < SIGNIFICANT ? "yes" : "not shown"}, p ${chanceText(p)}`,
    note: `chance that the best of ${number(sets, 0)} sets does as well by luck, over ${number(periods, 0)} returns in-sample`,
    tone: p < SIGNIFICANT ? "gain" : undefined,
  };
}

function overfitTile({ base }: SweepPlan, overfit: Figure<number>): readonly Line[] {
  if (base.data.length === 0) return [];
  const note = "chance that the best in-sample is no better than the median afterwards (CSCV)";
  return [line("overfitting (PBO)", overfit, (value) => ({ text: percent(value, 0), note }))];
}

/** Of a part of draws: none of them is below what they can show. */
export function chanceText(p: number): string {
  return p < 0.001 ? "< 0.001" : number(p, 3);
}

const RANKED_MAX = 1_000;
const SHOWN_MAX = 20;

function ranking({ axes, objective, base }: SweepPlan, rows: readonly RankedRow[], unjudged?: string): Table {
  const currency = String(base.limits.currency);
  const names = axes.map(({ name }) => name);
  const isPaired = rows.some(({ apart }) => apart !== null);
  const cells = (row: RankedRow): readonly string[] => [
    String(row.rank),
    ...names.map((name) => valueText(row.values[name])),
    achievedText(objective, row.outOfSample, currency),
    achievedText(objective, row.inSample, currency),
    ...(isPaired
      ? [
          row.apart === null
            ? "n/a"
            : `${achievedText(objective, row.apart.low)} to ${achievedText(objective, row.apart.high)}`,
        ]
      : []),
    ...(["netProfit", "profitOverHolding", "sharpe", "drawdown"] as const).map((name) =>
      figureText(name, row.judged.figures[name], currency),
    ),
    countText(row.judged.fills),
    countText(row.judged.orders),
    endText(row),
  ];
  const runs = Math.max(0, ...rows.map(({ judged }) => judged.states.length));
  const rest = rows.length - RANKED_MAX;
  return {
    ...{ kind: "table", rows: rows.slice(0, RANKED_MAX).map(cells), shown: SHOWN_MAX },
    title: unjudged === undefined ? "Ranking, out-of-sample first" : "Ranking, in-sample: nothing judges",
    columns: columnsOf(
      ...[
        ">rank",
        ...names.map((name) => `>${name}`),
        `>${objective} out-of-sample`,
        ">in-sample",
        ...(isPaired ? [">less the chosen, 95 %"] : []),
        "+>net profit",
      ],
      ...[">over holding", "+>Sharpe", ">drawdown", ">fills", "+>orders", "ended"],
    ),
    notes: [
      ...(rest > 0 ? [`and ${number(rest, 0)} more, in the file of results`] : []),
      ...(runs > 1 ? [`out-of-sample money, fills and orders are the mean over ${runs} seeds, for each set`] : []),
    ],
  };
}

function curve(objective: Objective, rows: readonly RankedRow[], series: WorthSeries | undefined): Chart {
  const chosen = chosenInSample(objective, rows);
  const set = chosen === undefined ? "" : `: ${setText(chosen.values)}`;
  const note = `growth out-of-sample, in the first run that judges it, beside the same account left alone${set}`;
  const head = { id: "equity", title: "Equity of the set that was chosen in-sample", note, size: "wide" } as const;
  return growthChart(head, series, "no set could be chosen, or its run was refused");
}

function settingsOf({ plan, options, leftOut }: Sweep): readonly Setting[] {
  const { base, axes, search, objective } = plan;
  const data = base.data.map(({ name, role, digest }) => `${name} as ${role}, columns ${digest.slice(0, 12)}`);
  return [
    ...axes.map((axis) => ({ name: `${axis.target} ${axis.name}`, value: choiceText(axis) })),
    { name: "search", value: search },
    ...(leftOut === undefined ? [] : [{ name: "sets left out", value: leftOut }]),
    { name: "objective", value: objective },
    { name: "currency of amounts", value: String(base.limits.currency) },
    { name: "seed", value: String(base.seed) },
    { name: "data", value: data.join("; ") || "synthetic" },
    ...Object.entries(base.params).map(([name, value]) => ({ name: `parameter ${name}`, value: valueText(value) })),
    ...assumptionsOf(options),
  ];
}

/** `edgeBps`: `1, 2, 3`, or `1 to 10, linear`. */
export function choiceText({ choice }: Axis): string {
  return choice.kind === "list"
    ? choice.values.map(valueText).join(", ")
    : `${choice.from} to ${choice.to}, ${choice.scale}`;
}

// Numbers with many values are grouped into ranges with about as many parameter sets each.

const LABELS_MAX = 16;
const RANGES = 10;

function parameterMap({ axes, objective }: SweepPlan, rows: readonly RankedRow[]): ParameterMap {
  const parts = axes.map((axis) => cutAxis(axis, rows));
  const goal = unitOf(figureOf(objective));
  const isCost = objective === "drawdown";
  const figure = (
    label: string,
    unit: MapFigure["unit"],
    of: (row: RankedRow) => number | null | undefined,
    cost = false,
  ): MapFigure => ({ label, unit, isCost: cost, values: rows.map((row) => compact(of(row) ?? Number.NaN)) });
  const judged = (name: FigureName) => (row: RankedRow) => row.judged.figures[name];
  return {
    axes: parts.map(({ name, labels }) => ({ name, labels })),
    figures: [
      figure(`${objective} out-of-sample`, goal, (row) => row.outOfSample, isCost),
      figure(`${objective} in-sample`, goal, (row) => row.inSample, isCost),
      figure("profit out-of-sample", "money", judged("netProfit")),
      figure("profit over holding out-of-sample", "money", judged("profitOverHolding")),
      figure("drawdown out-of-sample", "percent", judged("drawdown"), true),
      figure("fills out-of-sample", "count", (row) => row.judged.fills),
    ],
    places: rows.map((row) => parts.map(({ placeOf }, i) => placeOf(row.values[(axes[i] as Axis).name]))),
  };
}

function cutAxis({ name, choice }: Axis, rows: readonly RankedRow[]) {
  const values = rows.map((row) => row.values[name]);
  if (!values.every((value) => typeof value === "number")) {
    const seen = new Set(values.map(valueText));
    const labels = (choice.kind === "list" ? choice.values : []).map(valueText).filter((label) => seen.has(label));
    return { name, labels, placeOf: (value: unknown) => labels.indexOf(valueText(value)) };
  }
  const sorted = [...new Set(values as number[])].sort((one, other) => one - other);
  if (sorted.length <= LABELS_MAX)
    return { name, labels: sorted.map(String), placeOf: (value: unknown) => sorted.indexOf(value as number) };
  const ends = Array.from(
    { length: RANGES },
    (_, i) => sorted[Math.ceil(((i + 1) * sorted.length) / RANGES) - 1] as number,
  );
  const begins = [sorted[0] as number, ...ends.slice(0, -1).map((end) => sorted[sorted.indexOf(end) + 1] as number)];
  return {
    name,
    labels: ends.map((end, i) => `${begins[i]} \u2026 ${end}`),
    placeOf: (value: unknown) => ends.findIndex((end) => (value as number) <= end),
  };
}
