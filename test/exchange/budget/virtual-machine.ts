// A machine on virtual time: clock, host clock and timers move together, and only when a test says so.

import { millis, type Timers } from "../../../src/domain/time.ts";
import type { HostClock } from "../../../src/exchange/budget/host-clock.ts";
import { createVirtualClock, type VirtualClock } from "../../support/virtual-clock.ts";

export const noon = millis(Date.UTC(2026, 0, 5, 12));

export type VirtualMachine = {
  readonly clock: VirtualClock;
  readonly host: HostClock;
  readonly timers: Timers;
  /** Time passes; timers run at their moment, and promises settle after each. */
  pass(ms: number): Promise<void>;
};

export function createVirtualMachine(boot = "boot-1"): VirtualMachine {
  const clock = createVirtualClock(noon);
  let timers: { at: number; order: number; run: () => void }[] = [];
  let orders = 0;
  return {
    clock,
    host: { boot, monotonic: () => clock.monotonic() },
    timers: {
      after(delayMs, run) {
        const timer = { at: clock.monotonic() + Math.max(0, delayMs), order: ++orders, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((each) => each !== timer);
        };
      },
    },
    async pass(ms) {
      const until = clock.monotonic() + ms;
      for (let looks = 0; looks < 1_000_000; looks++) {
        await settle();
        const next = timers
          .filter((timer) => timer.at <= until)
          .sort((a, b) => a.at - b.at || a.order - b.order)
          .at(0);
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        clock.advance(Math.max(0, next.at - clock.monotonic()));
        next.run();
      }
      clock.advance(Math.max(0, until - clock.monotonic()));
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}
