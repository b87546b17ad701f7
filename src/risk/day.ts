// The UTC day that daily limits count in. Days only go forward, so that no clock that steps or stutters opens one twice.

import { DAY_MS, type Millis } from "../domain/time.ts";

/** Days since 1970. */
export function utcDay(at: Millis): number {
  return Math.floor(at / DAY_MS);
}
