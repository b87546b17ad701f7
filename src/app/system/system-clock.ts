// Seam: the machine's clocks. Durations come from performance.now, which never steps.

import { type Clock, millis, mono } from "../../domain/time.ts";
import { scaledClock, timeScale } from "./time-scale.ts";

/** Ignores the time scale. */
const machineClock: Clock = {
  now: () => millis(Date.now()),
  monotonic: () => mono(performance.now()),
};

const scale = timeScale();

export const systemClock: Clock = scale === undefined ? machineClock : scaledClock(machineClock, scale);
