// Parses times written as text from bytes: 2026-01-31T12:30:05.123Z, 2026-01-31 12:30, 2026.01.31 12:30:05, 31.01.2026
// 12:30:05, 20260131 123005, 20260131 123005123, with a zone (Z, UTC, +01:00, +01, GMT+0100) or without one.

import { DAY_MS } from "../../../src/domain/time.ts";

/** For refusal messages. */
export const TIME_FORMS =
  "2026-01-31T12:30:05.123Z, 2026-01-31 12:30, 31.01.2026 12:30:05, 20260131 123005, or a number";

const ZERO = 48;
const POINT = 46;
const MINUTE = 60_000;
/** The largest UTC offset of any clock. */
const OFFSET_MINUTES_MAX = 14 * 60;

/** Byte range of a field: its start, and the byte after its end. */
export type Span = { readonly start: number; readonly end: number };

export class TextTime {
  /** Whether the last time parsed included a zone. */
  hasZone = false;
  private date = Number.NaN;
  private midnight = 0;
  private at = 0;

  /** Milliseconds as if local time were UTC, or true UTC when the text has a zone; NaN when the text is not a time. */
  read(bytes: Uint8Array, start: number, end: number): number {
    const midnight = this.day(bytes, start);
    if (this.at === end) return midnight;
    const gap = bytes[this.at];
    return gap === 32 || gap === 84 ? midnight + this.clock(bytes, this.at + 1, end) : Number.NaN;
  }

  /** The same for a date and a time of day in separate fields. */
  readParted(bytes: Uint8Array, date: Span, timeOfDay: Span): number {
    const midnight = this.day(bytes, date.start);
    return this.at === date.end ? midnight + this.clock(bytes, timeOfDay.start, timeOfDay.end) : Number.NaN;
  }

  private day(bytes: Uint8Array, start: number): number {
    this.at = start;
    this.hasZone = false;
    // The day comes first only where points separate the parts: with other separators some files put the month there.
    return bytes[start + 2] === POINT ? this.dayFirst(bytes) : this.yearFirst(bytes);
  }

  /** Since midnight, in UTC where the text names a zone. */
  private clock(bytes: Uint8Array, start: number, end: number): number {
    this.at = start;
    const time = this.timeOfDay(bytes, end);
    const offset = this.offset(bytes, end);
    return this.at === end ? time - offset : Number.NaN;
  }

  private yearFirst(bytes: Uint8Array): number {
    const year = this.digits(bytes, 4);
    const separator = bytes[this.at] as number;
    const isSeparated = separator === 45 || separator === POINT || separator === 47;
    if (isSeparated) this.at++;
    const month = this.digits(bytes, 2);
    if (isSeparated && bytes[this.at++] !== separator) return Number.NaN;
    return this.midnightOf(year, month, this.digits(bytes, 2));
  }

  private dayFirst(bytes: Uint8Array): number {
    const day = this.digits(bytes, 2);
    this.at++;
    const month = this.digits(bytes, 2);
    if (bytes[this.at++] !== POINT) return Number.NaN;
    return this.midnightOf(this.digits(bytes, 4), month, day);
  }

  private timeOfDay(bytes: Uint8Array, end: number): number {
    const hour = this.digits(bytes, 2);
    const hasColons = bytes[this.at] === 58;
    if (hasColons) this.at++;
    const minute = this.digits(bytes, 2);
    let second = 0;
    let fraction = 0;
    if (hasColons ? bytes[this.at] === 58 : this.at < end && isDigit(bytes[this.at])) {
      if (hasColons) this.at++;
      second = this.digits(bytes, 2);
      if (bytes[this.at] === POINT) {
        this.at++;
        fraction = this.fraction(bytes, end);
      } else if (!hasColons && this.at < end) fraction = this.digits(bytes, 3);
    }
    if (!(hour <= 23 && minute <= 59 && second <= 59)) return Number.NaN;
    return (hour * 60 + minute) * MINUTE + second * 1_000 + fraction;
  }

