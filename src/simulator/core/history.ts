// Histories as callers see them: rows appear when they are published, calls return the newest page, and old rows are
// dropped.

import type { Millis } from "../../domain/time.ts";
import type { VenueSettings } from "./settings.ts";

export type HistoryTerms = Pick<VenueSettings, "historyPageMax" | "historyRetainedMax">;

/**
 * The history of an account, row by row. A row is the same object in every page; while no row is added or waits for
 * publication, the page is the same object too.
 */
export class History<R extends { readonly publishedAt: Millis }> {
  private readonly terms: HistoryTerms;
  private kept: R[];
  private newest: readonly R[] | undefined;
  /** From this time on all rows are published. */
  private completeAt = 0;

  constructor(terms: HistoryTerms, rows: readonly R[]) {
    this.terms = terms;
    this.kept = [...rows];
    this.completeAt = rows.reduce((at, { publishedAt }) => Math.max(at, publishedAt), 0);
  }

  get rows(): readonly R[] {
    return this.kept;
  }

  /** Adds a row and drops the oldest in blocks, so that dropping costs nothing per row. */
  add(row: R): void {
    this.kept.push(row);
    this.newest = undefined;
    if (row.publishedAt > this.completeAt) this.completeAt = row.publishedAt;
    const { historyRetainedMax } = this.terms;
    if (this.kept.length >= 2 * historyRetainedMax) this.kept = this.kept.slice(-historyRetainedMax);
  }

  /** The newest page of the wanted rows published at `at`, newest first. */
  page(at: Millis, isWanted?: (row: R) => boolean): readonly R[] {
    if (isWanted !== undefined || at < this.completeAt)
      return page(this.kept, this.terms, (row) => row.publishedAt <= at && (isWanted === undefined || isWanted(row)));
    this.newest ??= page(this.kept, this.terms);
    return this.newest;
  }
}

/** For rows that may still be needed: open rows are kept regardless of age. */
export function rememberOpen<T>(rows: T[], row: T, retainedMax: number, isOpen: (row: T) => boolean): T[] {
  rows.push(row);
  if (rows.length < 2 * retainedMax) return rows;
  const newest = rows.length - retainedMax;
  return rows.filter((one, i) => i >= newest || isOpen(one));
}

/** The newest page of the visible rows, newest first. */
export function page<T>(
  rows: readonly T[],
  { historyPageMax, historyRetainedMax }: HistoryTerms,
  isShown: (row: T) => boolean = () => true,
): readonly T[] {
  const shown: T[] = [];
  const oldest = Math.max(0, rows.length - historyRetainedMax);
  for (let i = rows.length - 1; i >= oldest && shown.length < historyPageMax; i--) {
    const row = rows[i] as T;
    if (isShown(row)) shown.push(row);
  }
  return shown;
}
