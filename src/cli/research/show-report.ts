// A report on the terminal: its head, equity as sparklines, figures with their notes, and tables.

import type { Line } from "../../../backtest/report/figure-lines.ts";
import { money } from "../../../backtest/report/format.ts";
import type { Report, Table } from "../../../backtest/report/report.ts";
import type { Terminal } from "../../app/terminal/terminal.ts";
import { printable } from "../../domain/sanitise.ts";
import { displayWidth, hanging } from "../../watch/text/screen-line.ts";

type Screen = Pick<Terminal, "print" | "style" | "table" | "width">;

/** A folder of recordings is listed with names and digests, followed by the synthetic parts. */
const TEXT_MAX = 5_000;
/** A note with less room than this next to its figure goes below it. */
const NOTE_WIDTH_MIN = 24;
const SPARKS = "▁▂▃▄▅▆▇█";
const SPARK_WIDTH_MAX = 60;

export function showReport(terminal: Screen, report: Report, currency: string): void {
  const { title, facts, stopped, banner, notes, parts } = report;
  const paragraph = (text: string, paint = (line: string): string => line): void => {
    for (const line of hanging("", printable(text, TEXT_MAX), terminal.width)) terminal.print(paint(line));
  };
  if (stopped !== undefined) paragraph(stopped, (line) => terminal.style("red", line));
  for (const text of [title, facts.join(" · "), ...(banner === undefined ? [] : [banner]), ...notes]) paragraph(text);
  terminal.print();
  for (const line of sparkLines(report, terminal.width ?? Number.POSITIVE_INFINITY, currency)) terminal.print(line);
  const groups = parts.flatMap((part) => (part.kind === "figures" ? part.groups : []));
  const tiles = parts.flatMap((part) => (part.kind === "tiles" ? part.lines : []));
  const shown = groups.length > 0 ? groups : [{ title: "", lines: tiles }];
  const show = lineWriter(
    terminal,
    shown.flatMap(({ lines }) => lines),
  );
  for (const group of shown) {
    if (group.title !== "") terminal.print(group.title);
    for (const line of group.lines) show(line);
  }
  for (const part of parts)
    if (part.kind === "table" && part.shown !== undefined) {
      showTable(terminal, part);
      for (const note of part.notes ?? []) paragraph(note);
    }
}

/** Label, figure and note in columns, each as wide as its widest text. */
function lineWriter({ width, print, style }: Screen, lines: readonly Line[]): (line: Line) => void {
  const labelWidth = Math.max(0, ...lines.map(({ label }) => displayWidth(printable(label))));
  const textWidth = Math.max(0, ...lines.map(({ text }) => displayWidth(printable(text))));
  const column = 2 + labelWidth + 2 + textWidth + 2;
  const isBeside = width === undefined || width - column >= NOTE_WIDTH_MIN;
  return ({ label, text, note = "", tone }) => {
    const value = printable(text).padStart(textWidth);
    const painted = tone === undefined ? value : style(tone === "gain" ? "green" : "red", value);
    const start = `  ${printable(label).padEnd(labelWidth)}  ${painted}`;
    if (note === "") print(start);
    else if (isBeside) for (const line of hanging(`${start}  `, printable(note, TEXT_MAX), width, column)) print(line);
    else for (const line of [start, ...hanging("    ", printable(note, TEXT_MAX), width)]) print(line);
  };
}

function showTable(terminal: Screen, { title, columns, rows, shown = 0 }: Table): void {
  terminal.print();
  if (title !== "") terminal.print(title);
  const places = columns.flatMap(({ isMore }, place) => (isMore ? [] : [place]));
  terminal.table(
    columns.filter(({ isMore }) => !isMore),
    rows.slice(0, shown).map((row) => places.map((place) => row[place] ?? "")),
  );
  if (rows.length > shown) terminal.print(`and ${rows.length - shown} more`);
}

function sparkLines({ parts }: Report, width: number, currency: string): readonly string[] {
  const charts = parts.flatMap((part) => (part.kind === "charts" ? part.charts : []));
  const drawn = charts.find(({ id }) => id === "equity")?.drawn;
  if (drawn?.kind !== "time" || drawn.unit !== "money") return [];
  const cells = Math.max(10, Math.min(SPARK_WIDTH_MAX, width - 45));
  const found = drawn.lines.slice(0, 2).flatMap(({ label, values }) => {
    const known = values.filter((value) => value !== null);
    const [first, last] = [known[0], values.at(-1)];
    if (first === undefined || last === undefined) return [];
    const ends = `${money(first, currency)} to ${last === null ? "n/a" : money(last, currency)}`;
    return [`${label.padEnd(8)} ${sparkline(known, cells)}  ${ends}`];
  });
  return found.length === 0 ? [] : [...found, ""];
}

/** The mean of each part, scaled between the lowest and the highest mean. */
function sparkline(values: readonly number[], cells: number): string {
  const parts = Math.min(cells, values.length);
  const means = Array.from({ length: parts }, (_, part) => {
    const from = Math.floor((part * values.length) / parts);
    const slice = values.slice(from, Math.max(from + 1, Math.floor(((part + 1) * values.length) / parts)));
    return slice.reduce((sum, value) => sum + value, 0) / slice.length;
  });
  const [low, high] = [Math.min(...means), Math.max(...means)];
  const level = (mean: number): number =>
    high > low ? Math.round(((mean - low) / (high - low)) * (SPARKS.length - 1)) : 3;
  return means.map((mean) => SPARKS[level(mean)]).join("");
}
