// One offline page of a search: out-of-sample results first, a map of any two parameters, the ranking.

import { namedGrounds } from "../assumption.ts";
import type { Figure } from "../metric/figure.ts";
import type { FigureName } from "../metric/figures.ts";
import type { WorthSeries } from "../metric/worth.ts";
import type { Axis } from "../search/parameter-space.ts";
import {
  achievedText,
  chosenInSample,
  countText,
  figureText,
  meanText,
  type RankedRow,
  rankText,
  type Side,
  setText,
  unitOf,
  unjudgedText,
  valueText,
} from "../search/ranking.ts";
import { compareAchieved, figureOf, type Objective } from "../search/search-terms.ts";
import { SIGNIFICANT, type Superiority, superiorityText } from "../search/superior.ts";
import type { SweepPlan } from "../search/sweep-plan.ts";
import { binsFromZero, type Chart, chartOf, compact } from "./chart/spec.ts";
import type { Line } from "./figure-lines.ts";
import { duration, minute, number, percent } from "./format.ts";
import { type Html, html, NOTHING } from "./html.ts";
import { chartFigure, dataTable, growthChart, renderSearch, type SearchPage, tilesOf } from "./page-parts.ts";

export type SweepPage = Omit<SearchPage, "facts"> & {
  readonly plan: SweepPlan;
  readonly rows: readonly RankedRow[];
  readonly runs: number;
  readonly superior: Figure<Superiority>;
  /** Of the out-of-sample run of the set chosen in-sample; undefined where there is none. */
  readonly series: WorthSeries | undefined;
};

/** Larger pages are slow in browsers; the result file has all rows. */
const RANKED_MAX = 1_000;
const MAPPED_MAX = 20_000;

/** What was searched, over which period, and what decides. */
export function sweepFacts({ plan, rows, runs }: Pick<SweepPage, "plan" | "rows" | "runs">): readonly string[] {
  const { base, search } = plan;
  return [
    `${search} search`,
    `${number(rows.length, 0)} parameter sets, ${number(runs, 0)} runs`,
    `${minute(base.from)} to ${minute(base.to)} (${duration(base.to - base.from)})`,
    splitText(plan),
    base.data.length === 0
      ? `a synthetic market (${base.market.name})`
      : namedGrounds(base.data.map(({ name }) => name)).join(" and "),
    `seed ${base.seed}`,
  ];
}

export function renderSweep(page: SweepPage): string {
  const { plan, rows, superior, series } = page;
  const { objective } = plan;
  const unjudged = unjudgedText(objective, rows);
  const map = parameterMap(plan, rows.slice(0, MAPPED_MAX));
  const charts = [curve(objective, rows, series), spread(objective, rows)];
  const body = html`${tiles(objective, rows, superior)}
${parameterMapSection(map)}
<h2>${unjudged === undefined ? "Ranking, out-of-sample first" : "Ranking, in-sample: nothing judges"}</h2>
${ranking(plan, rows)}
<h2>The chosen set, and how all are spread</h2>
<div class="grid">${charts.map(chartFigure)}</div>`;
  const footer =
    "Parameters may be chosen by what is in-sample; what is out-of-sample was not seen by that choice. Who picks the first line of the ranking has chosen by what is out-of-sample, and has no judge left. Times are UTC. What the figures mean: docs/METRICS.md; how a sweep works: docs/SWEEP.md";
  const cautions = unjudged === undefined ? page.cautions : [unjudged, ...page.cautions];
  return renderSearch(
    { ...page, facts: sweepFacts(page), cautions },
    { body, footer, charts, modules: ["parameter-map"], data: map },
  );
}

function splitText({ split }: SweepPlan): string {
  if (split.kind === "time") return `the last ${percent(split.share, 0)} of the time judge`;
  return `${split.count} other seed${split.count === 1 ? "" : "s"} judge${split.count === 1 ? "s" : ""}`;
}

