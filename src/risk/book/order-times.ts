// When the last orders were approved: a ring that is never larger than the highest rate that can be set.

import { type Millis, millis } from "../../domain/time.ts";

/** At least the largest `ordersPerMinuteMax`. */
const CAPACITY = 64;

export type OrderTimes = {
  /** 1 is the last one; undefined when there were not so many. */
  nthLast(n: number): Millis | undefined;
  add(at: Millis): void;
  /** Oldest first. */
  list(): number[];
};

export function createOrderTimes(saved: readonly number[]): OrderTimes {
  const ring = new Float64Array(CAPACITY);
  let count = 0;
  const add = (at: number): void => {
    ring[count % CAPACITY] = at;
    count++;
  };
  const nthLast = (n: number): Millis | undefined =>
    n <= count && n <= CAPACITY ? millis(ring[(count - n) % CAPACITY] as number) : undefined;
  for (const at of saved) add(at);
  return {
    add,
    nthLast,
    list: () =>
      Array.from(
        { length: Math.min(count, CAPACITY) },
        (_, i, n = Math.min(count, CAPACITY)) => nthLast(n - i) as number,
      ),
  };
}
