// Local time to UTC. A zone is declared, never guessed: UTC, a fixed offset such as UTC-5, or a name such as Europe/Zurich
// whose clock changes are honoured: an hour that does not exist is refused, one that comes twice is told apart by the order
// of rows.

import { err, ok, type Result } from "../../src/domain/result.ts";

export interface Zone {
  readonly name: string;
  /** UTC milliseconds of a local time given as if it were UTC; NaN where the clock leapt over it. `after` is the row above. */
  toUtc(local: number, after: number): number;
}

const FIXED = /^UTC(?:([+-])([0-9]{1,2})(?::([0-9]{2}))?)?$/;
const HOUR = 3_600_000;
const QUARTER = HOUR / 4;
const DAY = 24 * HOUR;

export const UTC: Zone = { name: "UTC", toUtc: (local) => local };
/** New York's winter time, kept all year. */
export const UTC_MINUS_5: Zone = { name: "UTC-5", toUtc: (local) => local + 5 * HOUR };

export function parseZone(text: string): Result<Zone> {
  const fixed = FIXED.exec(text);
  if (fixed) return fixedZone(text, fixed);
  try {
    return ok(namedZone(text));
  } catch {
    return err(`a time zone must be UTC, an offset such as UTC-5, or a name such as Europe/Zurich, was "${text}"`);
  }
}

function fixedZone(name: string, [, sign, hours = "0", minutes = "0"]: RegExpExecArray): Result<Zone> {
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * 60_000);
  if (Math.abs(offset) > 14 * HOUR || Number(minutes) > 59)
    return err(`an offset must lie within 14 hours of UTC, was ${name}`);
  return ok({ name, toUtc: (local) => local - offset });
}

function namedZone(name: string): Zone {
  const offsetAt = offsets(name);
  let quarter = Number.NaN;
  let early = 0;
  let late = 0;
  return {
    name,
    toUtc(local, after) {
      // Clocks change at full quarters of an hour: what holds at the start of one holds in all of it.
      const start = Math.floor(local / QUARTER) * QUARTER;
      if (start !== quarter) {
        [early, late] = candidates(start, offsetAt);
        quarter = start;
      }
      const first = local - early;
      return first < after && late !== early ? local - late : first;
    },
  };
}

/** The offsets under which this local time exists, the one that gives the earlier UTC first; NaN twice when there is none. */
function candidates(local: number, offsetAt: (utc: number) => number): [number, number] {
  const around = new Set([offsetAt(local - DAY), offsetAt(local + DAY)]);
  const valid = [...around].filter((offset) => offsetAt(local - offset) === offset).sort((a, b) => b - a);
  const [early = Number.NaN, late = early] = valid;
  return [early, late];
}

function offsets(name: string): (utc: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  return (utc) => {
    const part = format.formatToParts(utc).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const match = /^GMT(?:([+-])([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?)?$/.exec(part);
    const [, sign, hours = "0", minutes = "0", seconds = "0"] = match ?? [];
    const size = Number(hours) * HOUR + Number(minutes) * 60_000 + Number(seconds) * 1_000;
    return sign === "-" ? -size : size;
  };
}
