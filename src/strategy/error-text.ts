// The text of an error that a strategy threw, with the line in the strategy.

import { errorMessage } from "../domain/error-message.ts";
import { printable } from "../domain/sanitise.ts";

export function textOf(error: unknown): string {
  try {
    return errorText(error);
  } catch {
    // The strategy may have made the error itself, with code that runs when it is read.
    return "an error that threw when it was read";
  }
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return errorMessage(error);
  // The strategy may have put anything there.
  const stack: unknown = error.stack;
  const places = [
    ...(typeof stack === "string" ? stack : "").matchAll(/^\s+at (?:.*\()?(?:file:\/\/)?([^()]+?):(\d+):\d+\)?$/gm),
  ];
  // An error in a signal or a view points at pegbot's file; the caller in the strategy is further out.
  const line = places.find(([, file = ""]) => !isOwn(file)) ?? places[0];
  const where = line === undefined ? "" : ` (${line[1]?.replace(/^.*\//, "").replace(/\?.*$/, "")}:${line[2]})`;
  return printable(`${error.name}: ${error.message}`) + where;
}

const SOURCES = new URL("..", import.meta.url).pathname;

/** Whether the file is pegbot's own, built-in strategies excepted. */
function isOwn(file: string): boolean {
  if (!file.startsWith(SOURCES)) return file.startsWith("node:");
  return !/^strategy\/[^/]+$/.test(file.slice(SOURCES.length));
}
