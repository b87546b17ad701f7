// A heat map of any two parameters of a search, chosen on the page: here is what it is made from. Many values of a number
// become ranges with about as many parameter sets each.

import type { FigureName } from "../../metric/figures.ts";
import type { Axis } from "../../search/parameter-space.ts";
import { type RankedRow, type Side, unitOf, valueText } from "../../search/ranking.ts";
import { figureOf } from "../../search/search-terms.ts";
import type { SweepPlan } from "../../search/sweep-plan.ts";
import { compact } from "../chart/spec.ts";
import { type Html, html } from "../html.ts";

export type ParameterMap = {
  readonly axes: readonly { readonly name: string; readonly labels: readonly string[] }[];
  readonly figures: readonly MapFigure[];
  /** For each parameter set the place of its value on each axis. */
  readonly places: readonly (readonly number[])[];
};

type MapFigure = {
  readonly label: string;
  readonly unit: "money" | "percent" | "ratio" | "count";
  /** Less of it is better. */
  readonly isCost: boolean;
  readonly values: readonly (number | null)[];
};

const LABELS_MAX = 16;
const RANGES = 10;

export function parameterMap({ axes, objective }: SweepPlan, rows: readonly RankedRow[]): ParameterMap {
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
      figure("fills out-of-sample", "count", (row) => row.judged?.fills),
    ],
    places: rows.map((row) => parts.map(({ placeOf }, i) => placeOf(row.values[(axes[i] as Axis).name]))),
  };
}

export function parameterMapSection({ axes, figures }: ParameterMap): Html {
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

function sideFigure(side: Side | null, name: FigureName): number | null | undefined {
  return side?.figures[name];
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
