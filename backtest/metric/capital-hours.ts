// How much money was on its way and for how long: capital that could not trade while mints and rails settled.
// Formula: integral over time of sum(in flight * rate), in currency hours; amounts from departure to arrival, each rate from sample to sample

import type { RunRecord } from "../record/run-record.ts";
import { type Figure, known, notAvailable } from "./basis/figure.ts";

export function capitalHours({ samples, settlements }: RunRecord): Figure<number> {
  if (settlements === undefined) return notAvailable("the run has no treasury");
  let sum = 0;
  for (let row = 0; row + 1 < samples.length; row++) {
    const hours = ((samples.time[row + 1] as number) - (samples.time[row] as number)) / 3_600_000;
    for (const { inFlight, rate } of samples.assets) {
      const amount = inFlight[row] as number;
      if (amount > 0) sum += amount * (rate[row] as number) * hours;
    }
  }
  return Number.isNaN(sum) ? notAvailable("something in flight had no rate") : known(sum);
}
