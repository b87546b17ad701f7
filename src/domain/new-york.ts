// New York time, which the week of the currency markets follows.

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** 1970-01-01 was a Thursday. */
const THURSDAY = 4;

/**
 * The lag behind UTC: summer time runs from the second Sunday of March to the first of November, and changes at 2:00
 * local time.
 */
export function newYorkBehindMs(now: number): number {
  const year = new Date(now).getUTCFullYear();
  const begins = sundayOf(year, 2, 2) + 7 * HOUR_MS;
  const ends = sundayOf(year, 10, 1) + 6 * HOUR_MS;
  return (now >= begins && now < ends ? 4 : 5) * HOUR_MS;
}

/** `day` counts from 1970; the result 0 is a Sunday. */
export function weekdayOf(day: number): number {
  return (((day + THURSDAY) % 7) + 7) % 7;
}

function sundayOf(year: number, month: number, nth: number): number {
  const first = Date.UTC(year, month, 1);
  const weekday = weekdayOf(first / DAY_MS);
  return first + (((7 - weekday) % 7) + (nth - 1) * 7) * DAY_MS;
}
