// The UTC day that daily limits count in. Days only go forward, so that no clock that steps or stutters opens one twice.

import type { Millis } from "../domain/time.ts";

const DAY_MS = 86_400_000;

/** Days since 1970. */
export function utcDay(at: Millis): number {
  return Math.floor(at / DAY_MS);
}
