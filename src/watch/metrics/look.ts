// Everything that a scrape shows beside what was counted: the status, and how the process itself is.

import type { Mono } from "../../domain/time.ts";
import type { Status } from "../status.ts";

export type Vitals = {
  /** Of the process: what the system keeps for it, and what of that are objects. */
  readonly memory: { readonly residentBytes: number; readonly heapBytes: number };
  /** How late the event loop was in the last minute, at its worst and by percentiles. */
  readonly lag: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };
  /** The journal's file, with what waits to be merged into it; undefined when it cannot be looked at. */
  readonly journalBytes: number | undefined;
};

export type Look = {
  readonly status: Status;
  readonly isReady: boolean;
  readonly vitals: Vitals;
  readonly now: Mono;
};
