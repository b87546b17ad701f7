// Seam: the monotonic clock that all processes of this host share, and an id of the boot it counts from. On Linux
// process.hrtime is CLOCK_MONOTONIC. On macOS and Windows it counts from boot as well, but there is no boot id: a clock
// below a stored time shows the reboot.

import { readFileSync } from "node:fs";
import { type Clock, type Mono, mono, type Timers } from "../../domain/time.ts";

export interface HostClock {
  /** `unknown` if the system has no boot id. */
  readonly boot: string;
  /** Milliseconds with fractions, the same for every process of the host. */
  monotonic(): Mono;
}

export type Machine = { readonly clock: Clock; readonly host: HostClock; readonly timers: Timers };

export function systemHostClock(): HostClock {
  return { boot: bootId(), monotonic: () => mono(Number(process.hrtime.bigint()) / 1e6) };
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "unknown";
  }
}
