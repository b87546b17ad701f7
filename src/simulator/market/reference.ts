// The two reference feeds beside the API: the FX mids that the venue's prices deviate from, each feed with its own
// noise and delay. They are no part of the request budget.

import type { Millis } from "../../domain/time.ts";

/** One row of a feed; `at` is the feed's own time, already late by its delay. */
export type ReferenceRow = { readonly symbol: string; readonly bid: number; readonly ask: number; readonly at: Millis };

export interface ReferenceFeed {
  readonly name: string;
  read(at: Millis): readonly ReferenceRow[];
}
