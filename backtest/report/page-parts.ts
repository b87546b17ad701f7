// Parts shared by the pages of a run, a sweep and a walk-forward: notes in the head, settings, charts in their places,
// and tables.

import type { WorthSeries } from "../metric/worth.ts";
import { type Chart, chartOf, SPANS, thinnedRows, timeChart, valuesAt } from "./chart/spec.ts";
import type { Line } from "./figure-lines.ts";
import { number } from "./format.ts";
import { type Document, type Html, html, NOTHING, renderDocument } from "./html.ts";

/** Title, facts, and notes to read before the figures. */
export function pageHead(title: string, facts: readonly string[], ...notes: readonly (readonly Html[])[]): Html {
  return html`<header><h1>${title}</h1><button id="theme" type="button">light / dark</button><p>${facts.join(" \u00b7 ")}</p></header>${notes.flat()}`;
}

export function tilesOf(lines: readonly Line[]): Html {
  const tile = ({ label, text, note, tone }: Line): Html =>
    html`<div title="${note ?? ""}"><dt>${label}</dt><dd class="${tone ?? ""}">${text}</dd></div>`;
  return html`<dl class="tiles">${lines.map(tile)}</dl>`;
}

export type Setting = { readonly name: string; readonly value: string };

export function settingsTable(title: string, rows: readonly Setting[]): Html {
  return html`<h2>${title}</h2>
<div class="scroll flat facts"><table><tbody>${rows.map(({ name, value }) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table></div>`;
}

export function headNotes(texts: readonly string[]): readonly Html[] {
  return texts.map((text) => html`\n<p class="note">${text}</p>`);
}

export function chartFigure({ id, title, note, size, drawn, missing }: Chart): Html {
  const content =
    drawn === undefined
      ? html`<p class="missing">n/a: ${missing ?? "nothing was recorded"}</p>`
      : html`<div data-chart="${id}" role="img" aria-label="${title}: ${note}"></div>${marksOf(drawn)}`;
  return html`<figure class="chart ${size}"><h3>${title}</h3><p>${note}</p>${content}</figure>
`;
}

function marksOf(drawn: NonNullable<Chart["drawn"]>): Html {
  if (drawn.kind !== "time" || drawn.marks.length === 0) return NOTHING;
  const items = drawn.marks.map(({ label, ink, time, of }) => {
    const count = time.length < of ? `${number(time.length, 0)} of ${number(of, 0)}` : number(of, 0);
    return html`<li class="mark-${ink}">${label} (${count})</li>`;
  });
  return html`<ul class="keys">${items}</ul>`;
}

/** `series` is undefined when nothing ran. */
export function growthChart(
  { title, note, missing }: { readonly title: string; readonly note: string; readonly missing: string },
  series: WorthSeries | undefined,
): Chart {
  const head = { id: "equity", title, note, size: "wide" } as const;
  if (series === undefined || series.length < 2) return chartOf(head, missing);
  const rows = thinnedRows(series.time, [series.growth, series.holding], SPANS);
  const values = (column: Float64Array) =>
    valuesAt(
      column.map((growth) => growth - 1),
      rows,
      6,
    );
  return chartOf(
    head,
    timeChart("percent", series.time, rows, [
      { label: "equity", ink: "main", values: values(series.growth) },
      { label: "holding", ink: "quiet", dashed: true, values: values(series.holding) },
    ]),
  );
}

/** A table of texts; numbers are right-aligned. */
export function dataTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  words: readonly string[],
): Html {
  const kinds = titles.map((title) => (words.includes(title) ? "" : "n"));
  const head = titles.map((title, column) => html`<th class="${kinds[column] ?? ""}" scope="col">${title}</th>`);
  const cells = (row: readonly string[]): Html[] =>
    titles.map((_, column) => html`<td class="${kinds[column] ?? ""}">${row[column] ?? ""}</td>`);
  return html`<table><thead><tr>${head}</tr></thead><tbody>${rows.map((row) => html`<tr>${cells(row)}</tr>\n`)}</tbody></table>`;
}

/** The page of a search: a sweep or a walk-forward. */
export type SearchPage = {
  readonly title: string;
  /** Under the title. */
  readonly facts: readonly string[];
  /** Ways in which the price data favour every parameter set. */
  readonly cautions: readonly string[];
  readonly settings: readonly Setting[];
  readonly codeVersion: string;
};

type SearchContent = Pick<Document, "charts" | "modules" | "data"> & {
  readonly body: Html;
  readonly footer: string;
};

export function renderSearch(
  { title, facts, cautions, settings, codeVersion }: SearchPage,
  { body, footer, ...drawn }: SearchContent,
): string {
  const head = pageHead(title, [...facts, `pegbot ${codeVersion}`], headNotes(cautions));
  const whole = html`${head}
${body}
${settingsTable("Settings", settings)}
<footer>${footer} of pegbot ${codeVersion}.</footer>`;
  return renderDocument({ title, body: whole, ...drawn });
}
