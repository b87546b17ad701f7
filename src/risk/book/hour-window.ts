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
  const zero = Money.zero(currency);
  const minutes = new Float64Array(BUCKETS).fill(Number.NEGATIVE_INFINITY);
  const values: Money[] = new Array(BUCKETS).fill(zero);
  let newest = Number.NEGATIVE_INFINITY;
  /** Of the hour up to this minute, as it was when it was last asked for; NaN while it has to be added up anew. */
  let sum = zero;
  let summedTo = Number.NaN;

  const isIn = (i: number, minute: number): boolean => (minutes[i] as number) > minute - BUCKETS;
  const put = (minute: number, value: Money): void => {
    const i = minute % BUCKETS;
    const isKnown = minutes[i] === minute;
    if (minute === summedTo) sum = sum.plus(value);
    // What takes the place of a minute that the sum has, or comes late, is not followed.
    else if (minute < summedTo || (!isKnown && isIn(i, summedTo))) summedTo = Number.NaN;
    values[i] = isKnown ? (values[i] as Money).plus(value) : value;
    minutes[i] = minute;
    newest = Math.max(newest, minute);
  };
  /** Minute by minute, what comes into the hour is added and what falls out of it taken off. */
  const follow = (minute: number): void => {
    for (let next = summedTo + 1; next <= minute; next++) {
      const i = next % BUCKETS;
      if (minutes[i] === next) sum = sum.plus(values[i] as Money);
      else if (minutes[i] === next - BUCKETS) sum = sum.minus(values[i] as Money);
    }
  };
  const addUp = (minute: number): void => {
    sum = zero;
    for (let i = 0; i < BUCKETS; i++) if (isIn(i, minute)) sum = sum.plus(values[i] as Money);
  };
  for (const { minute, value } of saved) put(minute, Money.of(value, currency));

  return {
    add: (value, at) => put(Math.floor(at / MINUTE_MS), value),
    total(now) {
      const minute = Math.floor(now / MINUTE_MS);
      if (minute === summedTo && newest <= minute) return sum;
      if (minute > summedTo && minute - summedTo < BUCKETS && newest <= minute) follow(minute);
      else addUp(minute);
      summedTo = newest <= minute ? minute : Number.NaN;
      return sum;
    },
    newestFirst(now) {
      const minute = Math.floor(now / MINUTE_MS);
      return Array.from(minutes, (at, i) => ({ at, amount: values[i] as Money }))
        .filter((_, i) => isIn(i, minute))
        .sort((a, b) => b.at - a.at)
        .map(({ at, amount }) => ({ amount, leavesAt: (at + BUCKETS) * MINUTE_MS }));
    },
    clear() {
      minutes.fill(Number.NEGATIVE_INFINITY);
      newest = Number.NEGATIVE_INFINITY;
      summedTo = Number.NaN;
    },
    list: () =>
      Array.from(minutes, (minute, i) => ({ minute, value: (values[i] as Money).toString() }))
        .filter((_, i) => isIn(i, newest))
        .sort((a, b) => a.minute - b.minute),
  };
}