  /** Digits after the third are below a millisecond and are dropped. */
  private fraction(bytes: Uint8Array, end: number): number {
    let value = 0;
    let digits = 0;
    for (; this.at < end && isDigit(bytes[this.at]); this.at++, digits++)
      if (digits < 3) value = value * 10 + (bytes[this.at] as number) - ZERO;
    return digits === 0 ? Number.NaN : value * 10 ** Math.max(0, 3 - digits);
  }

  private offset(bytes: Uint8Array, end: number): number {
    if (isNamed(GMT, bytes, this.at) || isNamed(UTC, bytes, this.at)) {
      this.at += GMT.length;
      this.hasZone = true;
    }
    const sign = bytes[this.at];
    if (this.at >= end || (sign !== 90 && sign !== 43 && sign !== 45)) return 0;
    this.hasZone = true;
    this.at++;
    if (sign === 90) return 0;
    const hours = this.digits(bytes, 2);
    if (this.at + 1 < end && bytes[this.at] === 58) this.at++;
    // Databases write whole-hour offsets without minutes.
    const minutes = this.at === end ? 0 : this.digits(bytes, 2);
    const offset = hours * 60 + minutes;
    return offset <= OFFSET_MINUTES_MAX && minutes <= 59 ? (sign === 45 ? -1 : 1) * offset * MINUTE : Number.NaN;
  }

  /** NaN for a day that does not exist. Rows of one day follow each other, so the last day is cached. */
  private midnightOf(year: number, month: number, day: number): number {
    const date = year * 10_000 + month * 100 + day;
    if (date === this.date) return this.midnight;
    const midnight = Date.UTC(year, month - 1, day);
    const found = new Date(midnight);
    const exists = found.getUTCMonth() === month - 1 && found.getUTCDate() === day;
    this.date = date;
    this.midnight = exists && midnight % DAY_MS === 0 ? midnight : Number.NaN;
    return this.midnight;
  }

  private digits(bytes: Uint8Array, count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) {
      const byte = bytes[this.at++];
      if (!isDigit(byte)) return Number.NaN;
      value = value * 10 + byte - ZERO;
    }
    return value;
  }
}

const GMT = [..." GMT"].map((letter) => letter.charCodeAt(0));
const UTC = [..." UTC"].map((letter) => letter.charCodeAt(0));

function isNamed(zone: readonly number[], bytes: Uint8Array, at: number): boolean {
  return zone.every((letter, i) => bytes[at + i] === letter);
}

function isDigit(byte: number | undefined): byte is number {
  return byte !== undefined && byte >= ZERO && byte <= 57;
}

// Decimal text that the scanner's fast loop cannot parse: many digits, exponents, quotes, blanks, or text that is not a
// number.

const DECIMAL = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$/;
const WITH_COMMA = /^[+-]?[0-9]+,[0-9]+$/;

type SlowDecimal =
  | { readonly kind: "value"; readonly value: number }
  | { readonly kind: "empty" }
  | { readonly kind: "comma" }
  /** A point where decimal commas were declared: it may be a thousands separator. */
  | { readonly kind: "point" }
  | { readonly kind: "wrong" };

/** Blanks around a number and quotes around a field are ignored as layout. */
export function slowDecimal(field: string, decimalComma: boolean): SlowDecimal {
  const bare = field.trim();
  const text = bare.startsWith('"') && bare.endsWith('"') && bare.length > 1 ? bare.slice(1, -1).trim() : bare;
  if (text === "") return { kind: "empty" };
  if (decimalComma && text.includes(".") && DECIMAL.test(text)) return { kind: "point" };
  const pointed = decimalComma ? text.replace(",", ".") : text;
  // A number with a thousands point and a decimal comma is rejected here on purpose.
  if (DECIMAL.test(pointed)) return { kind: "value", value: Number(pointed) };
  return { kind: WITH_COMMA.test(text) ? "comma" : "wrong" };
}
