// The names that a proposal has. Another one is a misspelt one, or none of our business.

import { nearestWord } from "../../domain/suggestion.ts";

export const NEEDED = ["limit", "size", "reason"];
const OPTIONAL = ["lifetimeMs"];
const NAMES: ReadonlySet<string> = new Set(["symbol", "side", ...NEEDED, ...OPTIONAL]);

/**
 * The one field that may be missing is, and something stands under a name like it: then it is meant. What a strategy keeps beside
 * a proposal under names of its own is none of our business. Asked of every proposal, so it makes no list.
 */
export function mayBeMisspelt(raw: object): boolean {
  if ((raw as { readonly lifetimeMs?: unknown }).lifetimeMs !== undefined) return false;
  for (const name in raw) if (!NAMES.has(name) && nearestWord(name, OPTIONAL) !== undefined) return true;
  return false;
}

export function otherNames(raw: object): readonly string[] {
  return Object.keys(raw).filter((name) => !NAMES.has(name));
}
