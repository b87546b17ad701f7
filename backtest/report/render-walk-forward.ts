// One offline page of a walk-forward: the out-of-sample result first, its equity as one line, the windows with the set
// chosen in each, and the overfitting checks.

import { notAvailable } from "../metric/figure.ts";
import { quantileOf } from "../metric/statistics.ts";
import { type CheckRow, overfitRows, SIGNIFICANT } from "../search/overfitting-checks.ts";
import {
  outcomeLines,
  spanText,
  type WalkForwardOutcome,
  WINDOW_COLUMNS,
  windowCells,
  windowsNote,
} from "../search/walk-forward-outcome.ts";
import { type Chart, chartOf } from "./chart/spec.ts";
import { depthChart } from "./chart/worth.ts";
import { counted, duration, minute, percent } from "./format.ts";
import { type Html, html } from "./html.ts";
import { chartFigure, dataTable, growthChart, renderSearch, type SearchPage, tilesOf } from "./page-parts.ts";

export function renderWalkForward({ outcome, ...page }: SearchPage & { readonly outcome: WalkForwardOutcome }): string {
  const charts = [equityChart(outcome), underwaterChart(outcome), sidesChart(outcome)];
  const body = html`${tilesOf(outcomeLines(outcome))}
<h2>Out-of-sample</h2>
<div class="grid">${charts.map(chartFigure)}</div>
${windowTable(outcome)}`;
  const footer =
    "In each window parameters were chosen over the time before it and run, once, over the window: only that is out-of-sample. Every window starts with the same account, so growth is stitched and inventory is not. Times are UTC. What the figures mean: docs/METRICS.md; how a walk forward works: docs/WALK-FORWARD.md";
  return renderSearch(page, { body, checks: checkRows(outcome), footer, charts });
}

/** The checks of each choice are in the table of windows; these rows are their summary and the checks of the whole. */
export function checkRows({ rows, checks, currency }: WalkForwardOutcome): readonly CheckRow[] {
  const own = overfitRows(
    { deflated: noneHas(rows, "deflated"), neighbourhood: noneHas(rows, "neighbourhood"), ...checks },
    currency,
  );
  const chances = rows.flatMap((row) =>
    row.checks?.deflated.kind === "known" ? [row.checks.deflated.value.chance] : [],
  );
  const kept = rows.flatMap((row) =>
    row.checks?.neighbourhood.kind === "known" ? [row.checks.neighbourhood.value.kept] : [],
  );
  const sure = chances.filter((chance) => chance >= SIGNIFICANT).length;
  return own.map((row) => {
    if (row.label === "deflated Sharpe" && chances.length > 0)
      return {
        ...row,
        text: `significant in ${sure} of ${counted(rows.length, "window")}`,
        note: `of the choice in-sample; in the middle ${percent(middleOf(chances), 1)}`,
      };
    if (row.label === "neighbourhood" && kept.length > 0)
      return {
        ...row,
        text: `${percent(middleOf(kept), 0)} kept`,
        note: `in the middle of ${counted(kept.length, "window")}`,
      };
    return row;
  });
}

/** The common reason, where all windows lack the check for the same one. */
function noneHas(
  rows: WalkForwardOutcome["rows"],
  check: "deflated" | "neighbourhood",
): ReturnType<typeof notAvailable> {
  const reasons = new Set(
    rows.map(({ checks }) => (checks?.[check].kind === "n/a" ? checks[check].reason : undefined)),
  );
  const [reason] = reasons;
  const why = reasons.size === 1 && reason !== undefined ? `: it ${reason}` : "";
  return notAvailable(`no window has it${why}`);
}

function middleOf(values: readonly number[]): number {
  return quantileOf(Float64Array.from(values).sort(), 0.5);
}

function equityChart({ stitched: { series } }: WalkForwardOutcome): Chart {
  const note = "growth over all windows out-of-sample, beside the same account left alone";
  return growthChart({ title: "Stitched equity", note, missing: "no window was traded" }, series);
}

function underwaterChart({ stitched: { series } }: WalkForwardOutcome): Chart {
  const note = "how far stitched equity is under its highest so far";
  return depthChart({ id: "underwater", title: "Below the peak", note, size: "half" }, series, "no window was traded");
}

function sidesChart({ rows, objective, isPerDay }: WalkForwardOutcome): Chart {
  const point = (value: number | null) => (value === null ? null : { mean: value, error: 0 });
  const note = `${objective}${isPerDay ? " a day" : ""} of the chosen set in each window, where it was chosen and where it was judged`;
  return chartOf(
    { id: "sides", title: "Chosen by, and come to", note, size: "half" },
    {
      kind: "curve",
      unit: "ratio",
      across: "window",
      places: rows.map((_, i) => String(i + 1)),
      curves: [
        { label: "out-of-sample", ink: "main", points: rows.map(({ outOfSample }) => point(outOfSample)) },
        { label: "in-sample", ink: "quiet", points: rows.map(({ inSample }) => point(inSample)) },
      ],
    },
  );
}

function windowTable(outcome: WalkForwardOutcome): Html {
  const { rows, objective, isPerDay } = outcome;
  const cells = rows.map((row, i) => {
    const own = windowCells(row, outcome);
    return [String(i + 1), ...WINDOW_COLUMNS.map((_, column) => own[column] ?? ""), spanText(row.window.train)];
  });
  const table = dataTable(["window", ...WINDOW_COLUMNS, "chosen over"], cells, [
    "window",
    "chosen over",
    "test",
    "chosen",
  ]);
  const note = windowsNote(outcome);
  return html`<h2>Windows</h2>
<p class="note">${objective}${isPerDay ? " a day" : ""}: out-of-sample of the set that was chosen, then what it was chosen by; the chance that the choice is better than luck, and how much of it its neighbours keep.${note === undefined ? "" : html` <b>${note}</b>`}</p>
<div class="scroll flat">${table}</div>`;
}

/** Facts on every page of a walk-forward. */
export function walkForwardFacts({ rows, from, to }: WalkForwardOutcome): readonly string[] {
  return [counted(rows.length, "window"), `${minute(from)} to ${minute(to)} out-of-sample (${duration(to - from)})`];
}
