// Seam: the machine's timers. The delay is rounded up to whole milliseconds; whoever needs the exact moment reads the
// clock again when called.

import type { Timers } from "../domain/time.ts";

export const systemTimers: Timers = {
  after(delayMs, run) {
    const handle = setTimeout(run, Math.max(0, Math.ceil(delayMs)));
    return () => clearTimeout(handle);
  },
};
