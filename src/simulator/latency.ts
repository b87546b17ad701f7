// How long a request is on its way to the venue and its answer on the way back: log-normal around a median, within bounds.
// Counted in 1,024ths of a millisecond, which doubles add without error, so that whoever adds the same parts in another
// order comes to the same time.

import type { Random } from "../domain/random.ts";

export type Trip = { readonly thereMs: number; readonly backMs: number };

/** One for each request, drawn when it leaves; good until the next is drawn. */
export type Latency = () => Trip;

export type LatencySettings = {
  readonly medianMs: number;
  readonly sigma: number;
  readonly minMs: number;
  readonly maxMs: number;
};

/** One way between two European data centres over the public internet, with a tail. */
const latencyDefaults: LatencySettings = { medianMs: 25, sigma: 0.4, minMs: 5, maxMs: 2_000 };

/** So many are drawn at a time, which costs a fraction of drawing each when it is needed: ways there and back in turn. */
const DRAWN = 128;

/** The stream is drawn ahead: nobody else may draw from it. */
export function createLatency(random: Random, settings: Partial<LatencySettings> = {}): Latency {
  const { medianMs, sigma, minMs, maxMs } = { ...latencyDefaults, ...settings };
  const drawn = new Float64Array(DRAWN);
  const trip = { thereMs: 0.5, backMs: 0.5 };
  let next = DRAWN;
  const drawAgain = (): void => {
    for (let i = 0; i < DRAWN; i++) {
      const ms = medianMs * Math.exp(sigma * random.normal());
      drawn[i] = Math.round(Math.min(maxMs, Math.max(minMs, ms)) * 1_024) / 1_024;
    }
    next = 0;
  };
  return () => {
    if (next === DRAWN) drawAgain();
    trip.thereMs = drawn[next++] as number;
    trip.backMs = drawn[next++] as number;
    return trip;
  };
}
