// When money that takes its time arrives. Whoever comes after the cut-off of a working day, or on another day, is served when
// the next working day opens; hours are UTC.

import { isHoliday } from "../../domain/holiday.ts";
import { DAY_MS, type Millis } from "../../domain/time.ts";

export type ServiceHours = {
  /** Minutes after midnight. */
  readonly opens: number;
  /** The same; undefined: it is served at any time of any day. */
  readonly cutOff: number | undefined;
  readonly settlementMs: number;
  /** Days beside weekends, Christmas and New Year on which nobody works, as 2026-12-28. */
  readonly holidays?: ReadonlySet<string>;
};

const MINUTE = 60_000;
const NONE: ReadonlySet<string> = new Set();

/** How long it takes from now until it arrives. */
export function arrivalMs({ opens, cutOff, settlementMs, holidays = NONE }: ServiceHours, now: Millis): number {
  if (cutOff === undefined) return settlementMs;
  const isWorkday = (midnight: number): boolean => isWeekday(midnight) && !isHoliday(midnight, holidays);
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const isInTime = isWorkday(midnight) && now < midnight + cutOff * MINUTE;
  if (isInTime) return Math.max(0, midnight + opens * MINUTE - now) + settlementMs;
  let next = midnight + DAY_MS;
  while (!isWorkday(next)) next += DAY_MS;
  return next + opens * MINUTE - now + settlementMs;
}

/** The first day of UNIX time was a Thursday. */
function isWeekday(midnight: number): boolean {
  const weekday = (midnight / DAY_MS + 4) % 7;
  return weekday !== 0 && weekday !== 6;
}
