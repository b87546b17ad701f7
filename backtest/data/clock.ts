// Times of a file as UTC milliseconds: numbers of a declared unit, instants, or text. Text that names no zone needs a
// declared one: UTC, a fixed offset such as UTC-5, or a name such as Europe/Zurich with its clock changes.

import { err, ok, type Result } from "../../src/domain/result.ts";
import { DAY_MS } from "../../src/domain/time.ts";

export interface Zone {
  readonly name: string;
  /** UTC of a local time given as if it were UTC; NaN where the clock skips it or shows it twice. */
  toUtc(local: number): number;
}

const FIXED = /^UTC(?:([+-])([0-9]{1,2})(?::([0-9]{2}))?)?$/;
const RULE = "a time zone must be UTC, an offset such as UTC-5, or a name such as Europe/Zurich";
const MINUTE = 60_000;
const OFFSET_MINUTES_MAX = 14 * 60;

export function parseZone(name: string): Result<Zone> {
  const fixed = FIXED.exec(name);
  if (fixed !== null) {
    const offset = minutesOf(fixed[1], fixed[2], fixed[3]);
    if (Number.isNaN(offset)) return err(`an offset must lie within 14 hours of UTC, was ${name}`);
    return ok({ name, toUtc: (local) => local - offset * MINUTE });
  }
  // Short names mean several zones, and the runtime picks one of them: BST for Bangladesh, AST for Alaska.
  if (!name.includes("/")) return err(`${RULE}, was "${name}"`);
  try {
    return ok(namedZone(name));
  } catch {
    return err(`${RULE}, was "${name}"`);
  }
}

/** NaN for an offset that no clock has. */
function minutesOf(sign: string | undefined, hours = "0", minutes = "0"): number {
  const offset = Number(hours) * 60 + Number(minutes);
  return offset <= OFFSET_MINUTES_MAX && Number(minutes) <= 59 ? offset * (sign === "-" ? -1 : 1) : Number.NaN;
}

function namedZone(name: string): Zone {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  const offsetAt = (utc: number): number => {
    const part = format.formatToParts(utc).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes] = /^GMT(?:([+-])([0-9]{2}):([0-9]{2}))?/.exec(part) ?? [];
    return minutesOf(sign, hours, minutes) * MINUTE;
  };
  // Clocks change at full quarters of an hour: the offset at the start of a quarter holds for all of it.
  let [quarter, offset] = [Number.NaN, Number.NaN];
  return {
    name,
    toUtc(local) {
      const start = Math.floor(local / (15 * MINUTE));
      if (start !== quarter) {
        const at = start * 15 * MINUTE;
        const around = new Set([offsetAt(at - DAY_MS), offsetAt(at + DAY_MS)]);
        const valid = [...around].filter((one) => offsetAt(at - one) === one);
        quarter = start;
        offset = valid.length === 1 ? (valid[0] as number) : Number.NaN;
      }
      return local - offset;
    },
  };
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
