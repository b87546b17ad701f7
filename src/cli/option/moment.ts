// Times that a person gives on the command line: a day, or a time with `Z`, an offset from UTC, or neither. What says no
// offset is UTC, whatever the machine's time zone is, and what no calendar has is refused.

import { InvalidArgumentError } from "commander";
import { type Millis, millis } from "../../domain/time.ts";

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
