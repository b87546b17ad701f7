// Seam: how late the event loop is. What waits for it, a kill switch or the page, waits as long.

import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Vitals } from "../telemetry/look.ts";

/** How often it is looked at, in milliseconds; so much of each delay is the looking itself. */
const RESOLUTION_MS = 20;
const NS_PER_MS = 1e6;

export interface EventLoopWatch {
  /** Since the last time this was asked. */
  lag(): Vitals["lag"];
  close(): void;
}

export function watchEventLoop(): EventLoopWatch {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  return {
    lag() {
      const late = (ns: number): number => (Number.isFinite(ns) ? Math.max(0, ns / NS_PER_MS - RESOLUTION_MS) : 0);
      const lag = { p50Ms: late(delay.percentile(50)), p99Ms: late(delay.percentile(99)), maxMs: late(delay.max) };
      delay.reset();
      return lag;
    },
    close: () => void delay.disable(),
  };
}
