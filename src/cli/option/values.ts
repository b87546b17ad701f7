// Values that a person gives on the command line: numbers, durations, days and times. A time without an offset is UTC, whatever
// the machine's time zone is; a date that no calendar has is refused.

import { InvalidArgumentError } from "commander";
import type { Result } from "../../domain/result.ts";
import { type Millis, millis } from "../../domain/time.ts";

/** `otherwise`: what takes more than that. */
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

export const port = wholeNumber(0, 65_535);

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** A timer cannot wait longer. */
const WAIT_MS_MAX = 2 ** 31 - 1;

/** 500ms, 1s, 15m, 1h, 1d. */
export function duration(text: string): number {
  const match = /^([0-9]{1,9})(ms|s|m|h|d)$/.exec(text);
  const value = Number(match?.[1]) * (UNITS[match?.[2] ?? ""] ?? Number.NaN);
  if (value === 0) throw new InvalidArgumentError(`must be above zero, was ${text}`);
  if (!(value > 0))
    throw new InvalidArgumentError(`must look like 500ms, 1s, 15m, 1h or 1d, was ${text.slice(0, SHOWN_MAX)}`);
  return value;
}

/** How long a command runs. */
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

/** Of an option that may be repeated. */
export function collected(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

const DAY = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
const MOMENT =
  /^([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{3}))?)?(?:Z|([+-])([0-9]{2}):([0-9]{2}))?$/;
/** Civil time is nowhere further from UTC. */
const OFFSET_MINUTES_MAX = 14 * 60;
const MINUTE_MS = 60_000;
const FIRST = Date.UTC(1990, 0, 1);
const AFTER_LAST = Date.UTC(2090, 0, 1);
const SHOWN_MAX = 40;

export function moment(text: string): Millis {
  const time = timeOf(DAY.exec(text) ?? MOMENT.exec(text));
  if (time === undefined || time < FIRST || time >= AFTER_LAST)
    throw new InvalidArgumentError(
      `must be a time from 1990 to 2089 such as 2026-01-31, 2026-01-31T12:00 (both UTC), 2026-01-31T12:00:00Z or 2026-01-31T14:00:00+02:00, was ${text.slice(0, SHOWN_MAX)}`,
    );
  return millis(time);
}

export function day(text: string): Millis {
  const time = timeOf(DAY.exec(text));
  if (time === undefined || time < FIRST || time >= AFTER_LAST)
    throw new InvalidArgumentError(
      `must be a day from 1990 to 2089 (UTC) such as 2026-01-31, was ${text.slice(0, SHOWN_MAX)}`,
    );
  return millis(time);
}

function timeOf(match: RegExpExecArray | null): number | undefined {
  if (match === null) return undefined;
  const part = (at: number): number => Number(match[at] ?? 0);
  const fields = [part(1), part(2) - 1, part(3), part(4), part(5), part(6), part(7)] as const;
  const local = Date.UTC(...fields);
  const read = new Date(local);
  const isThere =
    read.getUTCFullYear() === fields[0] &&
    read.getUTCMonth() === fields[1] &&
    read.getUTCDate() === fields[2] &&
    fields[3] < 24 &&
    fields[4] < 60 &&
    fields[5] < 60;
  const offset = part(9) * 60 + part(10);
  if (!isThere || part(10) >= 60 || offset > OFFSET_MINUTES_MAX) return undefined;
  return local - (match[8] === "-" ? -offset : offset) * MINUTE_MS;
}
