// Seam: the machine's timers. The delay is rounded up to whole milliseconds; whoever needs the exact moment reads the
// clock again when called.

import type { Timers } from "../../domain/time.ts";
import { scaledTimers, timeScale } from "./time-scale.ts";

/** Whatever the scale is. */
export const machineTimers: Timers = {
  after(delayMs, run) {
    const handle = setTimeout(run, Math.max(0, Math.ceil(delayMs)));
    return () => clearTimeout(handle);
  },
};

const scale = timeScale();

export const systemTimers: Timers = scale === undefined ? machineTimers : scaledTimers(machineTimers, scale);

// Again and again, as long as the process runs or until it is ended.

/** The function it gives back ends it. */
export function every(ms: number, run: () => void, timers: Timers = systemTimers): () => void {
  const again = (): void => {
    cancel = timers.after(ms, again);
    run();
  };
  let cancel = timers.after(ms, again);
  return () => cancel();
}