function tiles(objective: Objective, rows: readonly RankedRow[], superior: Figure<Superiority>): Html {
  const [first] = rows;
  const chosen = chosenInSample(objective, rows);
  const known = rows.filter((row) => row.outOfSample !== null && row.inSample !== null);
  const gains = rows.filter((row) => (row.judged.figures.profitOverHolding ?? 0) > 0).length;
  const stopped = rows.filter((row) => row.judged.states.some((state) => state !== "ACTIVE")).length;
  const tile = (label: string, text: string, note?: string): Line => ({ label, text, note });
  return tilesOf([
    tile(
      `best ${objective} out-of-sample`,
      achievedText(objective, first?.outOfSample ?? null),
      first && setText(first.values),
    ),
    tile(
      "the best in-sample has there",
      achievedText(objective, chosen?.outOfSample ?? null),
      chosen === undefined ? "" : setText(chosen.values),
    ),
    tile("and had in-sample", achievedText(objective, chosen?.inSample ?? null), chosen && setText(chosen.values)),
    tile("its rank out-of-sample", (chosen && rankText(chosen, rows)) ?? "n/a"),
    superiorTile(superior),
    tile("ranks agree", rankAgreement(objective, known), "Spearman's correlation of ranks in-sample and out-of-sample"),
    tile(
      "better than holding",
      `${number(gains, 0)} of ${number(rows.length, 0)}`,
      "out-of-sample, by profit over holding",
    ),
    tile(
      "stopped trading",
      `${number(stopped, 0)} of ${number(rows.length, 0)}`,
      "a limit halted the bot, or the strategy failed",
    ),
  ]);
}

function superiorTile(superior: Figure<Superiority>): Line {
  const label = "the best beats holding";
  if (superior.kind === "n/a") return { label, text: "n/a", note: superior.reason };
  const tone = superior.value.p < SIGNIFICANT ? "gain" : undefined;
  return { label, text: `p ${number(superior.value.p, 3)}`, note: superiorityText(superior), tone };
}

/** One: good sets stayed good. Around zero: the choice had no value. */
function rankAgreement(objective: Objective, rows: readonly RankedRow[]): string {
  if (rows.length < 5) return "n/a";
  const ranksBy = (of: (row: RankedRow) => number | null): Map<RankedRow, number> =>
    new Map([...rows].sort((one, other) => compareAchieved(objective, of(one), of(other))).map((row, i) => [row, i]));
  const [one, other] = [ranksBy((row) => row.inSample), ranksBy((row) => row.outOfSample)];
  const apart = rows.reduce((sum, row) => sum + ((one.get(row) as number) - (other.get(row) as number)) ** 2, 0);
  const n = rows.length;
  return number(1 - (6 * apart) / (n * (n * n - 1)), 2);
}

function ranking({ axes, objective }: SweepPlan, rows: readonly RankedRow[]): Html {
  const names = axes.map(({ name }) => name);
  const titles = [
    "rank",
    ...names,
    `${objective} out-of-sample`,
    "in-sample",
    "net profit",
    "over holding",
    "Sharpe",
    "drawdown",
    "fills",
    "orders",
    "state",
  ];
  const cells = (row: RankedRow): readonly string[] => [
    String(row.rank),
    ...names.map((name) => valueText(row.values[name])),
    achievedText(objective, row.outOfSample),
    achievedText(objective, row.inSample),
    ...(["netProfit", "profitOverHolding", "sharpe", "drawdown"] as const).map((name) =>
      figureText(name, row.judged.figures[name]),
    ),
    countText(row.judged.fills),
    countText(row.judged.orders),
    [...new Set(row.judged.states)].join(", "),
  ];
  const shown = rows.slice(0, RANKED_MAX);
  const rest = rows.length - shown.length;
  const mean = meanText(rows);
  return html`<div class="scroll" data-ranking="yes">${dataTable(titles, shown.map(cells), [])}</div>
${rest > 0 ? html`<p class="note">and ${number(rest, 0)} more, in the file of results</p>` : NOTHING}${mean === undefined ? NOTHING : html`<p class="note">${mean}</p>`}`;
}

function curve(objective: Objective, rows: readonly RankedRow[], series: WorthSeries | undefined): Chart {
  const chosen = chosenInSample(objective, rows);
  const set = chosen === undefined ? "" : `: ${setText(chosen.values)}`;
  return growthChart(
    {
      title: "Equity of the set that was chosen in-sample",
      note: `growth out-of-sample, in the first run that judges it, beside the same account left alone${set}`,
      missing: "no set could be chosen, or its run was refused",
    },
    series,
  );
}

const BINS = 20;

function spread(objective: Objective, rows: readonly RankedRow[]): Chart {
  const note = `how many parameter sets have how much ${objective}; zero counts with what lies above it`;
  const head = { id: "spread", title: "Out-of-sample", note, size: "wide" } as const;
  const values = rows.flatMap(({ outOfSample }) => (outOfSample === null ? [] : [outOfSample]));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (values.length < 3 || !(high > low))
    return chartOf(head, "fewer than 3 parameter sets have the figure, or all have the same");
  const bins = binsFromZero(values, (high - low) / BINS);
  return chartOf(head, { kind: "histogram", unit: unitOf(figureOf(objective)), ...bins });
}

