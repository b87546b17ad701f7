// When the currency markets sleep: from Friday to Sunday, 17:00 in New York, which is 22:00 UTC and in its summer 21:00.

import { newYorkBehindMs } from "../../domain/new-york.ts";
import { type Millis, millis } from "../../domain/time.ts";

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
/** 1970-01-02 was a Friday. */
const FIRST_CLOSE = 24 * HOUR + 17 * HOUR;
const CLOSED_MS = 48 * HOUR;
/** In UTC all weekends lie between these; most of the time nobody has to know the clock in New York. */
const BEHIND = { least: 4 * HOUR, most: 5 * HOUR } as const;

/** The Friday's close if `at` lies in a weekend, else undefined. */
export function closedSince(at: Millis): Millis | undefined {
  const into = (at - FIRST_CLOSE - BEHIND.least) % WEEK;
  if (!(into >= 0 && into < CLOSED_MS + BEHIND.most - BEHIND.least)) return undefined;
  const local = at - newYorkBehindMs(at);
  const since = (local - FIRST_CLOSE) % WEEK;
  if (!(since >= 0 && since < CLOSED_MS)) return undefined;
  // The clock changes on Sundays only: at the close it may have been another one than now.
  const close = local - since;
  return millis(close + newYorkBehindMs(close + BEHIND.most));
}
