// Plain tables for people: columns padded with blanks, numbers right-aligned. Every cell is treated as text from
// outside. If the terminal is too narrow for all columns, each row continues in lines below, and the last cell wraps at
// words.

import { printable } from "../../domain/sanitise.ts";
import { displayWidth, TEXT_WIDTH_MIN, wrapped } from "../../watch/text/screen-line.ts";

export type Column = {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Colours the padded cell; receives the text as printed. */
  readonly style?: (cell: string) => string;
};

const GAP = "  ";
const INDENT = "    ";
const CELL_MAX = 80;
/** Wider, because no column follows, and refusals have limit and value at their end. */
const LAST_CELL_MAX = 240;
/** With less room than this next to the others, the last cell goes below them. */
const LAST_WIDTH_MIN = 24;

/** The titles, then the rows, one line each if `width` allows; no trailing blanks. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width?: number,
): readonly string[] {
  const lengthMax = (i: number): number => (i + 1 === columns.length ? LAST_CELL_MAX : CELL_MAX);
  const cells = rows.map((row) => columns.map((_, i) => printable(row[i] ?? "", lengthMax(i))));
  const widths = columns.map((column, i) =>
    Math.max(displayWidth(column.title), ...cells.map((row) => displayWidth(row[i] ?? ""))),
  );
  const layout = layoutOf(widths, width);
  const titles = columns.map(({ title }) => title);
  const unstyled = columns.map(({ align = "left" }) => ({ title: "", align }));
  return [...rowLines(titles, unstyled, layout), ...cells.flatMap((row) => rowLines(row, columns, layout))];
}

type Place = { readonly index: number; readonly width: number };

/** Which columns are in which line of a row, and their widths. */
function layoutOf(widths: readonly number[], width: number | undefined): readonly (readonly Place[])[] {
  const lines: Place[][] = [[]];
  let left = width ?? Number.POSITIVE_INFINITY;
  for (const [index, wanted] of widths.entries()) {
    const isLast = index + 1 === widths.length;
    const line = lines.at(-1) as Place[];
    const room = left - (line.length === 0 ? 0 : GAP.length);
    if (line.length === 0 || wanted <= room || (isLast && room >= LAST_WIDTH_MIN)) {
      line.push({ index, width: Math.min(wanted, room) });
      left = room - wanted;
      continue;
    }
    const whole = (width ?? 0) - INDENT.length;
    lines.push([{ index, width: Math.min(wanted, whole) }]);
    left = whole - wanted;
  }
  return lines;
}

function rowLines(
  row: readonly string[],
  columns: readonly Column[],
  layout: readonly (readonly Place[])[],
): readonly string[] {
  return layout.flatMap((places, number) => {
    const broken = places.map(({ index, width }) => wrapped(row[index] ?? "", Math.max(width, TEXT_WIDTH_MIN)));
    const height = Math.max(...broken.map((lines) => lines.length));
    const lines = Array.from({ length: height }, (_, line) => {
      const cells = places.map(({ index, width }, i) => {
        const { align = "left", style = (text) => text } = columns[index] as Column;
        const text = broken[i]?.[line] ?? "";
        const padded = pad(text, width, align, i + 1 === places.length);
        return text === "" ? padded : style(padded);
      });
      return `${number === 0 ? "" : INDENT}${cells.join(GAP)}`.trimEnd();
    });
    // Drops lines of empty cells only, except the first, which is the row itself.
    return number === 0 ? lines : lines.filter((line) => line !== "");
  });
}

function pad(text: string, width: number, align: "left" | "right", last: boolean): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  if (align === "right") return blanks + text;
  return last ? text : text + blanks;
}
