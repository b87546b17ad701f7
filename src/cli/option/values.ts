// Values on the command line: numbers, durations, days and times. A time without an offset is UTC, whatever the
// machine's time zone; an impossible date is refused.

import { InvalidArgumentError } from "commander";
import { usageFailure } from "../../domain/command-failure.ts";
import type { Result } from "../../domain/result.ts";
import { type Millis, millis } from "../../domain/time.ts";

/** `otherwise`: a hint for larger values. */
export function wholeNumber(low: number, high = 10 ** 15 - 1, otherwise?: string): (text: string) => number {
  const range = high < 10 ** 15 - 1 ? `from ${low} to ${high}` : `from ${low}`;
  return (text) => {
    const value = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= low && value <= high))
      throw new InvalidArgumentError(
        `must be a whole number ${range}${otherwise === undefined ? "" : `; ${otherwise}`}`,
      );
    return value;
  };
}

/** Checked before anything is sent: the file is written when money has moved. */
export function profileName(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(text)) return text;
  throw new InvalidArgumentError("must be 1 to 40 of a-z, 0-9 and hyphens");
}

export const port = wholeNumber(0, 65_535);
export const seed = wholeNumber(0, 2 ** 31 - 1);
const DAYS_MAX = 3_660;
export const days = wholeNumber(1, DAYS_MAX, "--to ends at any moment");

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** The maximum of a timer. */
const WAIT_MS_MAX = 2 ** 31 - 1;

/** Formats: 500ms, 1s, 15m, 1h, 1d. */
export function duration(text: string): number {
  const match = /^([0-9]{1,9})(ms|s|m|h|d)$/.exec(text);
  const value = Number(match?.[1]) * (UNITS[match?.[2] ?? ""] ?? Number.NaN);
  if (value === 0) throw new InvalidArgumentError(`must be above zero, was ${text}`);
  if (!(value > 0))
    throw new InvalidArgumentError(`must look like 500ms, 1s, 15m, 1h or 1d, was ${text.slice(0, SHOWN_MAX)}`);
  return value;
}

/** The run time of a command. */
export function runDuration(text: string): number {
  const ms = duration(text);
  if (ms > WAIT_MS_MAX) throw new InvalidArgumentError(`must be at most 24 days, was ${text}`);
  return ms;
}

/** In the largest unit that leaves a whole number. */
export function durationFlag(ms: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, size]) => ms % size === 0) ?? ["ms", 1];
  return `${ms / size}${unit}`;
}

export function parsed<T>(parse: (text: string) => Result<T>): (text: string) => T {
  return (text) => {
    const result = parse(text);
    if (!result.ok) throw new InvalidArgumentError(result.error);
    return result.value;
  };
}

/** For a repeatable option. */
export function collected(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

/** Of a repeatable option, `name=value`, each name once. */
export function namedValues(flag: string, example: string, given: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const text of given) {
    const [, name = "__proto__", value = ""] = /^([A-Za-z_][A-Za-z0-9_]{0,63})=(.*)$/s.exec(text) ?? [];
    if (name === "__proto__") throw usageFailure(`${flag} must look like ${example}, was ${text.slice(0, SHOWN_MAX)}`);
    if (values.has(name)) throw usageFailure(`${flag} ${name} is there twice`);
    values.set(name, value);
  }
  return values;
}

const DAY = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const MOMENT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{3})?)?(Z|[+-][0-9]{2}:[0-9]{2})?$/;
/** The largest offset of civil time from UTC. */
const OFFSET_MAX = "14:00";
const FIRST = Date.UTC(1990, 0, 1);
const AFTER_LAST = Date.UTC(2090, 0, 1);
const SHOWN_MAX = 40;

export function moment(text: string): Millis {
  const [, zone] = MOMENT.exec(text) ?? [];
  const isFar = zone !== undefined && zone.slice(1) > OFFSET_MAX;
  const whole = DAY.test(text) ? `${text}T00:00Z` : MOMENT.test(text) && !isFar ? `${text}${zone ? "" : "Z"}` : "";
  return timeIn(
    whole,
    text,
    "2026-01-31, 2026-01-31T12:00 (both UTC), 2026-01-31T12:00:00Z or 2026-01-31T14:00:00+02:00",
  );
}

export function day(text: string): Millis {
  return timeIn(DAY.test(text) ? `${text}T00:00Z` : "", text, "2026-01-31 (UTC)");
}

/** From its first day to that of the next. */
export function month(text: string): { readonly from: Millis; readonly to: Millis } {
  const from = day(`${text}-01`);
  const date = new Date(from);
  return { from, to: millis(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)) };
}

/** The runtime reads the 30th of February as the 2nd of March, and 24:00 as the next day. */
function timeIn(whole: string, given: string, example: string): Millis {
  const [date = "", clock = ""] = whole.split("T");
  const midnight = Date.parse(`${date}T00:00Z`);
  const time = Date.parse(whole);
  const isThere = time >= FIRST && time < AFTER_LAST && new Date(midnight).toISOString().startsWith(date);
  if (!isThere || clock.startsWith("24"))
    throw new InvalidArgumentError(
      `must be a time from 1990 to 2089 such as ${example}, was ${given.slice(0, SHOWN_MAX)}`,
    );
  return millis(time);
}
