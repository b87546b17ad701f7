// From the journal to a desk that knows what every process of the account knew: state is a fold of the records, a batch
// at a time, whoever wrote them. The same at a start and when memory must not be trusted any more.

import { ok, type Result } from "../domain/result.ts";
import type { Journal, JournalError } from "../journal/journal.ts";
import type { Entry } from "../journal/record.ts";
import type { Desk } from "./desk.ts";

const BATCH = 1_000;

/** Fills an empty desk; afterwards the journal hands out only what is younger. */
export function restore(desk: Desk, journal: Journal): Result<Desk, JournalError> {
  let after = 0;
  // At a start all of it was written by others, and so is news: read once, and handed out by that.
  for (;;) {
    const news = journal.news(BATCH);
    if (!news.ok) return news;
    const { length } = news.value;
    // Nothing is left, or something of our own stands in between.
    if (length === 0 || news.value[0]?.sequence !== after + 1 || news.value.at(-1)?.sequence !== after + length) break;
    after = foldAll(desk, news.value, after);
  }
  // What this process wrote itself is no news: from there on it is read, and what is still handed out then is known.
  const known = after;
  for (;;) {
    const batch = journal.read(after, BATCH);
    if (!batch.ok) return batch;
    if (batch.value.length === 0) break;
    after = foldAll(desk, batch.value, after);
  }
  for (let handed = known; handed < after; handed += BATCH) {
    const news = journal.news(BATCH);
    if (!news.ok) return news;
    foldAll(desk, news.value, after);
  }
  return ok(desk);
}

/** The sequence of the last. */
function foldAll(desk: Desk, entries: readonly Entry[], after: number): number {
  for (const entry of entries) desk.fold(entry);
  return entries.at(-1)?.sequence ?? after;
}
