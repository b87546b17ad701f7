// The travel time of a request to the venue and of its answer back: log-normal around a median, within bounds. Rounded
// to 1,024ths of a millisecond, which doubles add without error, so that the sum does not depend on the order of
// addition.

import type { Random } from "../domain/random.ts";

export type Trip = { readonly thereMs: number; readonly backMs: number };

/** Drawn once per request, when it leaves. */
export type Latency = () => Trip;

/** One way between two European data centres over the public internet, with a long tail. */
const latencyDefaults = {
  ...{ medianMs: 25, sigma: 0.4, minMs: 5, maxMs: 2_000 },
  /** The share of requests whose way there takes from `slowMinMs` to `slowMaxMs` longer. */
  ...{ slowShare: 0, slowMinMs: 1_000, slowMaxMs: 10_000 },
};

export type LatencySettings = Readonly<typeof latencyDefaults>;

export function createLatency(random: Random, settings: Partial<LatencySettings> = {}): Latency {
  const { medianMs, sigma, minMs, maxMs, slowShare, slowMinMs, slowMaxMs } = { ...latencyDefaults, ...settings };
  const draw = (): number => {
    const ms = medianMs * Math.exp(sigma * random.normal());
    return Math.round(Math.min(maxMs, Math.max(minMs, ms)) * 1_024) / 1_024;
  };
  const slowMs = (): number =>
    slowShare > 0 && random.next() < slowShare ? Math.floor(slowMinMs + (slowMaxMs - slowMinMs) * random.next()) : 0;
  return () => ({ thereMs: draw() + slowMs(), backMs: draw() });
}
