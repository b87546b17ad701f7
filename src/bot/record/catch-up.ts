// What others recorded, seen at the slot of whatever is about to move money: the books know it before the rules are asked a last
// time, and whoever died over a request meanwhile left a doubt that no rule has been asked about yet.

import type { Moment } from "../../execution/request.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Entry } from "../../journal/record.ts";
import type { Desk } from "../desk/desk.ts";

type Sights = {
  readonly journal: Pick<Journal, "news">;
  readonly desk: Desk;
  /** Whether the process that wrote under this name is no more. */
  readonly isGone: (writer: string) => boolean;
  readonly now: () => Moment;
  /** Whoever else wants to know what is new. */
  readonly hear?: (news: readonly Entry[]) => void;
};

/** A reason drops what was to leave. */
export function catchUp({ journal, desk, isGone, now, hear }: Sights): string | undefined {
  // The journal does not hand out again what it handed out then.
  if (desk.isTorn) return "what others recorded could not be taken in: the bot must be started again";
  const news = journal.news();
  if (!news.ok) return news.error.message;
  for (const entry of news.value) desk.fold(entry);
  hear?.(news.value);
  const [lost] = desk.executor.lost(isGone, now().at);
  return lost && `the outcome of ${lost.id} is unknown: its process has just ended, or stands still`;
}
