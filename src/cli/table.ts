// Plain tables for people: columns padded with blanks, numbers to the right. Every cell is treated as text from outside.

import { printable } from "../domain/outside-text.ts";

export type Column = {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Colours the padded cell; gets the text as printed. */
  readonly style?: (cell: string) => string;
};

const GAP = "  ";
const CELL_MAX = 80;
/** Nothing stands behind it, and refusals have their limit and value at the end. */
const LAST_CELL_MAX = 240;

/** One line per row, with the titles first; no trailing blanks. */
export function tableLines(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const lengthMax = (i: number): number => (i + 1 === columns.length ? LAST_CELL_MAX : CELL_MAX);
  const cells = rows.map((row) => columns.map((_, i) => printable(row[i] ?? "", lengthMax(i))));
  const widths = columns.map((column, i) =>
    Math.max(displayWidth(column.title), ...cells.map((row) => displayWidth(row[i] ?? ""))),
  );
  const line = (row: readonly string[], styled: boolean): string =>
    columns
      .map((column, i) => {
        const padded = pad(row[i] ?? "", widths[i] ?? 0, column.align ?? "left", i === columns.length - 1);
        return styled && column.style ? column.style(padded) : padded;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(
      columns.map((column) => column.title),
      false,
    ),
    ...cells.map((row) => line(row, true)),
  ];
}

function pad(text: string, width: number, align: "left" | "right", last: boolean): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  if (align === "right") return blanks + text;
  return last ? text : text + blanks;
}

const MARK = /^\p{M}$/u;
const WIDE = /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul})$/u;

/** Columns that a terminal gives to a text: marks take none, wide scripts, full-width forms and emoji take two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x300) width += 1;
    else if (!MARK.test(character)) width += isWide(character, code) ? 2 : 1;
  }
  return width;
}

function isWide(character: string, code: number): boolean {
  const fullWidth =
    (code >= 0x3000 && code <= 0x303e) || (code >= 0xff01 && code <= 0xff60) || (code >= 0xffe0 && code <= 0xffe6);
  return fullWidth || WIDE.test(character);
}
