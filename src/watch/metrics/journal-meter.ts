// How long the journal takes until what was given to it is on disk: nothing is sent before.

import { oneOf, type Shelf } from "./closed.ts";

const OPERATIONS = ["append", "announce", "transact"] as const;
export type JournalOperation = (typeof OPERATIONS)[number];
const TOOK = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export interface JournalMeter {
  /** Something was to be written, and was or was not. */
  wrote(operation: JournalOperation, tookMs: number, failure: string | undefined): void;
}

const FAILURES = [
  "journal-locked",
  "journal-full",
  "journal-suspect",
  "journal-moved",
  "journal-overtaken",
  "journal-damaged",
  "journal-unwritable",
  "other",
];

export function createJournalMeter(shelf: Shelf): JournalMeter {
  const took = shelf.histogram(
    ["pegbot_journal_sync_seconds", "time until records were on disk"],
    { operation: OPERATIONS },
    TOOK,
  );
  const failures = shelf.counter(["pegbot_journal_failures_total", "writes to the journal that failed, by code"], {
    code: FAILURES,
  });
  return {
    wrote(operation, tookMs, failure) {
      if (failure === undefined) took.observe({ operation }, tookMs / 1_000);
      else failures.inc({ code: oneOf(FAILURES, failure) });
    },
  };
}
