// Long text in lines of a width, broken at blanks. A word that is longer than a line stays whole: a path, a key or a command's id
// is there to be copied.

import { displayWidth } from "./display-width.ts";

/** Narrower than this, words stand one below the other: the line is too long then, and the terminal breaks it. */
export const TEXT_WIDTH_MIN = 20;

/** One line where there is no width. */
export function wrapped(text: string, width: number | undefined): readonly string[] {
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

/** A head and its text, the text's further lines below its first; `indent` where the head has colours. */
export function hanging(
  head: string,
  text: string,
  width: number | undefined,
  indent: number = displayWidth(head),
): readonly string[] {
  const room = width === undefined ? undefined : Math.max(width - indent, TEXT_WIDTH_MIN);
  return wrapped(text, room).map((line, index) => `${index === 0 ? head : " ".repeat(indent)}${line}`);
}
