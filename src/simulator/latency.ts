// How long a request is on its way to the venue and its answer on the way back: log-normal around a median, within bounds.
// Counted in 1,024ths of a millisecond, which doubles add without error, so that adding the same parts in another
// order comes to the same time.

import type { Random } from "../domain/random.ts";

export type Trip = { readonly thereMs: number; readonly backMs: number };

/** One for each request, drawn when it leaves. */
export type Latency = () => Trip;

export type LatencySettings = {
  readonly medianMs: number;
  readonly sigma: number;
  readonly minMs: number;
  readonly maxMs: number;
};

/** One way between two European data centres over the public internet, with a tail. */
const latencyDefaults: LatencySettings = { medianMs: 25, sigma: 0.4, minMs: 5, maxMs: 2_000 };

export function createLatency(random: Random, settings: Partial<LatencySettings> = {}): Latency {
  const { medianMs, sigma, minMs, maxMs } = { ...latencyDefaults, ...settings };
  const draw = (): number => {
    const ms = medianMs * Math.exp(sigma * random.normal());
    return Math.round(Math.min(maxMs, Math.max(minMs, ms)) * 1_024) / 1_024;
  };
  return () => ({ thereMs: draw(), backMs: draw() });
}
