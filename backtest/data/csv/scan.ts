// The layout of a row for the scanner: which field holds what.

import { invariant } from "../../../src/domain/invariant.ts";
import { quoted } from "../../../src/domain/sanitise.ts";
import { type Scale, TIME_UNITS, type TimeUnit } from "../format/format.ts";
import type { Intake } from "../intake.ts";
import type { Columns } from "../source.ts";
import { type ClockReader, clockReader, REPORTED, type Zone } from "../zone.ts";
import { type Span, slowDecimal, TextTime, TIME_FORMS } from "./cell.ts";
import { LINE_BYTES_MAX, type Piece, refuseLine } from "./lines.ts";

export type Field =
  | { readonly kind: "skip" }
  /** The same text in every row. */
  | { readonly kind: "literal"; readonly text: string }
  /** `unit` applies to numbers; the field may hold text instead. */
  | { readonly kind: "time"; readonly unit: TimeUnit }
  /** One half of a time in two fields; both occur together, and without `time`. */
  | { readonly kind: "date" | "time of day" }
  | {
      readonly kind: "value";
      readonly name: string;
      /** Its column index in file order. */
      readonly column: number;
      /** An empty field is unknown (NaN). */
      readonly isOptional: boolean;
      readonly scale: Scale;
    };

export type Layout = {
  readonly delimiter: string;
  readonly decimalComma: boolean;
  readonly fields: readonly Field[];
  /** For text times without a zone; undefined: such times are refused. */
  readonly zone: Zone | undefined;
  /** The end of that refusal's message, where declaring a zone is no solution. */
  readonly noZone?: string;
  /** Completes a written row for formats whose fields alone do not make one; false discards the row. */
  readonly complete?: (columns: Columns, row: number) => boolean;
};

// The byte scanner: from lines to columns in one pass, without a string per field. Digits add up to an integer below
// 2^53 that is divided by a power of ten of at most 10^22, which rounds exactly as parsing the text would; any other
// field content takes the slow path.

const LF = 10;
const CR = 13;
const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const NO_BYTE = -1;
const HIGH_DIGITS = 9;
const EXACT_MAX = Number.MAX_SAFE_INTEGER;
const POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));

const SKIP = 0;
const VALUE = 1;
const TIME = 2;
const LITERAL = 3;
const DATE = 4;
const TIME_OF_DAY = 5;

export class CsvScanner {
  private readonly layout: Layout;
  private readonly intake: Intake;
  private readonly actions: Uint8Array;
  private readonly targets: Uint8Array;
  private readonly factors: Float64Array;
  private readonly divisors: Float64Array;
  private readonly isScaled: boolean;
  private readonly timeFactor: number;
  private readonly textTime = new TextTime();
  /** Start and end of a row's date and of its time of day; undefined where the time is one field. */
  private readonly parted: Uint32Array | undefined;
  private readonly decoder = new TextDecoder();
  private readonly delimiter: number;
  private readonly clock: ClockReader;
  private readonly point: number;
  private readonly complete: Layout["complete"];

  constructor(layout: Layout, intake: Intake) {
    this.layout = layout;
    this.intake = intake;
    this.complete = layout.complete;
    this.delimiter = layout.delimiter.charCodeAt(0);
    // In a comma-separated file only quotes show which commas are decimal.
    this.point = !layout.decimalComma ? POINT : this.delimiter === COMMA ? NO_BYTE : COMMA;
    this.clock = clockReader(layout.zone, intake.kind, intake.log, layout.noZone);
    const { fields } = layout;
    const codes = { skip: SKIP, literal: LITERAL, value: VALUE, time: TIME, date: DATE, "time of day": TIME_OF_DAY };
    this.actions = Uint8Array.from(fields, ({ kind }) => codes[kind]);
    this.targets = Uint8Array.from(fields, (field) => (field.kind === "value" ? field.column : 0));
    this.factors = Float64Array.from(fields, (field) => (field.kind === "value" ? field.scale.times : 1));
    this.divisors = Float64Array.from(fields, (field) => (field.kind === "value" ? field.scale.per : 1));
    this.isScaled = [...this.factors, ...this.divisors].some((scale) => scale !== 1);
    const time = fields.find((field) => field.kind === "time");
    this.parted = this.actions.includes(DATE) ? new Uint32Array(4) : undefined;
    this.timeFactor = TIME_UNITS[time?.kind === "time" ? time.unit : "ms"];
    // Columns without a field are unknown in every row.
    const filled = new Set(fields.map((field) => (field.kind === "value" ? field.column : 0)));
    for (const [c, column] of intake.columns.entries()) if (!filled.has(c)) column.fill(Number.NaN);
  }

