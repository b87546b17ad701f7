// Seam: the machine's timers. The delay is rounded up to whole milliseconds; a caller that needs the exact moment reads
// the clock again when called.

import type { Timers } from "../../domain/time.ts";
import { scaledTimers, timeScale } from "./time-scale.ts";

/** Ignores the time scale. */
export const machineTimers: Timers = {
  after(delayMs, run) {
    const handle = setTimeout(run, Math.max(0, Math.ceil(delayMs)));
    return () => clearTimeout(handle);
  },
};

const scale = timeScale();

export const systemTimers: Timers = scale === undefined ? machineTimers : scaledTimers(machineTimers, scale);

/** Repeats until the returned function is called. */
export function every(ms: number, run: () => void, timers: Timers = systemTimers): () => void {
  const again = (): void => {
    cancel = timers.after(ms, again);
    run();
  };
  let cancel = timers.after(ms, again);
  return () => cancel();
}
