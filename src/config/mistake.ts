// A mistake in a configuration: its place (a line of the file, or a variable) and the correction. All mistakes are
// collected and shown together, in the order of the file.

import { printable } from "../domain/sanitise.ts";

const LINE_MAX = 2000;
/** Leaves room for the message after it. */
const FILE_MAX = 500;

export type Place = { readonly line: number; readonly column: number };

export type Mistake = {
  readonly text: string;
  /** In the file; undefined if the file has no such place, as for a variable. */
  readonly place: Place | undefined;
  /** The variable that set the value; undefined for the file. */
  readonly variable: string | undefined;
};

/** Format: `pegbot.yaml:3:13: ...`, or `PEGBOT__SERVER__PORT: ...`. */
export function mistakeLine(file: string, { variable, place, text }: Mistake): string {
  const at = place === undefined ? "" : `:${place.line}:${place.column}`;
  return printable(`${variable ?? `${printable(file, FILE_MAX)}${at}`}: ${text}`, LINE_MAX);
}

/** Identical mistakes of several parsers are reported once. */
export function inFileOrder(mistakes: readonly Mistake[]): Mistake[] {
  const rank = (mistake: Mistake): number =>
    mistake.place === undefined ? Number.MAX_SAFE_INTEGER : mistake.place.line * 1e6 + mistake.place.column;
  const distinct = new Map(mistakes.map((mistake) => [JSON.stringify(mistake), mistake]));
  return [...distinct.values()].sort((a, b) => rank(a) - rank(b));
}
