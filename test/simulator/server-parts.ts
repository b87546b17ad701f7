// The system's time, as the embedded server takes it in tests.

import { systemClock } from "../../src/app/system/system-clock.ts";
import { systemTimers } from "../../src/app/system/system-timers.ts";

export const systemParts = { clock: systemClock, timers: systemTimers };
