// A report on the terminal: its head, figures with their notes, and tables.

import type { Line } from "../../../backtest/report/figure-lines.ts";
import type { Report, Table } from "../../../backtest/report/report.ts";
import type { Terminal } from "../../app/terminal/terminal.ts";
import { printable } from "../../domain/sanitise.ts";
import { displayWidth, hanging } from "../../watch/text/screen-line.ts";

type Screen = Pick<Terminal, "print" | "style" | "table" | "width">;

/** A folder of recordings is listed with names and digests, followed by the synthetic parts. */
const TEXT_MAX = 5_000;
/** A note with less room than this next to its figure goes below it. */
const NOTE_WIDTH_MIN = 24;

export function showReport(terminal: Screen, report: Report): void {
  const { title, facts, stopped, banner, notes, parts } = report;
  const paragraph = (text: string, paint = (line: string): string => line): void => {
    for (const line of hanging("", printable(text, TEXT_MAX), terminal.width)) terminal.print(paint(line));
  };
  if (stopped !== undefined) paragraph(stopped, (line) => terminal.style("red", line));
  for (const text of [title, facts.join(" · "), ...(banner === undefined ? [] : [banner]), ...notes]) paragraph(text);
  terminal.print();
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
