// Pauses on the injected timers.

import type { Timers } from "./time.ts";

export function pause(timers: Timers, delayMs: number): Promise<void> {
  return new Promise((resolve) => void timers.after(delayMs, resolve));
}
