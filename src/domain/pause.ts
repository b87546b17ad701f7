// Pauses on the injected timers.

import type { Timers } from "./time.ts";

export function pause(timers: Timers, delayMs: number): Promise<void> {
  return new Promise((resolve) => void timers.after(delayMs, resolve));
}

/** Resolves early if the command is stopped. */
export function pauseOrStop(timers: Timers, ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      cancel();
      stop.removeEventListener("abort", wake);
      resolve();
    };
    const cancel = timers.after(ms, wake);
    stop.addEventListener("abort", wake, { once: true });
  });
}
