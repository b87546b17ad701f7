// One offline page of a walk-forward: the out-of-sample result first, its equity as one line, the windows with the set
// chosen in each, and how far the search of each may be luck.

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
import { counted, duration, minute } from "./format.ts";
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
  return renderSearch(page, { body, footer, charts });
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
<p class="note">${objective}${isPerDay ? " a day" : ""}: out-of-sample of the set that was chosen, then what it was chosen by; p is the chance that the best of so many sets without an edge does as well (SPA).${note === undefined ? "" : html` <b>${note}</b>`}</p>
<div class="scroll flat">${table}</div>`;
}

/** Facts on every page of a walk-forward. */
export function walkForwardFacts({ rows, from, to }: WalkForwardOutcome): readonly string[] {
  return [counted(rows.length, "window"), `${minute(from)} to ${minute(to)} out-of-sample (${duration(to - from)})`];
}
