// How long money takes: a log-normal time around the median, within bounds, on the settlement clock.

import { type Millis, millis } from "../domain/time.ts";
import type { Chance } from "./chance.ts";
import type { VenueSettings } from "./settings.ts";

export function settlesAt(chance: Chance, settings: VenueSettings, from: Millis): Millis {
  const { medianMs, sigma, minMs, maxMs } = settings.settlement;
  const takes = medianMs * Math.exp(sigma * chance.normal("settlement"));
  return millis(from + Math.round(Math.min(maxMs, Math.max(minMs, takes))));
}

/** The earliest time at which one of these may settle; what is held waits for a person. */
export function nextSettlement(rows: Iterable<{ readonly status: string; readonly settlesAt: Millis }>): number {
  let due = Number.POSITIVE_INFINITY;
  for (const row of rows) if (row.status === "pending") due = Math.min(due, row.settlesAt);
  return due;
}
