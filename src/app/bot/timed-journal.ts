// A journal that tells how long its writes took. It changes nothing: what is written and when it counts is as before.

import type { Clock } from "../../domain/time.ts";
import type { Decided, Journal } from "../../journal/journal.ts";
import type { JournalMeter, JournalOperation } from "../../watch/metrics/meters.ts";

type Written = { readonly ok: true } | { readonly ok: false; readonly error: { readonly code: string } };

export function timedJournal(journal: Journal, clock: Pick<Clock, "monotonic">, meter: JournalMeter): Journal {
  function tell<R extends Written>(operation: JournalOperation, since: number, result: R): R {
    meter.wrote(operation, clock.monotonic() - since, result.ok ? undefined : result.error.code);
    return result;
  }

  return {
    opening: journal.opening,
    writer: journal.writer,
    async append(records) {
      const since = clock.monotonic();
      return tell("append", since, await journal.append(records));
    },
    announce(records) {
      const since = clock.monotonic();
      return tell("announce", since, journal.announce(records));
    },
    async transact<T>(decide: (news: Parameters<Parameters<Journal["transact"]>[0]>[0]) => Decided<T>) {
      let since = clock.monotonic();
      let isWrite = true;
      const result = await journal.transact((news) => {
        const decided = decide(news);
        // From here on it is the journal's own time; with nothing to record there is nothing to sync.
        since = clock.monotonic();
        isWrite = decided.records.length > 0;
        return decided;
      });
      return isWrite ? tell("transact", since, result) : result;
    },
    news: (most) => journal.news(most),
    read: (after, most) => journal.read(after, most),
    head: () => journal.head(),
    close: () => journal.close(),
  };
}
