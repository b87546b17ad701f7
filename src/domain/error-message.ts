// What was thrown, in words. Anything may be: a text, nothing at all, an object of no class, one with code that runs when it is
// read. None of that code is run here but an error's own, and nothing is thrown again.

import { inspect } from "node:util";
import { printable } from "./sanitise.ts";

/** The message of an error as it is; of anything else as much as fits in a line. */
export function errorMessage(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : valueText(thrown);
  } catch {
    return "an error that threw when it was read";
  }
}

function valueText(value: unknown): string {
  if (typeof value === "string") return printable(value);
  return printable(inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, customInspect: false, ...SHORT }));
}

const SHORT = { compact: true, maxArrayLength: 10, maxStringLength: 100 };
