// What a request earned on average, whatever it was spent on, from when all that was held had a worth: the second is the scarce
// thing here, and before that there is no profit to divide.
// Formula: profit over holding / requests since the books opened, to the minute

import { type RunRecord, SLOT_CLASSES, type Slots } from "../record/run-record.ts";
import { enough, type Figure, known, mapFigure, notAvailable } from "./basis/figure.ts";
import { profitOverHolding } from "./profit-over-holding.ts";

export function profitPerRequest(record: RunRecord): Figure<number> {
  const { slots, samples } = record;
  if (slots === undefined) return notAvailable("requests were not counted");
  const opened = samples.equity.findIndex((worth) => !Number.isNaN(worth));
  const requests = requestsFrom(slots, samples.time[opened] ?? slots.from);
  return (
    enough(requests, "requests", 1) ??
    mapFigure(profitOverHolding(record), (profit) => known(profit.toNumber() / requests))
  );
}

/** That of the whole bucket in which it began. */
function requestsFrom({ from, bucketMs, counts }: Slots, at: number): number {
  const bucket = Math.max(0, Math.floor((at - from) / bucketMs));
  return counts.subarray(bucket * SLOT_CLASSES.length).reduce((sum, count) => sum + count, 0);
}
