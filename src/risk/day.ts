// The UTC day of the daily limits. Days only advance, so that a clock that steps back opens none twice.

import { DAY_MS, type Millis } from "../domain/time.ts";

/** Days since 1970. */
export function utcDay(at: Millis): number {
  return Math.floor(at / DAY_MS);
}
