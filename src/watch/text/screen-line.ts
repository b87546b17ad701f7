// Lines of the live screen: pieces of text with a style each, cut to the width of the terminal before they are
// coloured, so that no escape sequence is cut in two; long text is wrapped at spaces. Text from outside is sanitised
// here.

import type { styleText } from "node:util";
import { printable } from "../../domain/sanitise.ts";

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

/** The width of a line, and the most lines that a long text may take. */
export type Room = { readonly width: number; readonly linesMax: number };

/** A head and its text, wrapped over several lines if necessary; text beyond the last line is cut. */
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

/** The second part ends at the right edge, and is left out where there is no room. */
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

const MARK = /^\p{M}$/u;
const WIDE = /^(?:\p{Emoji_Presentation}|\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul})$/u;

/**
 * The columns that a terminal uses for a text: combining marks take none; wide scripts, full-width forms and emoji take
 * two.
 */
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

/** Below this width a column would have one word per line; the line is left too long and the terminal breaks it. */
const TEXT_WIDTH_MIN = 20;

/** One line if there is no width. */
function wrapped(text: string, width: number | undefined): readonly string[] {
  if (width === undefined || displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(" ")) {
    const longer: string = line === undefined ? word : `${line} ${word}`;
    if (line === undefined || displayWidth(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return line === undefined ? lines : [...lines, line];
}

/** A head and its text, with further lines aligned below the first; `indent` is needed where the head has colours. */
export function hanging(
  head: string,
  text: string,
  width: number | undefined,
  indent: number = displayWidth(head),
): readonly string[] {
  const room = width === undefined ? undefined : Math.max(width - indent, TEXT_WIDTH_MIN);
  return wrapped(text, room).map((line, index) => `${index === 0 ? head : " ".repeat(indent)}${line}`);
}
