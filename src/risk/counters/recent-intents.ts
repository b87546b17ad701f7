// Recently approved orders, for the rules on repeated and opposite orders. Intents older than any window are dropped;
// if space ran out, the time of the dropped ones is kept.

import type { OrderIntent } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { RecentIntents } from "../counters.ts";
import { type CountersData, intentData, intentOf } from "./data.ts";

/** The longest configurable window. */
const RECENT_MS_MAX = 600_000;
/** More than one order a second over that window. */
const CAPACITY = 1_024;

export type RecentCounters = RecentIntents & {
  add(intent: OrderIntent, at: Millis): void;
  list(): CountersData["recent"];
};

export function createRecentIntents(saved: CountersData["recent"], forgotten: number | null): RecentCounters {
  /** Oldest first. */
  const recent: { readonly at: Millis; readonly intent: OrderIntent }[] = [];
  let forgottenAt = forgotten === null ? undefined : millis(forgotten);
  const entry = (back: number) => recent.at(-1 - back) as (typeof recent)[number];

  const book: RecentCounters = {
    countAfter(time) {
      let count = 0;
      while (count < recent.length && entry(count).at > time) count++;
      return count;
    },
    get forgottenAt() {
      return forgottenAt;
    },
    isOf: (back, symbol, side) => entry(back).intent.symbol === symbol && entry(back).intent.side === side,
    intent: (back) => entry(back).intent,
    at: (back) => entry(back).at,
    add(intent, at) {
      const reach = at - RECENT_MS_MAX;
      while (recent[0] !== undefined && recent[0].at < reach) recent.shift();
      if (recent.length === CAPACITY) forgottenAt = recent.shift()?.at;
      if (forgottenAt !== undefined && forgottenAt < reach) forgottenAt = undefined;
      recent.push({ at, intent });
    },
    list: () => recent.map(({ at, intent }) => ({ at, intent: intentData(intent) })),
  };
  for (const { at, intent } of saved) book.add(intentOf(intent), millis(at));
  return book;
}