  /** Returns the number of lines. */
  scan({ bytes, start, end, line }: Piece): number {
    let number = line;
    for (let at = start; at < end; number++) at = this.row(bytes, at, number);
    return number - line;
  }

  /** Parses the row at `start` and returns the start of the next one. */
  private row(bytes: Uint8Array, start: number, line: number): number {
    const { actions, targets, factors, divisors, isScaled, intake, delimiter, point, timeFactor, parted } = this;
    const { columns, count } = intake;
    const fields = actions.length;
    let at = start;
    for (let field = 0; ; at++) {
      const action = actions[field] as number;
      const fieldStart = at;
      let byte = bytes[at] as number;
      if (action === SKIP || action >= LITERAL) {
        if (byte === QUOTE) at = afterQuotes(bytes, at);
        byte = bytes[at] as number;
        while (byte !== delimiter && byte !== LF) byte = bytes[++at] as number;
        if (action === LITERAL && !this.isLiteral(bytes, fieldStart, at, line, field)) return bytes.indexOf(LF, at) + 1;
        if (action === DATE) parted?.set([fieldStart, at], 0);
        else if (action === TIME_OF_DAY) parted?.set([fieldStart, at], 2);
      } else {
        const isNegative = byte === MINUS;
        if (isNegative) byte = bytes[++at] as number;
        // Nine digits fit a machine integer and the rest a second one: much faster than accumulating a double.
        let high = 0;
        let low = 0;
        let digits = 0;
        let pointAt = 0;
        for (;;) {
          if (byte >= ZERO && byte <= NINE) {
            if (digits < HIGH_DIGITS) high = (Math.imul(high, 10) + byte - ZERO) | 0;
            else low = (Math.imul(low, 10) + byte - ZERO) | 0;
            digits++;
          } else if (byte === point && pointAt === 0) pointAt = at + 1;
          else break;
          byte = bytes[++at] as number;
        }
        const decimals = pointAt === 0 ? 0 : at - pointAt;
        if (byte === CR && bytes[at + 1] === LF) byte = bytes[++at] as number;
        const whole = digits <= HIGH_DIGITS ? high : high * (POWERS[digits - HIGH_DIGITS] as number) + low;
        let value = decimals === 0 ? whole : whole / (POWERS[decimals] as number);
        if ((byte !== delimiter && byte !== LF) || digits === 0 || digits > 2 * HIGH_DIGITS || whole > EXACT_MAX) {
          at = this.fieldEnd(bytes, fieldStart);
          byte = bytes[at] as number;
          if (byte === LF && field + 1 < fields) return this.wrongFields(bytes, start, line);
          value =
            action === TIME ? this.time(bytes, fieldStart, at, line) : this.value(bytes, fieldStart, at, line, field);
          if (value === REPORTED) return bytes.indexOf(LF, at) + 1;
        } else {
          if (isNegative) value = -value;
          if (action === TIME) value = Math.floor(value * timeFactor);
        }
        if (isScaled) value = (value * (factors[field] as number)) / (divisors[field] as number);
        (columns[targets[field] as number] as Float64Array)[count] = value;
      }
      field++;
      if (byte === LF && field === fields) break;
      if (byte === LF || field === fields) return this.wrongFields(bytes, start, line);
    }
    if (at - start > LINE_BYTES_MAX) refuseLine(intake.log, line);
    if (parted !== undefined) {
      const time = this.partedTime(bytes, parted, line);
      if (time === REPORTED) return at + 1;
      (columns[0] as Float64Array)[count] = time;
    }
    if (this.complete === undefined || this.complete(columns, count)) intake.next(line);
    return at + 1;
  }

  private isLiteral(bytes: Uint8Array, start: number, end: number, line: number, index: number): boolean {
    const field = this.layout.fields[index];
    const text = this.text(bytes, start, end);
    if (field?.kind !== "literal" || field.text === text) return true;
    this.intake.log.row("fields", line, () => `field ${index + 1} must be ${quoted(field.text)}, was ${quoted(text)}`);
    return false;
  }

