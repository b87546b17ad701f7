// Lines of the live screen: pieces of text with a style each, cut to the width of the terminal before they are
// coloured, so that no escape sequence is ever cut in two. Whatever text comes from outside is made harmless here.

import type { styleText } from "node:util";
import { printable } from "../../domain/outside-text.ts";
import { displayWidth } from "./display-width.ts";
import { wrapped } from "./wrapped.ts";

export type Style = Parameters<typeof styleText>[0];
type Piece = { readonly text: string; readonly style?: Style };
export type Line = readonly (Piece | string)[];

export function renderLine(line: Line, width: number, style: (style: Style, text: string) => string): string {
  let left = width;
  let out = "";
  for (const piece of line) {
    const { text, style: look } = typeof piece === "string" ? { text: piece, style: undefined } : piece;
    const shown = cut(printable(text, 400), left);
    left -= displayWidth(shown);
    out += look === undefined || shown === "" ? shown : style(look, shown);
    if (left <= 0) break;
  }
  return out;
}

/** How wide a line is, and over how many of them a long text may go. */
export type Room = { readonly width: number; readonly linesMax: number };

/** A head and its text, over several lines where one is too short; what does not go into them is cut. */
export function inLines(head: string, text: string, style: Style, { width, linesMax }: Room): Line[] {
  if (linesMax === 1) return [[head, { text, style }]];
  const [first = "", ...others] = wrapped(`${head}${printable(text, 400)}`, width - INDENT.length);
  const below = others.slice(0, linesMax - 2);
  const last = others.slice(linesMax - 2).join(" ");
  return [
    [head, { text: first.slice(head.length), style }],
    ...[...below, ...(last === "" ? [] : [last])].map((line): Line => [{ text: `${INDENT}${line}`, style }]),
  ];
}

const INDENT = "  ";

/** With room between: the second part ends at the right edge, and gives way where there is none. */
export function apart(left: Line, right: string, width: number): Line {
  const taken = left.reduce((sum, piece) => sum + displayWidth(typeof piece === "string" ? piece : piece.text), 0);
  const gap = width - taken - displayWidth(right);
  return gap < 2 ? left : [...left, " ".repeat(gap), right];
}

export function right(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

export function left(text: string, width: number): string {
  const shown = cut(text, width);
  return shown + " ".repeat(Math.max(0, width - displayWidth(shown)));
}

function cut(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let used = 0;
  let end = 0;
  for (const character of text) {
    const wide = displayWidth(character);
    if (used + wide > width - 1) break;
    used += wide;
    end += character.length;
  }
  return width < 1 ? "" : `${text.slice(0, end)}…`;
}
