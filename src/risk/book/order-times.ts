// When the last orders were approved: never more than the highest rate that can be set.

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
  const times = saved.slice(-CAPACITY).map(millis);
  return {
    nthLast: (n) => times[times.length - n],
    add(at) {
      times.push(at);
      if (times.length > CAPACITY) times.shift();
    },
    list: () => [...times],
  };
}