// The data of a heat map of any two parameters of a search, chosen on the page. Numbers with many values are grouped
// into ranges with about as many parameter sets each.

export type ParameterMap = {
  readonly axes: readonly { readonly name: string; readonly labels: readonly string[] }[];
  readonly figures: readonly MapFigure[];
  /** For each parameter set, the index of its value on each axis. */
  readonly places: readonly (readonly number[])[];
};

type MapFigure = {
  readonly label: string;
  readonly unit: "money" | "percent" | "ratio" | "count";
  /** Lower is better. */
  readonly isCost: boolean;
  readonly values: readonly (number | null)[];
};

const LABELS_MAX = 16;
const RANGES = 10;

function parameterMap({ axes, objective }: SweepPlan, rows: readonly RankedRow[]): ParameterMap {
  const parts = axes.map((axis) => cutAxis(axis, rows));
  const goal = figureOf(objective);
  const isCost = objective === "drawdown";
  const figure = (
    label: string,
    unit: MapFigure["unit"],
    of: (row: RankedRow) => number | null | undefined,
    cost = false,
  ): MapFigure => ({
    label,
    unit,
    isCost: cost,
    values: rows.map((row) => compact(of(row) ?? Number.NaN)),
  });
  const judged = (name: FigureName) => (row: RankedRow) => sideFigure(row.judged, name);
  return {
    axes: parts.map(({ name, labels }) => ({ name, labels })),
    figures: [
      figure(`${objective} out-of-sample`, unitOf(goal), (row) => row.outOfSample, isCost),
      figure(`${objective} in-sample`, unitOf(goal), (row) => row.inSample, isCost),
      figure("profit out-of-sample", "money", judged("netProfit")),
      figure("profit over holding out-of-sample", "money", judged("profitOverHolding")),
      figure("drawdown out-of-sample", "percent", judged("drawdown"), true),
      figure("fills out-of-sample", "count", (row) => row.judged.fills),
    ],
    places: rows.map((row) => parts.map(({ placeOf }, i) => placeOf(row.values[(axes[i] as Axis).name]))),
  };
}

function parameterMapSection({ axes, figures }: ParameterMap): Html {
  const options = (names: readonly string[], chosen: number): Html[] =>
    names.map((name, i) => html`<option value="${i}"${{ markup: i === chosen ? " selected" : "" }}>${name}</option>`);
  const names = axes.map(({ name }) => name);
  const first = figures.findIndex(({ values }) => values.some((value) => value !== null));
  const across = html`<label>across <select id="map-x">${options(names, 0)}</select></label>`;
  const down = html`<label>down <select id="map-y">${options([...names, "nothing"], names.length > 1 ? 1 : names.length)}</select></label>`;
  return html`<h2>Parameters</h2>
<p class="choices">${across} ${down}
<label>shows <select id="map-figure">${options(
    figures.map(({ label }) => label),
    Math.max(0, first),
  )}</select></label>
<label>of the others <select id="map-others"><option value="mean">the mean</option><option value="best">the best</option></select></label></p>
<div class="scroll flat" id="map"></div>
<p class="note" id="map-note"></p>`;
}

function sideFigure(side: Side, name: FigureName): number | null | undefined {
  return side.figures[name];
}

type CutAxis = {
  readonly name: string;
  readonly labels: readonly string[];
  readonly placeOf: (value: unknown) => number;
};

function cutAxis({ name, choice }: Axis, rows: readonly RankedRow[]): CutAxis {
  const values = rows.map((row) => row.values[name]);
  if (!values.every((value) => typeof value === "number")) {
    const seen = new Set(values.map(valueText));
    const labels = (choice.kind === "list" ? choice.values : []).map(valueText).filter((label) => seen.has(label));
    return { name, labels, placeOf: (value) => labels.indexOf(valueText(value)) };
  }
  const sorted = [...new Set(values as number[])].sort((one, other) => one - other);
  if (sorted.length <= LABELS_MAX)
    return { name, labels: sorted.map(String), placeOf: (value) => sorted.indexOf(value as number) };
  const ends = Array.from(
    { length: RANGES },
    (_, i) => sorted[Math.ceil(((i + 1) * sorted.length) / RANGES) - 1] as number,
  );
  const begins = [sorted[0] as number, ...ends.slice(0, -1).map((end) => sorted[sorted.indexOf(end) + 1] as number)];
  return {
    name,
    labels: ends.map((end, i) => `${begins[i]} \u2026 ${end}`),
    placeOf: (value) => ends.findIndex((end) => (value as number) <= end),
  };
}
