// Notices that the machine slept or the process stood still while a request was out: the connection may be half open,
// and what it would still bring belongs to a time before the sleep. Both clocks are watched, because the monotonic one
// stands still during a suspend on some systems.

import type { Clock, Timers } from "../domain/time.ts";

const TICK_MS = 1_000;
const GAP_MS_MAX = 5_000;

/** Calls back once when a gap is seen; the function it gives back ends the watch. */
export function watchForGap(clock: Clock, timers: Timers, onGap: (gapMs: number) => void): () => void {
  let wall = clock.now();
  let mono = clock.monotonic();
  let cancel = timers.after(TICK_MS, tick);
  function tick(): void {
    const gap = Math.max(clock.now() - wall, clock.monotonic() - mono) - TICK_MS;
    if (gap > GAP_MS_MAX) {
      onGap(gap);
      return;
    }
    wall = clock.now();
    mono = clock.monotonic();
    cancel = timers.after(TICK_MS, tick);
  }
  return () => cancel();
}
