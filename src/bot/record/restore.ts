// From the journal to a desk that knows what every process of the account knew: state is a fold of the records, a batch
// at a time, whoever wrote them. The same at a start and when memory must not be trusted any more. A start may begin at a
// checkpoint: whatever is wrong with that, everything is read.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Head, Journal, JournalError } from "../../journal/journal.ts";
import type { Entry } from "../../journal/record.ts";
import { GENESIS } from "../../journal/text/entry-text.ts";
import { OtherCurrency } from "../../risk/other-currency.ts";
import type { Desk } from "../desk/desk.ts";
import { type Checkpoint, CheckpointMaker, deskAt, type MakeDesk } from "./checkpoint.ts";

const BATCH = 1_000;

type Read = Pick<Journal, "news" | "read">;

/** Where checkpoints of one journal are kept. */
export interface Checkpoints {
  /** One that is whole, and of this code and journal. */
  find(): Checkpoint | undefined;
  /** From now on only what is younger than that record is news. */
  begin(head: Head): Result<undefined, JournalError>;
  /** From which record on another one is worth making, when so many are known from the last; undefined when none is. */
  due(after: number): Result<number | undefined, JournalError>;
  keep(checkpoint: Checkpoint): void;
  say(text: string): void;
}

/** Afterwards the journal hands out only what is younger. */
export function restoreFrom(
  make: MakeDesk,
  journal: Read,
  checkpoints: Checkpoints | undefined,
): Result<Desk, JournalError> {
  try {
    return restoredFrom(make, journal, checkpoints);
  } catch (error) {
    if (error instanceof OtherCurrency) return err({ code: "journal-foreign", message: error.message });
    throw error;
  }
}

function restoredFrom(make: MakeDesk, journal: Read, checkpoints: Checkpoints | undefined): Result<Desk, JournalError> {
  const found = checkpoints?.find();
  if (checkpoints === undefined || found === undefined) return restoreAndMake(make(), { make, journal, checkpoints });
  try {
    const begun = checkpoints.begin(found.base);
    if (!begun.ok) return begun;
    return restoreAndMake(deskAt(found, make), { make, journal, checkpoints, found });
  } catch (error) {
    checkpoints.say(`the checkpoint is left alone, everything is read: ${String(error)}`);
    const begun = checkpoints.begin({ sequence: 0, hash: GENESIS });
    return begun.ok ? restoreAndMake(make(), { make, journal, checkpoints }) : begun;
  }
}

type Making = {
  readonly make: MakeDesk;
  readonly journal: Read;
  readonly checkpoints: Checkpoints | undefined;
  readonly found?: Checkpoint;
};

function restoreAndMake(desk: Desk, { make, journal, checkpoints, found }: Making): Result<Desk, JournalError> {
  const after = found?.base.sequence ?? 0;
  const due = checkpoints?.due(after) ?? ok(undefined);
  if (!due.ok) return due;
  if (checkpoints === undefined || due.value === undefined) return restore(desk, journal, { after });
  const maker = new CheckpointMaker(desk, due.value, found);
  const restored = restore(desk, journal, { after, folded: (entry) => maker.take(entry) });
  if (!restored.ok) return restored;
  const made = maker.finish(make, journal);
  if (made.ok) checkpoints.keep(made.value);
  else checkpoints.say(`no checkpoint is made: ${made.error}`);
  return restored;
}

type Folding = {
  /** Until here the desk knows it, and it is no news. */
  readonly after?: number;
  readonly folded?: (entry: Entry) => void;
};

/** Fills a desk; afterwards the journal hands out only what is younger. */
export function restore(desk: Desk, journal: Read, folding: Folding = {}): Result<Desk, JournalError> {
  let { after = 0 } = folding;
  // At a start all of it was written by others, and so is news: read once, and handed out by that.
  for (;;) {
    const news = journal.news(BATCH);
    if (!news.ok) return news;
    const { length } = news.value;
    // Nothing is left, or something of our own stands in between.
    if (length === 0 || news.value[0]?.sequence !== after + 1 || news.value.at(-1)?.sequence !== after + length) break;
    after = foldAll(desk, news.value, after, folding);
  }
  // What this process wrote itself is no news: from there on it is read, and what is still handed out then is known.
  const known = after;
  for (;;) {
    const batch = journal.read(after, BATCH);
    if (!batch.ok) return batch;
    if (batch.value.length === 0) break;
    after = foldAll(desk, batch.value, after, folding);
  }
  for (let handed = known; handed < after; handed += BATCH) {
    const news = journal.news(BATCH);
    if (!news.ok) return news;
    foldAll(desk, news.value, after, {});
  }
  return ok(desk);
}

/** The sequence of the last. */
function foldAll(desk: Desk, entries: readonly Entry[], after: number, { folded }: Folding): number {
  for (const entry of entries) {
    desk.fold(entry);
    folded?.(entry);
  }
  return entries.at(-1)?.sequence ?? after;
}
