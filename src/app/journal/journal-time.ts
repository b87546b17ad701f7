// The time of a journal: its records are of the clock that the process lives by, but it waits for other processes by the machine's
// own. Disks and whoever holds a lock are no faster where a test lets our clock run fast.

import type { Clock, Timers } from "../../domain/time.ts";
import { machineClock } from "../system/system-clock.ts";
import { machineTimers } from "../system/system-timers.ts";

export function journalTime({ now }: Pick<Clock, "now">): { readonly clock: Clock; readonly timers: Timers } {
  return { clock: { now, monotonic: machineClock.monotonic }, timers: machineTimers };
}
