// A conversion at set times. A slot is one such time: what is converted for it is known by it in the journal, so that it is begun
// once, whatever restarts.

import { groupedText } from "../../domain/amount-text.ts";
import { isHoliday } from "../../domain/holiday.ts";
import { Money } from "../../domain/money/money.ts";
import { DAY_MS, type Millis, millis } from "../../domain/time.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { whyAsked } from "../approval/bounds.ts";
import { type ConversionTerms, conversionRecord, OWN, railWaysBetween } from "../approval/plan-content.ts";
import type { PlanLog } from "../approval/plan-log.ts";
import { assetOf, type HoldingName, stateOf } from "../plan/holding.ts";
import { waysOfNow } from "../plan/routes.ts";
import type { Hands, RebalancerParts } from "../rebalancer/parts.ts";
import { situationNow } from "../rebalancer/situation-now.ts";
import { mintFeeBpsMaxOf } from "../rebalancer/treasury-view.ts";
import { arrivalOf } from "./cost.ts";

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

/** `because`: why people are asked. A text: what it waits for. */
type Found = { readonly record: PlanRecord; readonly because: string | undefined } | string;

export function slotRecord(
  schedule: Schedule,
  slot: Millis,
  parts: RebalancerParts,
  log: PlanLog,
  hands: Hands,
): Found {
  const { from, to, costBpsMax, name, withinMs } = schedule;
  const { at } = hands.now;
  const { terms: settings, rules } = parts;
  const other = log.between(from, to, at);
  if (other !== undefined) return `the end of ${other.plan.id}`;
  const situation = situationNow(parts, hands, { isOwn: true, refused: log.refused(at) });
  const asset = assetOf(from);
  const amount =
    schedule.amount === undefined ? stateOf(from, situation.holdings).available : Money.of(schedule.amount, asset);
  if (amount.isZero()) return `${from}: nothing is available`;
  const { ways, dear, closed } = waysOfNow({ from, to, amount, isBuy: false, costBpsMax }, situation);
  const { steps = [] } = ways[0] ?? dear[0] ?? {};
  const { currency } = situation;
  const rate = situation.rates(asset);
  if (steps.length === 0 || rate === undefined)
    return `a way: none is open now${closed.map((one) => `; ${one.name}: ${one.reason}`).join("")}`;
  const value = asset === currency ? amount : amount.valued(rate, currency, "up");
  const because = whyAsked(steps, rules, log.unaskedToday(at), value);
  const by = millis(slot + withinMs);
  const terms: ConversionTerms = {
    ...{ from, to, amount: String(amount), isBuy: false, by, isPatient: true, leavesMax: String(amount), costBpsMax },
    ...{ mintFeeBpsMax: mintFeeBpsMaxOf(settings), rails: railWaysBetween(from, to, settings.rails) },
    slot: slotName(schedule, slot),
  };
  const known = { steps, cost: value.share(costBpsMax, "up"), arrival: arrivalOf(situation) };
  const persons = because === undefined ? 0 : rules.persons;
  const asked = because === undefined ? "" : `; people are asked because ${because}`;
  const why = `conversions.${name}: ${scheduleText(schedule)}${asked}`;
  return { record: conversionRecord(terms, known, { at, expiresAt: by, persons, by: OWN, why }), because };
}
