// A clock and timers in the hands of the test: time stands still until `pass` moves it, and what is due then runs.

import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, millis, mono, type Timers } from "../../src/domain/time.ts";

export type HandTime = {
  readonly clock: Clock;
  readonly timers: Timers;
  /** How long each timer that waits was asked for, in the order of asking. */
  waiting(): readonly number[];
  pass(ms: number): Promise<void>;
};

export function handTime(start: number): HandTime {
  let now = start;
  const due: { at: number; delayMs: number; run: () => void }[] = [];
  return {
    clock: { now: () => millis(now), monotonic: () => mono(now - start) },
    timers: {
      after(delayMs, run) {
        const entry = { at: now + delayMs, delayMs, run };
        due.push(entry);
        return () => void due.splice(due.indexOf(entry), due.includes(entry) ? 1 : 0);
      },
    },
    waiting: () => due.map(({ delayMs }) => delayMs),
    async pass(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = due.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
        if (next === undefined) break;
        due.splice(due.indexOf(next), 1);
        now = Math.max(now, next.at);
        next.run();
        // Lets promises that are ready go on.
        await sleep(0);
      }
      now = until;
    },
  };
}
