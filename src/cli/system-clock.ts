// Seam: the machine's clocks. Durations come from performance.now, which never steps.

import { type Clock, millis, mono } from "../domain/time.ts";

export const systemClock: Clock = {
  now: () => millis(Date.now()),
  monotonic: () => mono(performance.now()),
};
