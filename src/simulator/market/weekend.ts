// When the currency markets sleep: from Friday 22:00 to Sunday 22:00 UTC.

import { type Millis, millis } from "../../domain/time.ts";

const HOUR = 3_600_000;
const WEEK = 7 * 24 * HOUR;
/** 1970-01-02 was a Friday. */
const FIRST_CLOSE = 24 * HOUR + 22 * HOUR;
const CLOSED_MS = 48 * HOUR;

/** The Friday's close if `at` lies in a weekend, else undefined. */
export function closedSince(at: Millis): Millis | undefined {
  const into = (at - FIRST_CLOSE) % WEEK;
  return into >= 0 && into < CLOSED_MS ? millis(at - into) : undefined;
}
