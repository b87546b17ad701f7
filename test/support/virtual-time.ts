// Virtual time for whole programs: one clock and one polls of timers. Somebody else says when everything has come to rest;
// then time moves to the next timer and runs it. The wall clock shows whole milliseconds, as a real one does.

import { type Clock, type Millis, millis, type Timers } from "../../src/domain/time.ts";
import { createVirtualClock } from "./virtual-clock.ts";

type Due = { readonly at: number; readonly order: number; readonly owner: string; readonly run: () => void };

export type VirtualTime = {
  readonly clock: Clock;
  /** Timers of one part of the program; the name is for those who ask what is pending. */
  timers(owner: string): Timers;
  pending(owner: string): number;
  /** Moves to the next timer at or before `until` and runs it, or moves to `until`: then there is none. */
  step(until: number): Due | undefined;
};

export function createVirtualTime(start: Millis): VirtualTime {
  const virtual = createVirtualClock(start);
  // A few dozen at most: a sorted list is enough.
  const polls: Due[] = [];
  let orders = 0;
  const clock: Clock = { now: () => millis(Math.floor(virtual.now())), monotonic: virtual.monotonic };

  function add(due: Due): void {
    let place = polls.length;
    while (place > 0 && (polls[place - 1] as Due).at > due.at) place--;
    polls.splice(place, 0, due);
  }

  return {
    clock,
    timers: (owner) => ({
      after(delayMs, run) {
        const due = { at: virtual.monotonic() + Math.max(0, delayMs), order: ++orders, owner, run };
        add(due);
        return () => {
          const place = polls.indexOf(due);
          if (place >= 0) polls.splice(place, 1);
        };
      },
    }),
    pending: (owner) => polls.filter((due) => due.owner === owner).length,
    step(until) {
      const next = polls[0];
      if (next === undefined || next.at > until) {
        virtual.advance(Math.max(0, until - virtual.monotonic()));
        return undefined;
      }
      polls.shift();
      virtual.advance(Math.max(0, next.at - virtual.monotonic()));
      next.run();
      return next;
    },
  };
}
