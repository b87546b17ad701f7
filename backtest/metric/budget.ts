// Figures of the request budget and of settlement.

import type { WantClass } from "../../src/exchange/port.ts";
import { type RunRecord, SLOT_CLASSES, type Slots } from "../record/run-record.ts";
import { enough, type Figure, known, mapFigure, notAvailable } from "./figure.ts";
import { profitOverHolding } from "./profit.ts";

export type SlotsUsed = {
  readonly total: number;
  readonly byClass: Readonly<Record<WantClass, number>>;
  /** A part of one; undefined for a run without length. */
  readonly utilisation: number | undefined;
  /** Where another waited: how often which went before which, the most frequent first. */
  readonly contested: readonly Contest[];
};

export type Contest = { readonly went: WantClass; readonly before: WantClass; readonly times: number };

/**
 * What the requests were spent on, and how much of the budget was used at all.
 * Formula: requests by class; all requests / (length of the run / pace); of two that waited, how often which went first
 */
export function slotsUsed({ slots, settings }: Pick<RunRecord, "slots" | "settings">): Figure<SlotsUsed> {
  if (slots === undefined) return notAvailable("requests were not counted");
  const sums = new Float64Array(SLOT_CLASSES.length);
  for (let cell = 0; cell < slots.counts.length; )
    for (let index = 0; index < sums.length; index++, cell++)
      sums[index] = (sums[index] as number) + (slots.counts[cell] as number);
  const byClass = Object.fromEntries(SLOT_CLASSES.map((name, index) => [name, sums[index]])) as Record<
    WantClass,
    number
  >;
  const total = sums.reduce((sum, count) => sum + count, 0);
  const spanMs = settings.to - settings.from;
  const utilisation = spanMs > 0 ? (total * slots.paceMs) / spanMs : undefined;
  return known({ total, byClass, utilisation, contested: contestsOf(slots.contested ?? NONE) });
}

const NONE = new Uint32Array(0);

function contestsOf(counts: Uint32Array): readonly Contest[] {
  const width = SLOT_CLASSES.length;
  const contests = Array.from(counts, (times, cell) => ({
    went: SLOT_CLASSES[Math.floor(cell / width)] as WantClass,
    before: SLOT_CLASSES[cell % width] as WantClass,
    times,
  }));
  return contests.filter(({ times }) => times > 0).sort((one, other) => other.times - one.times);
}

/**
 * What a request earned on average, whatever it was spent on, from when all that was held had a worth: the second is the scarce
 * thing here, and before that there is no profit to divide.
 * Formula: profit over holding / requests since the books opened, to the minute
 */
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

/**
 * How much money was on its way and for how long: capital that could not trade while mints and rails settled.
 * Formula: integral over time of sum(in flight * rate), in currency hours; amounts from departure to arrival, each rate from sample to sample
 */
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
