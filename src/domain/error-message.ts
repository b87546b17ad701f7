// Any thrown value as text: it may be a string, undefined, a plain object, or an object with getters. Only an Error's
// own code runs here, and nothing is thrown again.

import { inspect } from "node:util";
import { printable } from "./sanitise.ts";

/** An Error's message unchanged; any other value as far as it fits in a line. */
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
