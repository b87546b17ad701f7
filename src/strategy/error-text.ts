// What a strategy threw, in words, with the line of its own where that happened.

import { errorMessage } from "../domain/error-message.ts";
import { printable } from "../domain/sanitise.ts";

/** The message, and the line of the strategy where it happened. */
export function textOf(error: unknown): string {
  try {
    return errorText(error);
  } catch {
    // It may be of the strategy's own making, down to the code that runs when it is read.
    return "an error that threw when it was read";
  }
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return errorMessage(error);
  // A strategy may have put anything there.
  const stack: unknown = error.stack;
  const places = [
    ...(typeof stack === "string" ? stack : "").matchAll(/^\s+at (?:.*\()?(?:file:\/\/)?([^()]+?):(\d+):\d+\)?$/gm),
  ];
  // A signal or a view that refuses is pegbot's own file: whoever asked it is further out.
  const line = places.find(([, file = ""]) => !isOwn(file)) ?? places[0];
  const where = line === undefined ? "" : ` (${line[1]?.replace(/^.*\//, "").replace(/\?.*$/, "")}:${line[2]})`;
  return printable(`${error.name}: ${error.message}`) + where;
}

const SOURCES = new URL("..", import.meta.url).pathname;

/** Of pegbot's own sources, its strategies aside. */
function isOwn(file: string): boolean {
  if (!file.startsWith(SOURCES)) return file.startsWith("node:");
  return !/^strategy\/[^/]+$/.test(file.slice(SOURCES.length));
}
