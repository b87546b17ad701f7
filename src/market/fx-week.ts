// The opening hours of the currency markets: from Sunday to Friday, 17:00 in New York, except their two holidays. The
// answer is cached per hour, so that fair value can check it at every event.

import { isHoliday } from "../domain/holiday.ts";
import { newYorkBehindMs, weekdayOf } from "../domain/new-york.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const [SUNDAY, SATURDAY] = [0, 6];
const CLOSING_HOUR = 17;

export class FxWeek {
  readonly #holidays: ReadonlySet<string>;
  #isClosed = false;
  #from = Number.POSITIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;

  /** Dates such as 2026-12-28 on which the markets are closed, in addition to the usual two. */
  constructor(holidays: readonly string[] = []) {
    this.#holidays = new Set(holidays);
  }

  isClosed(now: number): boolean {
    if (!(now >= this.#from && now < this.#until)) this.#lookUp(now);
    return this.#isClosed;
  }

  /** The state changes only at full hours. */
  #lookUp(now: number): void {
    if (!Number.isFinite(now)) return;
    this.#from = Math.floor(now / HOUR_MS) * HOUR_MS;
    this.#until = this.#from + HOUR_MS;
    this.#isClosed = this.#isClosedAt(now);
  }

  #isClosedAt(now: number): boolean {
    const local = now - newYorkBehindMs(now);
    // A trading day begins at 17:00 on the evening before.
    const day = Math.floor((local + (24 - CLOSING_HOUR) * HOUR_MS) / DAY_MS);
    const weekday = weekdayOf(day);
    if (weekday === SATURDAY || weekday === SUNDAY) return true;
    return isHoliday(day * DAY_MS, this.#holidays);
  }
}
