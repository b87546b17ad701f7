// Value traded in the last hour, in buckets of a minute: the oldest bucket counts until all of it is out of the hour, so
// the sum is never too low. Reading changes nothing that is saved.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Counted } from "../room-from.ts";

const MINUTE_MS = 60_000;
/** Fifty-nine whole minutes and the two that are partly in. */
const BUCKETS = 61;

export type HourWindow = {
  add(value: Money, at: Millis): void;
  total(now: Millis): Money;
  /** What the total is made of. */
  newestFirst(now: Millis): Counted<Money>[];
  clear(): void;
  list(): { minute: number; value: string }[];
};

export function createHourWindow(
  currency: Asset,
  saved: readonly { readonly minute: number; readonly value: string }[],
): HourWindow {
  const values = new Map<number, Money>();
  /** Of the hour up to this minute: the gate asks more often than a minute begins. */
  let sum = Money.zero(currency);
  let summedTo = Number.NaN;

  const of = (hour: number) => [...values].filter(([minute]) => minute > hour - BUCKETS);
  const put = (minute: number, value: Money): void => {
    const before = values.get(minute);
    values.set(minute, before?.plus(value) ?? value);
    if (before === undefined) for (const known of values.keys()) if (known <= minute - BUCKETS) values.delete(known);
    if (minute > summedTo - BUCKETS) sum = sum.plus(value);
  };
  for (const { minute, value } of saved) put(minute, Money.of(value, currency));

  return {
    add: (value, at) => put(Math.floor(at / MINUTE_MS), value),
    total(now) {
      const minute = Math.floor(now / MINUTE_MS);
      if (minute !== summedTo) {
        sum = Money.zero(currency);
        for (const [known, value] of values) if (known > minute - BUCKETS) sum = sum.plus(value);
        summedTo = minute;
      }
      return sum;
    },
    newestFirst: (now) =>
      of(Math.floor(now / MINUTE_MS))
        .sort(([a], [b]) => b - a)
        .map(([minute, amount]) => ({ amount, leavesAt: (minute + BUCKETS) * MINUTE_MS })),
    clear() {
      values.clear();
      summedTo = Number.NaN;
    },
    list: () => [...values].sort(([a], [b]) => a - b).map(([minute, value]) => ({ minute, value: value.toString() })),
  };
}
