// From the journal to a trading core that knows what every process of the account knew: state is a fold of the records, a batch
// at a time. The same at a start and when memory must not be trusted any more. A start may begin at a checkpoint: whatever is
// wrong with that, everything is read.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Moment } from "../../execution/request.ts";
import type { Head, Journal, JournalError } from "../../journal/journal.ts";
import type { Entry } from "../../journal/record.ts";
import { GENESIS } from "../../journal/text/entry-text.ts";
import { OtherCurrency } from "../../risk/other-currency.ts";
import type { TradingCore } from "../trading-core/trading-core.ts";
import { type Checkpoint, CheckpointMaker, type MakeTradingCore, tradingCoreAt } from "./checkpoint.ts";

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
  make: MakeTradingCore,
  journal: Read,
  checkpoints: Checkpoints | undefined,
): Result<TradingCore, JournalError> {
  try {
    return restoredFrom(make, journal, checkpoints);
  } catch (error) {
    if (error instanceof OtherCurrency) return err({ code: "journal-foreign", message: error.message });
    throw error;
  }
}

function restoredFrom(
  make: MakeTradingCore,
  journal: Read,
  checkpoints: Checkpoints | undefined,
): Result<TradingCore, JournalError> {
  const found = checkpoints?.find();
  if (checkpoints === undefined || found === undefined) return restoreAndMake(make(), { make, journal, checkpoints });
  try {
    const begun = checkpoints.begin(found.base);
    if (!begun.ok) return begun;
    return restoreAndMake(tradingCoreAt(found, make), { make, journal, checkpoints, found });
  } catch (error) {
    checkpoints.say(`the checkpoint is left alone, everything is read: ${String(error)}`);
    const begun = checkpoints.begin({ sequence: 0, hash: GENESIS });
    return begun.ok ? restoreAndMake(make(), { make, journal, checkpoints }) : begun;
  }
}

type Making = {
  readonly make: MakeTradingCore;
  readonly journal: Read;
  readonly checkpoints: Checkpoints | undefined;
  readonly found?: Checkpoint;
};

function restoreAndMake(
  core: TradingCore,
  { make, journal, checkpoints, found }: Making,
): Result<TradingCore, JournalError> {
  const after = found?.base.sequence ?? 0;
  const due = checkpoints?.due(after) ?? ok(undefined);
  if (!due.ok) return due;
  if (checkpoints === undefined || due.value === undefined) return restore(core, journal, { after });
  const maker = new CheckpointMaker(core, due.value, found);
  const restored = restore(core, journal, { after, folded: (entry) => maker.take(entry) });
  if (!restored.ok) return restored;
  const made = maker.finish(make, journal);
  if (made.ok) checkpoints.keep(made.value);
  else checkpoints.say(`no checkpoint is made: ${made.error}`);
  return restored;
}

type Folding = {
  /** Until here the trading core knows it, and it is no news. */
  readonly after?: number;
  readonly folded?: (entry: Entry) => void;
};

/** Fills a trading core; afterwards the journal hands out only what is younger. */
export function restore(core: TradingCore, journal: Read, folding: Folding = {}): Result<TradingCore, JournalError> {
  let { after = 0 } = folding;
  // At a start all of it was written by others, and so is news: read once, and handed out by that.
  for (;;) {
    const news = journal.news(BATCH);
    if (!news.ok) return news;
    const { length } = news.value;
    // Nothing is left, or something of our own stands in between.
    if (length === 0 || news.value[0]?.sequence !== after + 1 || news.value.at(-1)?.sequence !== after + length) break;
    after = foldAll(core, news.value, after, folding);
  }
  // What this process wrote itself is no news: from there on it is read, and what is still handed out then is known.
  const known = after;
  for (;;) {
    const batch = journal.read(after, BATCH);
    if (!batch.ok) return batch;
    if (batch.value.length === 0) break;
    after = foldAll(core, batch.value, after, folding);
  }
  for (let handed = known; handed < after; handed += BATCH) {
    const news = journal.news(BATCH);
    if (!news.ok) return news;
    foldAll(core, news.value, after, {});
  }
  return ok(core);
}

/** The sequence of the last. */
function foldAll(core: TradingCore, entries: readonly Entry[], after: number, { folded }: Folding): number {
  for (const entry of entries) {
    core.fold(entry);
    folded?.(entry);
  }
  return entries.at(-1)?.sequence ?? after;
}

// Catching up at the slot of a money request: records of other processes are folded before the rules are asked a last time, and a
// process that died over a request meanwhile left a doubt that no rule has been asked about yet.

type Sights = {
  readonly journal: Pick<Journal, "news">;
  readonly core: TradingCore;
  /** Whether the process that wrote under this name is no more. */
  readonly isGone: (writer: string) => boolean;
  readonly now: () => Moment;
  /** Whoever else wants to know what is new. */
  readonly hear?: (news: readonly Entry[]) => void;
};

/** A reason drops what was to leave. */
export function catchUp({ journal, core, isGone, now, hear }: Sights): string | undefined {
  // The journal does not hand out again what it handed out then.
  if (core.isTorn) return "what others recorded could not be taken in: the bot must be started again";
  const news = journal.news();
  if (!news.ok) return news.error.message;
  for (const entry of news.value) core.fold(entry);
  hear?.(news.value);
  const [lost] = core.executor.lost(isGone, now().at);
  return lost && `the outcome of ${lost.id} is unknown: its process has just ended, or stands still`;
}
