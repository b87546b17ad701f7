// The system's time, as the embedded server takes it in tests.

import { systemClock } from "../../src/cli/system/system-clock.ts";
import { systemTimers } from "../../src/cli/system/system-timers.ts";

export const systemParts = { clock: systemClock, timers: systemTimers };
