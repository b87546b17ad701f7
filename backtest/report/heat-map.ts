// Returns by calendar: months of each year, and days of each month where there are not too many of them. Plain tables, so
// that they can be read without a script.

import type { Figures } from "../metric/figures.ts";
import type { Period } from "../metric/returns.ts";
import { day, number, percent, signed } from "./format.ts";
import { type Html, html } from "./html.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTHS_BY_DAY_MAX = 13;

export function heatMaps({ periods }: Figures): Html {
  if (periods.kind === "n/a") return html`<h2>Returns by calendar</h2><p class="missing">n/a: ${periods.reason}</p>`;
  const { months, days } = periods.value;
  const byYear = heatMap(
    months,
    (date) => `${date.getUTCFullYear()}`,
    (date) => date.getUTCMonth(),
    MONTHS,
  );
  const byMonth = heatMap(
    days,
    (date) => `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`,
    (date) => date.getUTCDate() - 1,
    Array.from({ length: 31 }, (_, index) => `${index + 1}`),
  );
  const daily = months.length <= MONTHS_BY_DAY_MAX ? box("days", byMonth) : html``;
  return html`<h2>Returns by calendar, in %</h2>
${box("months", byYear)}
${daily}`;
}

/** Wider than a phone: it is scrolled by itself, by keys too, and the names of its rows stay. */
function box(name: string, table: Html): Html {
  return html`<div class="scroll flat" data-heat="${name}" tabindex="0" role="region" aria-label="returns by ${name}">${table}</div>`;
}

function heatMap(
  periods: readonly Period[],
  rowOf: (date: Date) => string,
  columnOf: (date: Date) => number,
  columns: readonly string[],
): Html {
  const largest = Math.max(...periods.map((period) => Math.abs(period.return)), 1e-9);
  const rows = new Map<string, Map<number, Period>>();
  for (const period of periods) {
    const date = new Date(period.from);
    const row = rows.get(rowOf(date)) ?? new Map<number, Period>();
    rows.set(rowOf(date), row.set(columnOf(date), period));
  }
  const cells = (row: Map<number, Period>): Html[] => columns.map((_, index) => cell(row.get(index), largest));
  const body = [...rows].map(([name, row]) => html`<tr><th scope="row">${name}</th>${cells(row)}</tr>`);
  const titles = columns.map((name) => html`<th class="n" scope="col">${name}</th>`);
  return html`<table class="heat"><thead><tr><th></th>${titles}</tr></thead><tbody>${body}</tbody></table>`;
}

function cell(period: Period | undefined, largest: number): Html {
  if (period === undefined) return html`<td></td>`;
  const level = Math.ceil((Math.abs(period.return) / largest) * 3);
  const shade = level === 0 ? "" : `${period.return > 0 ? "g" : "l"}${level}`;
  const more = `${day(period.from)}: ${signed(percent(period.return, 3))}, holding ${signed(percent(period.holding, 3))}, ${number(period.fills, 0)} fills`;
  return html`<td class="${shade}" title="${more}">${number(period.return * 100, 2)}</td>`;
}
