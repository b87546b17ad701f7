// Histories as callers see them: rows appear when they are published, the newest page of them, and old ones are
// forgotten.

import type { Millis } from "../../domain/time.ts";
import type { VenueSettings } from "./settings.ts";

/** Adds a row and forgets the oldest; in blocks, so that forgetting costs nothing per row. */
export function remember<T>(rows: T[], row: T, retainedMax: number): T[] {
  rows.push(row);
  return rows.length >= 2 * retainedMax ? rows.slice(-retainedMax) : rows;
}

/** The same for rows of which some are still needed: those that are open are kept, however old. */
export function rememberOpen<T>(rows: T[], row: T, retainedMax: number, isOpen: (row: T) => boolean): T[] {
  rows.push(row);
  if (rows.length < 2 * retainedMax) return rows;
  const newest = rows.length - retainedMax;
  return rows.filter((one, i) => i >= newest || isOpen(one));
}

/** The newest page of what is published at `at`, in the operator's order. */
export function page<T>(
  rows: readonly T[],
  settings: Pick<VenueSettings, "historyOrder" | "historyPageMax" | "historyRetainedMax">,
  isShown: (row: T) => boolean = () => true,
): readonly T[] {
  const shown: T[] = [];
  const oldest = Math.max(0, rows.length - settings.historyRetainedMax);
  for (let i = rows.length - 1; i >= oldest && shown.length < settings.historyPageMax; i--) {
    const row = rows[i] as T;
    if (isShown(row)) shown.push(row);
  }
  return settings.historyOrder === "newest-first" ? shown : shown.reverse();
}

export function publishedBy(at: Millis): (row: { readonly publishedAt: Millis }) => boolean {
  return (row) => row.publishedAt <= at;
}
