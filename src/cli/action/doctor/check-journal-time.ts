// The time of the journal's newest steps against this machine's clock: where it is ahead, a bot orders nothing until it has come.

import { timeAhead } from "../../../bot/time-ahead.ts";
import { type Millis, millis } from "../../../domain/time.ts";
import { isMachineFailure } from "../../../journal/file/sqlite-failure.ts";
import { JournalReader } from "../../../journal/journal-reader.ts";
import type { Finding } from "./finding.ts";

/** Among so many there is a step of any bot that runs: books keep the time of their newest. */
const LOOKED_AT = 500;

/** Nothing where the journal is in time, or cannot be read: `journal verify` looks at that. */
export function checkJournalTime(path: string, now: Millis): readonly Finding[] {
  const newest = newestStep(path);
  const cause = newest === undefined ? undefined : timeAhead(newest, now);
  if (cause === undefined) return [];
  return [{ check: "journal", verdict: "warning", cause, next: "see there; nothing is lost meanwhile" }];
}

function newestStep(path: string): Millis | undefined {
  let reader: JournalReader | undefined;
  try {
    const opened = JournalReader.open(path);
    if (!opened.ok) return undefined;
    reader = opened.value;
    let newest = Number.NEGATIVE_INFINITY;
    for (const read of reader.after(Math.max(0, reader.head().sequence - LOOKED_AT))) {
      if (!read.ok) return undefined;
      const { record } = read.value.entry;
      if (record.kind === "step" || record.kind === "control") newest = Math.max(newest, record.at);
    }
    return millis(newest);
  } catch (error) {
    if (isMachineFailure(error)) return undefined;
    throw error;
  } finally {
    reader?.close();
  }
}
