// From the journal to a desk that knows what every process of the account knew: state is a fold of the records, a batch
// at a time, whoever wrote them. The same at a start and when memory must not be trusted any more.

import { ok, type Result } from "../domain/result.ts";
import type { Journal, JournalError } from "../journal/journal.ts";
import type { Desk } from "./desk.ts";

const BATCH = 1_000;

/** Fills an empty desk; afterwards the journal hands out only what is younger. */
export function restore(desk: Desk, journal: Journal): Result<Desk, JournalError> {
  let after = 0;
  for (;;) {
    const batch = journal.read(after, BATCH);
    if (!batch.ok) return batch;
    for (const entry of batch.value) desk.fold(entry);
    const last = batch.value.at(-1);
    if (last === undefined) break;
    after = last.sequence;
  }
  // What was read is still news to the journal: handed out now, so that no later turn has to wait for all of it.
  for (let handed = 0; handed <= after; handed += BATCH) {
    const news = journal.news(BATCH);
    if (!news.ok) return news;
    for (const entry of news.value) desk.fold(entry);
  }
  return ok(desk);
}
