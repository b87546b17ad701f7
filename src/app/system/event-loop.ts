// Seam: the lag of the event loop, which delays everything that runs on it, such as kill switch and page.

import { spawn } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { environment } from "../../config/environment.ts";
import type { Vitals } from "../../watch/metrics/gauges.ts";
import { every, machineTimers } from "./system-timers.ts";

/** The sampling interval in milliseconds; each measured delay includes it. */
const RESOLUTION_MS = 20;
const NS_PER_MS = 1e6;
const MINUTE_MS = 60_000;

type Lag = Vitals["lag"];

/** Delays since the last reset, in nanoseconds. */
export type Delays = {
  readonly max: number;
  percentile(percent: number): number;
  reset(): void;
};

export interface EventLoopWatch {
  /** The worse of the last whole minute and the present one. */
  lag(): Lag;
  close(): void;
}

export function watchEventLoop(): EventLoopWatch {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  let last: Lag = { p50Ms: 0, p99Ms: 0, maxMs: 0 };
  const end = every(MINUTE_MS, () => {
    last = lagOf(delay);
    delay.reset();
  });
  return {
    lag: () => worse(last, lagOf(delay)),
    close() {
      end();
      delay.disable();
    },
  };
}

function lagOf(delays: Delays): Lag {
  const late = (ns: number): number => (Number.isFinite(ns) ? Math.max(0, ns / NS_PER_MS - RESOLUTION_MS) : 0);
  return { p50Ms: late(delays.percentile(50)), p99Ms: late(delays.percentile(99)), maxMs: late(delays.max) };
}

function worse(a: Lag, b: Lag): Lag {
  return {
    p50Ms: Math.max(a.p50Ms, b.p50Ms),
    p99Ms: Math.max(a.p99Ms, b.p99Ms),
    maxMs: Math.max(a.maxMs, b.maxMs),
  };
}

// systemd ends a service (WatchdogSec) that does not report in time. The runtime has no datagram sockets, so systemd's own program does.

/** Three times in the time that systemd gives; the returned function ends it. Without a watchdog of systemd it does nothing. */
export function notifySystemd(trouble: (line: string) => void): () => void {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, PATH } = environment();
  if (NOTIFY_SOCKET === undefined || !(Number(WATCHDOG_USEC) > 0)) return () => undefined;
  const report = (): void => {
    // It needs no more of the environment, which may have secrets.
    const child = spawn("systemd-notify", ["WATCHDOG=1"], { env: { NOTIFY_SOCKET, PATH }, stdio: "ignore" });
    child.on("error", (error) => trouble(`systemd-notify: ${error.message}: WatchdogSec will end this bot`));
    child.unref();
  };
  report();
  return every(Number(WATCHDOG_USEC) / 3_000, report, machineTimers);
}
