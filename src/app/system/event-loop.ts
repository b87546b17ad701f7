// Seam: the lag of the event loop, which delays everything that runs on it, such as kill switch and page. It reports
// the worst of the last minute; reading it does not reset it.

import { spawn } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { environment } from "../../config/environment.ts";
import type { Timers } from "../../domain/time.ts";
import type { Vitals } from "../../watch/metrics/gauges.ts";
import { every, machineTimers, systemTimers } from "./system-timers.ts";

/** The sampling interval in milliseconds; each measured delay includes it. */
const RESOLUTION_MS = 20;
const NS_PER_MS = 1e6;
/** Short, so that one long delay is more than a hundredth of the samples of its slice: 4 s of 5 leave 50 samples. */
const SLICE_MS = 5000;
const SLICES = 12;

type Lag = Vitals["lag"];

/** Delays since the last reset, in nanoseconds. */
export type Delays = {
  readonly max: number;
  percentile(percent: number): number;
  reset(): void;
};

export interface EventLoopWatch {
  /** The worst slice of 5 seconds in the last minute. */
  lag(): Lag;
  close(): void;
}

export function watchEventLoop(): EventLoopWatch {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const worst = worstOfMinute(delay, systemTimers);
  return {
    lag: worst.lag,
    close() {
      worst.close();
      delay.disable();
    },
  };
}

export function worstOfMinute(delays: Delays, timers: Timers): EventLoopWatch {
  const slices: Lag[] = [];
  const end = every(
    SLICE_MS,
    () => {
      slices.push(lagOf(delays));
      if (slices.length > SLICES) slices.shift();
      delays.reset();
    },
    timers,
  );
  return { lag: () => slices.reduce(worse, lagOf(delays)), close: end };
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
