// The orders approved lately, for the rules on repeated and opposite orders. What no window can reach is dropped; what had
// to be dropped earlier, because there were too many, is known by its time.

import { IntentSlots } from "../../domain/intent-slots.ts";
import type { OrderIntent } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { RecentIntents } from "../books.ts";
import { type BooksData, intentData, intentOf } from "./data.ts";

/** The longest window that can be set. */
const RECENT_MS_MAX = 600_000;
/** More than one order a second for as long. */
const CAPACITY = 1_024;

export type RecentBook = RecentIntents & {
  add(intent: OrderIntent, at: Millis): void;
  list(): BooksData["recent"];
};

export function createRecentIntents(saved: BooksData["recent"], forgotten: number | null): RecentBook {
  const intents = new IntentSlots();
  const times = new Float64Array(CAPACITY);
  let end = 0;
  let length = 0;
  let forgottenAt = forgotten === null ? undefined : millis(forgotten);
  const slot = (back: number): number => (end - 1 - back) % CAPACITY;
  const dropOldest = (): Millis => millis(times[slot(--length)] as number);

  const book: RecentBook = {
    countAfter(time) {
      let count = 0;
      while (count < length && (times[slot(count)] as number) > time) count++;
      return count;
    },
    get forgottenAt() {
      return forgottenAt;
    },
    isOf: (back, symbol, side) => intents.isOf(slot(back), symbol, side),
    intent: (back) => intents.at(slot(back)) as OrderIntent,
    at: (back) => millis(times[slot(back)] as number),
    add(intent, at) {
      const reach = at - RECENT_MS_MAX;
      while (length > 0 && (times[slot(length - 1)] as number) < reach) dropOldest();
      if (length === CAPACITY) forgottenAt = dropOldest();
      if (forgottenAt !== undefined && forgottenAt < reach) forgottenAt = undefined;
      intents.put(end % CAPACITY, intent);
      times[end % CAPACITY] = at;
      end++;
      length++;
    },
    list: () =>
      Array.from({ length }, (_, i) => length - 1 - i).map((back) => ({
        at: book.at(back),
        intent: intentData(book.intent(back)),
      })),
  };
  for (const { at, intent } of saved) book.add(intentOf(intent), millis(at));
  return book;
}
