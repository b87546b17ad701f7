// Follows the tail: what other processes append is handed over soon after, in order. It ends by itself when the journal
// can no longer be read.

import type { Timers } from "../domain/time.ts";
import type { Journal, JournalError } from "./journal.ts";
import type { Entry } from "./record.ts";

export type Follower = {
  readonly onNews: (entries: readonly Entry[]) => void;
  readonly onError: (error: JournalError) => void;
};

/** The function it gives back ends it. */
export function follow(journal: Journal, timers: Timers, pollMs: number, { onNews, onError }: Follower): () => void {
  let cancel = (): void => {};
  const look = (): void => {
    const news = journal.news();
    if (!news.ok && news.error.code !== "journal-locked") {
      onError(news.error);
      return;
    }
    cancel = timers.after(pollMs, look);
    if (news.ok && news.value.length > 0) onNews(news.value);
  };
  look();
  return () => cancel();
}
