// A conversion at set times. A slot is one such time: what is converted for it is known by it in the journal, so that it is begun
// once, whatever restarts.

import { groupedText } from "../../domain/amount-text.ts";
import { isHoliday } from "../../domain/holiday.ts";
import { DAY_MS, type Millis, millis } from "../../domain/time.ts";
import type { HoldingName } from "../plan/holding.ts";

export type Schedule = {
  readonly name: string;
  readonly from: HoldingName;
  readonly to: HoldingName;
  /** Undefined: all that is available then. */
  readonly amount: string | undefined;
  readonly every: string;
  /** After midnight, UTC. */
  readonly atMs: number;
  readonly withinMs: number;
  readonly costBpsMax: number;
  readonly holidays: ReadonlySet<string>;
};

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

/** The first slot after this time. */
export function nextSlot(schedule: Schedule, after: Millis): Millis {
  const first = Math.floor(after / DAY_MS) * DAY_MS - REACH_DAYS * DAY_MS;
  const days = Array.from({ length: 3 * REACH_DAYS }, (_, i) => first + i * DAY_MS);
  const slots = days.filter((day) => isMeant(schedule, day)).map((day) => workdayFrom(schedule, day) + schedule.atMs);
  return millis(Math.min(...slots.filter((slot) => slot > after)));
}

/** The slot that may be begun now: the last one. */
export function dueSlot(schedule: Schedule, now: Millis): Millis | undefined {
  let due: Millis | undefined;
  for (let slot = millis(now - schedule.withinMs); ; due = slot) {
    slot = nextSlot(schedule, slot);
    if (slot > now) return due;
  }
}

/** By what is converted and when: a new name makes no new slot. */
export function slotName({ from, to }: Schedule, slot: Millis): string {
  return `${from} to ${to} at ${new Date(slot).toISOString()}`;
}

export function scheduleText({ from, to, amount, every, atMs }: Schedule): string {
  const what = amount === undefined ? `all ${from}` : `${groupedText(amount)} ${from}`;
  return `${what} to ${to} every ${every} ${new Date(atMs).toISOString().slice(11, 16)} UTC`;
}

export type Standing = {
  readonly name: string;
  readonly what: string;
  readonly next: Millis;
  readonly waitsFor?: string | undefined;
};

export function standingOf(
  schedules: readonly Schedule[],
  now: Millis,
  late: ReadonlyMap<string, string> = new Map(),
): readonly Standing[] {
  return schedules.map((one) => {
    const { name } = one;
    return { name, what: scheduleText(one), next: nextSlot(one, now), waitsFor: late.get(name) };
  });
}

/** More than the longest row of holidays. */
const REACH_DAYS = 14;

function isMeant({ every }: Schedule, midnight: number): boolean {
  const day = weekday(midnight);
  if (every === "weekday") return isWorkingWeekday(midnight);
  return every === "day" || DAYS[day] === every;
}

function workdayFrom({ holidays }: Schedule, midnight: number): number {
  if (!isHoliday(midnight, holidays)) return midnight;
  let next = midnight + DAY_MS;
  while (!isWorkingWeekday(next) || isHoliday(next, holidays)) next += DAY_MS;
  return next;
}

function isWorkingWeekday(midnight: number): boolean {
  return weekday(midnight) % 6 !== 0;
}

/** The first day of UNIX time was a Thursday. */
function weekday(midnight: number): number {
  return (midnight / DAY_MS + 4) % 7;
}
