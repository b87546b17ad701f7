// The UTC day that daily limits count in. Days only go forward, so that no clock that steps or stutters opens one twice.

import type { Millis } from "../domain/time.ts";

const DAY_MS = 86_400_000;

/** Days since 1970. */
export function utcDay(at: Millis): number {
  return Math.floor(at / DAY_MS);
}

/** Our time, but never later than the venue was heard to say: a clock that runs ahead opens no day early. */
export function venueBounded(now: Millis, venueAt: Millis | undefined): Millis {
  return venueAt === undefined || now < venueAt ? now : venueAt;
}
