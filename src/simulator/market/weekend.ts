// The hours in which the currency markets are closed: from Friday to Sunday, 17:00 in New York, which is 22:00 UTC, or
// 21:00 during daylight saving time.

import { newYorkBehindMs } from "../../domain/new-york.ts";
import { type Millis, millis } from "../../domain/time.ts";

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
/** 1970-01-02 was a Friday. */
const FIRST_CLOSE = 24 * HOUR + 17 * HOUR;
const CLOSED_MS = 48 * HOUR;
/** The bounds of New York's offset to UTC; outside the widest possible weekend the local time need not be computed. */
const BEHIND = { least: 4 * HOUR, most: 5 * HOUR } as const;

/** Every price checks this, mostly for the same weekend, so the last one is cached. */
let kept = { week: Number.NaN, close: 0, opens: 0 };

/** The Friday's close if `at` is in a weekend, otherwise undefined. */
export function closedSince(at: Millis): Millis | undefined {
  const week = Math.floor((at - FIRST_CLOSE - BEHIND.least) / WEEK);
  const into = at - FIRST_CLOSE - BEHIND.least - week * WEEK;
  if (!(into < CLOSED_MS + BEHIND.most - BEHIND.least)) return undefined;
  if (week !== kept.week) kept = weekend(week);
  return at >= kept.close && at < kept.opens ? millis(kept.close) : undefined;
}

/** Daylight saving time changes only on Sundays, hours before the markets open, so each end uses its own offset. */
function weekend(week: number): typeof kept {
  const friday = FIRST_CLOSE + week * WEEK;
  const sunday = friday + CLOSED_MS;
  return { week, close: inUtc(friday), opens: inUtc(sunday) };
}

function inUtc(local: number): number {
  return local + newYorkBehindMs(local + BEHIND.most);
}