  private value(bytes: Uint8Array, start: number, end: number, line: number, index: number): number {
    const field = this.layout.fields[index];
    invariant(field?.kind === "value", "a value is read for a field of values only");
    const text = this.text(bytes, start, end);
    const read = slowDecimal(text, this.layout.decimalComma);
    if (read.kind === "value" && read.value !== REPORTED) return read.value;
    if (read.kind === "empty" && field.isOptional) return Number.NaN;
    const isComma = read.kind === "comma";
    this.intake.log.row(isComma ? "decimal-comma" : "number", line, () =>
      isComma
        ? `${field.name} has a decimal comma: ${quoted(text)}; that must be declared (--decimal-comma does)`
        : `${field.name} must ${read.kind === "point" ? "have a decimal comma, as declared" : "be a number"}, was ${quoted(text)}`,
    );
    return REPORTED;
  }

  private time(bytes: Uint8Array, from: number, to: number, line: number): number {
    const { start, end } = insideOf(bytes, from, to);
    const local = this.textTime.read(bytes, start, end);
    if (!Number.isNaN(local)) return this.inUtc(local, line, () => this.text(bytes, start, end));
    const text = this.text(bytes, start, end);
    const number = slowDecimal(text, false);
    if (number.kind === "value" && Number.isFinite(number.value)) return Math.floor(number.value * this.timeFactor);
    this.intake.log.row("time", line, () => `time must be a time (${TIME_FORMS}), was ${quoted(text)}`);
    return REPORTED;
  }

  private partedTime(
    bytes: Uint8Array,
    [dateFrom = 0, dateTo = 0, from = 0, to = 0]: Uint32Array,
    line: number,
  ): number {
    const date = insideOf(bytes, dateFrom, dateTo);
    const timeOfDay = insideOf(bytes, from, to);
    const local = this.textTime.readParted(bytes, date, timeOfDay);
    const texts = (): string[] => [date, timeOfDay].map(({ start, end }) => this.text(bytes, start, end));
    if (!Number.isNaN(local)) return this.inUtc(local, line, () => texts().join(" "));
    const [day, clock] = texts().map((text) => quoted(text));
    this.intake.log.row(
      "time",
      line,
      () => `a date (2026-01-31) and a time of day (12:30:05.123) must make a time, were ${day} and ${clock}`,
    );
    return REPORTED;
  }

  private inUtc(local: number, line: number, text: () => string): number {
    return this.textTime.hasZone ? local : this.clock(local, line, text);
  }

  private wrongFields(bytes: Uint8Array, start: number, line: number): number {
    const end = bytes.indexOf(LF, start);
    let found = 1;
    for (let at = this.fieldEnd(bytes, start); at < end; at = this.fieldEnd(bytes, at + 1)) found++;
    const isEmpty = end === start || (end === start + 1 && bytes[start] === CR);
    const expected = this.actions.length;
    this.intake.log.row("fields", line, () =>
      isEmpty ? `a row must have ${expected} fields, was empty` : `a row must have ${expected} fields, was ${found}`,
    );
    return end + 1;
  }

  private fieldEnd(bytes: Uint8Array, start: number): number {
    let at = bytes[start] === QUOTE ? afterQuotes(bytes, start) : start;
    while (bytes[at] !== this.delimiter && bytes[at] !== LF) at++;
    return at;
  }

  private text(bytes: Uint8Array, start: number, end: number): string {
    return this.decoder.decode(bytes.subarray(start, end));
  }
}

/** The field without quotes and without the CR of the line end. */
function insideOf(bytes: Uint8Array, from: number, to: number): Span {
  if (bytes[from] === QUOTE) return { start: from + 1, end: afterQuotes(bytes, from) - 1 };
  return { start: from, end: bytes[to - 1] === CR ? to - 1 : to };
}

/** The position after the closing quote, or at the line end where there is none. */
function afterQuotes(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (bytes[at] !== LF) {
    if (bytes[at] === QUOTE && bytes[at + 1] !== QUOTE) return at + 1;
    at += bytes[at] === QUOTE ? 2 : 1;
  }
  return at;
}
