// What the requests were spent on, and how much of the budget was used at all.
// Formula: requests by class; all requests / (length of the run / pace); of two that waited, how often which went first

import type { WantClass } from "../../src/exchange/port.ts";
import { type RunRecord, SLOT_CLASSES } from "../record/run-record.ts";
import { type Figure, known, notAvailable } from "./basis/figure.ts";

export type SlotsUsed = {
  readonly total: number;
  readonly byClass: Readonly<Record<WantClass, number>>;
  /** A part of one; undefined for a run without length. */
  readonly utilisation: number | undefined;
  /** Where another waited: how often which went before which, the most frequent first. */
  readonly contested: readonly Contest[];
};

export type Contest = { readonly went: WantClass; readonly before: WantClass; readonly times: number };

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
