// The names that a proposal has. Another one is a misspelt one, or none of our business.

export const NEEDED = ["limit", "size", "reason"];
const NAMES: ReadonlySet<string> = new Set(["symbol", "side", ...NEEDED, "lifetimeMs"]);

/**
 * Something stands under another name, and the one field that may be missing is: it may be that. Asked of every proposal, so it
 * makes no list.
 */
export function mayBeMisspelt(raw: object): boolean {
  if ((raw as { readonly lifetimeMs?: unknown }).lifetimeMs !== undefined) return false;
  for (const name in raw) if (!NAMES.has(name)) return true;
  return false;
}

export function otherNames(raw: object): readonly string[] {
  return Object.keys(raw).filter((name) => !NAMES.has(name));
}
