// Plain tables for people: columns padded with blanks, numbers right-aligned. Every cell is treated as text from
// outside.

import { printable } from "../../domain/sanitise.ts";
import { displayWidth } from "../../watch/text/screen-line.ts";

export type Column = {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Colours the padded cell; receives the text as printed. */
  readonly style?: (cell: string) => string;
};

const GAP = "  ";
const CELL_MAX = 80;
/** Wider, because no column follows, and refusals have limit and value at their end. */
const LAST_CELL_MAX = 240;
/** The titles, then the rows, one line each; no trailing blanks. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
  const lengthMax = (i: number): number => (i + 1 === columns.length ? LAST_CELL_MAX : CELL_MAX);
  const cells = rows.map((row) => columns.map((_, i) => printable(row[i] ?? "", lengthMax(i))));
  const widths = columns.map(({ title }, i) =>
    Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[i] ?? ""))),
  );
  const line = (row: readonly string[], isTitle: boolean): string =>
    columns
      .map(({ align = "left", style }, i) => {
        const padded = pad(row[i] ?? "", widths[i] ?? 0, align, i + 1 === columns.length);
        return isTitle || style === undefined || row[i] === "" ? padded : style(padded);
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      columns.map(({ title }) => title),
      true,
    ),
    ...cells.map((row) => line(row, false)),
  ];
}

function pad(text: string, width: number, align: "left" | "right", last: boolean): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  if (align === "right") return blanks + text;
  return last ? text : text + blanks;
}
