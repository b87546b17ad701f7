// Restores a trading core from the journal: its state is a fold of the records, in batches, from its snapshot on. Used at
// a start and whenever memory can no longer be trusted.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Moment } from "../../execution/request.ts";
import type { Journal, JournalError } from "../../journal/journal.ts";
import type { Entry } from "../../journal/record.ts";
import { OtherCurrency } from "../../risk/other-currency.ts";
import type { TradingCore } from "../trading-core/trading-core.ts";
import type { MakeTradingCore, Snapshots } from "./snapshot.ts";

const BATCH = 1_000;

type Read = Pick<Journal, "news" | "read">;

/** Afterwards the journal hands out only later records as news. */
export function restoreFrom(
  make: MakeTradingCore,
  journal: Read,
  snapshots: Snapshots | undefined,
): Result<TradingCore, JournalError> {
  try {
    const core = snapshots?.begin(make) ?? make();
    return restore(core, journal, { after: core.folded, folded: (entry) => snapshots?.take(entry, core) });
  } catch (error) {
    if (error instanceof OtherCurrency) return err({ code: "journal-foreign", message: error.message });
    throw error;
  }
}

type Folding = {
  /** The last record that the trading core already has. */
  readonly after?: number;
  readonly folded?: (entry: Entry) => void;
};

/** Fills a trading core; afterwards the journal hands out only later records as news. */
export function restore(core: TradingCore, journal: Read, folding: Folding = {}): Result<TradingCore, JournalError> {
  let { after = 0 } = folding;
  // At a start other processes wrote all of the journal, so all of it is news and is read once, through the news.
  for (;;) {
    const news = journal.news(BATCH);
    if (!news.ok) return news;
    const { length } = news.value;
    // No record is left, or a record of this process is in between.
    if (length === 0 || news.value[0]?.sequence !== after + 1 || news.value.at(-1)?.sequence !== after + length) break;
    after = foldAll(core, news.value, after, folding);
  }
  // Records of this process are not news, so from here on the journal is read directly; news up to the end of that is
  // already folded.
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

/** Returns the sequence of the last entry. */
function foldAll(core: TradingCore, entries: readonly Entry[], after: number, { folded }: Folding): number {
  for (const entry of entries) {
    core.fold(entry);
    folded?.(entry);
  }
  return entries.at(-1)?.sequence ?? after;
}

// Catches up at the slot of a money request: folds the records of other processes before the last check of the rules. A
// process that died during a request in the meantime left a doubt that the rules have not seen yet.

type Sights = {
  readonly journal: Pick<Journal, "news">;
  readonly core: TradingCore;
  /** Whether the process that wrote under this name has ended. */
  readonly isGone: (writer: string) => boolean;
  readonly now: () => Moment;
  /** Also receives the new entries. */
  readonly hear?: (news: readonly Entry[]) => void;
};

/** A returned reason drops the request. */
export function catchUp({ journal, core, isGone, now, hear }: Sights): string | undefined {
  // The journal does not hand out the same entries again.
  if (core.isTorn) return "what others recorded could not be taken in: the bot must be started again";
  const news = journal.news();
  if (!news.ok) return news.error.message;
  for (const entry of news.value) core.fold(entry);
  hear?.(news.value);
  const [lost] = core.executor.lost(isGone, now().at);
  return lost && `the outcome of ${lost.id} is unknown: its process has just ended, or stands still`;
}
