// Value traded in the last hour, in buckets of a minute: the oldest bucket counts until all of it is out of the hour, so
// the sum is never too low. Reading changes nothing that is saved.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";

const MINUTE_MS = 60_000;
/** Sixty whole minutes and the two that are partly in. */
const BUCKETS = 61;

export type HourWindow = {
  add(value: Money, at: Millis): void;
  total(now: Millis): Money;
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
  /** Of the hour up to this minute; NaN while it has to be added up anew. */
  let sum = zero;
  let summedTo = Number.NaN;

  const isIn = (i: number, minute: number): boolean => (minutes[i] as number) > minute - BUCKETS;
  /** As a rule time goes on by little: what falls out of the hour is taken off, and nothing is added up. */
  const reach = (minute: number): void => {
    if (minute === summedTo) return;
    if (minute > summedTo && newest <= summedTo) {
      if (minute - summedTo >= BUCKETS) sum = zero;
      else sum = sum.minus(leaving(summedTo + 1 - BUCKETS, minute - BUCKETS));
    } else {
      sum = zero;
      for (let i = 0; i < BUCKETS; i++) if (isIn(i, minute)) sum = sum.plus(values[i] as Money);
    }
    summedTo = minute;
  };
  const leaving = (from: number, to: number): Money => {
    let left = zero;
    for (let minute = from; minute <= to; minute++)
      if (minutes[minute % BUCKETS] === minute) left = left.plus(values[minute % BUCKETS] as Money);
    return left;
  };
  const put = (minute: number, value: Money): void => {
    const i = minute % BUCKETS;
    if (minute >= newest) reach(minute);
    else summedTo = Number.NaN;
    sum = sum.plus(value);
    values[i] = minutes[i] === minute ? (values[i] as Money).plus(value) : value;
    minutes[i] = minute;
    newest = Math.max(newest, minute);
  };
  for (const { minute, value } of saved) put(minute, Money.of(value, currency));

  return {
    add: (value, at) => put(Math.floor(at / MINUTE_MS), value),
    total(now) {
      reach(Math.floor(now / MINUTE_MS));
      return sum;
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
