// A clock that stands still until it is told: for tests. Both readings move together; only `step` moves the
// wall clock alone, as an operator or a time server would.

import { invariant } from "../../src/domain/invariant.ts";
import { type Clock, type Millis, millis, mono } from "../../src/domain/time.ts";

export interface VirtualClock extends Clock {
  /** Time passes. */
  advance(ms: number): void;
  /** Time passes until the wall clock shows `at`; it never goes back. */
  advanceTo(at: Millis): void;
  /** The wall clock is set, forward or back; no time passes. */
  step(ms: number): void;
}

export function createVirtualClock(start: Millis): VirtualClock {
  invariant(Number.isFinite(start), `a clock must start at a finite time, was ${start}`);
  let wall: number = start;
  let elapsed = 0;
  const advance = (ms: number): void => {
    invariant(ms >= 0 && ms < Number.POSITIVE_INFINITY, `a clock must advance by 0 ms or more, was ${ms}`);
    wall += ms;
    elapsed += ms;
  };
  return {
    now: () => millis(wall),
    monotonic: () => mono(elapsed),
    advance,
    advanceTo: (at) => advance(at - wall),
    step(ms) {
      invariant(Number.isFinite(ms), `a clock must step by a finite time, was ${ms}`);
      wall += ms;
    },
  };
}
