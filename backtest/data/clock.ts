// Times of a file as UTC milliseconds: numbers of a declared unit, instants, or text. Text that names no zone needs a
// declared one: UTC, or a fixed offset such as UTC-5.

import { err, ok, type Result } from "../../src/domain/result.ts";

export type Zone = { readonly name: string; readonly offsetMs: number };

const FIXED = /^UTC(?:([+-])([0-9]{1,2})(?::([0-9]{2}))?)?$/;
const MINUTE = 60_000;
const OFFSET_MINUTES_MAX = 14 * 60;

export function parseZone(name: string): Result<Zone> {
  const [is, sign, hours, minutes] = FIXED.exec(name) ?? [];
  const offset = is === undefined ? Number.NaN : minutesOf(sign, hours, minutes);
  return Number.isNaN(offset)
    ? err(
        `a time zone must be UTC, or an offset within 14 hours such as UTC-5, was "${name}"; docs/guides/data.md converts others`,
      )
    : ok({ name, offsetMs: offset * MINUTE });
}

/** NaN for an offset that no clock has. */
function minutesOf(sign: string | undefined, hours = "0", minutes = "0"): number {
  const offset = Number(hours) * 60 + Number(minutes);
  return offset <= OFFSET_MINUTES_MAX && Number(minutes) <= 59 ? offset * (sign === "-" ? -1 : 1) : Number.NaN;
}

/** Units of numeric times since 1970. */
export const TIME_UNITS = { s: 1_000, ms: 1, us: 1e-3, ns: 1e-6 } as const;
export type TimeUnit = keyof typeof TIME_UNITS;

const TEXT =
  /^([0-9]{4})[-./]([0-9]{2})[-./]([0-9]{2})(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?)?(?: ?(?:(Z|UTC)|([+-])([0-9]{2}):?([0-9]{2})?))?$/;

/** Undefined where the text is no time. */
export function textTime(text: string): { readonly time: number; readonly hasZone: boolean } | undefined {
  const [whole, year, month, day, hour = 0, minute = 0, second = 0, fraction = "", utc, sign, hours, minutes] =
    TEXT.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const midnight = Date.UTC(Number(year), Number(month) - 1, Number(day));
  const isDay = Number(month) <= 12 && new Date(midnight).getUTCDate() === Number(day);
  if (!isDay || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = sign === undefined ? 0 : minutesOf(sign, hours, minutes);
  if (Number.isNaN(offset)) return undefined;
  const ofDay = (Number(hour) * 60 + Number(minute) - offset) * MINUTE + Number(second) * 1_000;
  const hasZone = utc !== undefined || sign !== undefined;
  return { time: midnight + ofDay + Math.floor(Number(`0.${fraction}0`) * 1_000), hasZone };
}
