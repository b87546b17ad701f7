// When the currency markets sleep: from Friday to Sunday, 17:00 in New York, which is 22:00 UTC and in its summer 21:00.

import { newYorkBehindMs } from "../../domain/new-york.ts";
import { type Millis, millis } from "../../domain/time.ts";

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
/** 1970-01-02 was a Friday. */
const FIRST_CLOSE = 24 * HOUR + 17 * HOUR;
const CLOSED_MS = 48 * HOUR;
/** In UTC all weekends lie between these; outside of them the clock in New York does not matter. */
const BEHIND = { least: 4 * HOUR, most: 5 * HOUR } as const;

/** Every price asks, and mostly about the same weekend: the last one is kept. */
let kept = { week: Number.NaN, close: 0, opens: 0 };

/** The Friday's close if `at` lies in a weekend, else undefined. */
export function closedSince(at: Millis): Millis | undefined {
  const week = Math.floor((at - FIRST_CLOSE - BEHIND.least) / WEEK);
  const into = at - FIRST_CLOSE - BEHIND.least - week * WEEK;
  if (!(into < CLOSED_MS + BEHIND.most - BEHIND.least)) return undefined;
  if (week !== kept.week) kept = weekend(week);
  return at >= kept.close && at < kept.opens ? millis(kept.close) : undefined;
}

/** The clock changes on Sundays only, and hours before the markets open: each end by its own. */
function weekend(week: number): typeof kept {
  const friday = FIRST_CLOSE + week * WEEK;
  const sunday = friday + CLOSED_MS;
  return { week, close: inUtc(friday), opens: inUtc(sunday) };
}

function inUtc(local: number): number {
  return local + newYorkBehindMs(local + BEHIND.most);
}
