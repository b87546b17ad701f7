// Rows of formats with typed columns (Parquet, Arrow): whatever type a cell has becomes a number of the intake.

import { quoted } from "../../../src/domain/outside-text.ts";
import { isWholeTime, type PartNames, slowDecimal, TextTime, wholePart, wrongParts } from "../csv/cell.ts";
import { matchNames, type TextColumn } from "../csv/header.ts";
import { COLUMNS, type ColumnName, type DataKind, OPTIONAL } from "../source.ts";
import { WallClock } from "../zone.ts";
import { type Input, priceScale, type Scale, sizeScale, TIME_UNITS } from "./format.ts";

/** The cells of one column in a batch of rows. Times are numbers, text, instants (a Date), clock times, or times of day. */
export type Cells = (row: number) => unknown;

interface TypedRows {
  /** The names of the columns that are read. */
  readonly names: readonly string[];
  /** A batch; the cells in the order of `names`. */
  add(cells: readonly Cells[], count: number): void;
}

export function typedRows(input: Input, names: readonly string[]): TypedRows {
  const { kind, columns } = matchNames(names, input.log);
  const intake = input.intake(kind);
  const wanted = columns.flatMap((column, i) => (column === undefined ? [] : [{ column, name: names[i] as string }]));
  const price = priceScale(input.declared);
  const size = sizeScale(input.declared);
  const target = (column: ColumnName): Float64Array =>
    intake.columns[(COLUMNS[kind] as readonly string[]).indexOf(column)] as Float64Array;
  const timeOf = timeReader(wanted, new TypedTime(input, kind));
  const values = wanted.flatMap(({ column }, cell) => {
    if (column === "time" || column === "date" || column === "time of day") return [];
    const { times, per } = OPTIONAL.has(column) ? size : price;
    return { cell, target: target(column), times, per };
  });
  const filled = new Set([target("time"), ...values.map(({ target }) => target)]);
  for (const column of intake.columns) if (!filled.has(column)) column.fill(Number.NaN);
  const time = target("time");
  let row = 0;
  return {
    names: wanted.map(({ name }) => name),
    add(cells, count) {
      for (let i = 0; i < count; i++) {
        row++;
        for (const { cell, target, times, per } of values)
          target[intake.count] = (numberOf((cells[cell] as Cells)(i)) * times) / per;
        const at = timeOf(cells, i, row);
        time[intake.count] = at;
        if (at !== REPORTED) intake.next(row);
      }
    },
  };
}

type Wanted = readonly { readonly column: TextColumn; readonly name: string }[];

/** Of the cells at `i`, which are of the file's row. */
function timeReader(wanted: Wanted, times: TypedTime): (cells: readonly Cells[], i: number, row: number) => number {
  const find = (column: TextColumn): number => wanted.findIndex((one) => one.column === column);
  const [whole, date, timeOfDay] = [find("time"), find("date"), find("time of day")];
  if (whole >= 0) return (cells, i, row) => times.whole((cells[whole] as Cells)(i), row);
  const names = { date: wanted[date]?.name ?? "", timeOfDay: wanted[timeOfDay]?.name ?? "" };
  return (cells, i, row) => times.parted(names, (cells[date] as Cells)(i), (cells[timeOfDay] as Cells)(i), row);
}

// Times of typed columns: instants, clock times, numbers and text; in one column, or as a date and a time of day in two, which
// are joined as those of text tables are.

/** In place of a time: the problem is in the log. No time in a file is this. */
const REPORTED = Number.NEGATIVE_INFINITY;

const DAY_MS = 86_400_000;

/** A time of no zone, as the milliseconds that it would be in UTC: what a clock on some wall showed. */
export class ClockTime {
  readonly local: number;

  constructor(local: number) {
    this.local = local;
  }
}

/** Milliseconds since midnight, of no zone: writers call them UTC without being asked. */
class TimeOfDay {
  readonly ms: number;

  constructor(ms: number) {
    this.ms = ms;
  }
}

/** `scale`: from its unit to milliseconds. */
export function timeOfDay(cell: unknown, { times, per }: Scale): unknown {
  const isNumber = typeof cell === "number" || typeof cell === "bigint";
  return isNumber ? new TimeOfDay(Math.floor((Number(cell) * times) / per)) : cell;
}

class TypedTime {
  readonly #factor: number;
  readonly #text = new TextTime();
  readonly #encoder = new TextEncoder();
  readonly #inUtc: (local: number, row: number, text: () => string) => number;
  readonly #log: Input["log"];

  constructor(input: Input, kind: DataKind) {
    this.#factor = TIME_UNITS[input.declared.timeUnit ?? "ms"];
    this.#inUtc = clockReader(input, kind);
    this.#log = input.log;
  }

  whole(cell: unknown, row: number): number {
    if (cell instanceof Date) return cell.getTime();
    if (cell instanceof ClockTime) return this.#inUtc(cell.local, row, () => clockText(cell.local));
    if (typeof cell !== "string") return Math.floor(numberOf(cell) * this.#factor);
    const local = this.#read(cell);
    return this.#text.hasZone || Number.isNaN(local) ? local : this.#inUtc(local, row, () => cell);
  }

  parted(names: PartNames, dateCell: unknown, clockCell: unknown, row: number): number {
    const date = this.#partText(names.date, names.timeOfDay, dateCell);
    const clock = this.#partText(names.timeOfDay, names.date, clockCell);
    const text = `${date} ${clock}`;
    const bytes = this.#encoder.encode(text);
    const [day, time] = [
      { start: 0, end: date.length },
      { start: date.length + 1, end: bytes.length },
    ];
    const local = this.#text.readParted(bytes, day, time);
    if (!Number.isNaN(local)) return this.#text.hasZone ? local : this.#inUtc(local, row, () => text);
    this.#log.row("time", row, () => wrongParts(names, date, clock));
    return REPORTED;
  }

  #partText(name: string, other: string, cell: unknown): string {
    if (cell === null || cell === undefined) return "";
    if (cell instanceof ClockTime && cell.local % DAY_MS === 0) return clockText(cell.local).slice(0, 10);
    if (cell instanceof TimeOfDay)
      return cell.ms >= 0 && cell.ms < DAY_MS ? clockText(cell.ms).slice(11) : String(cell.ms);
    if (typeof cell === "string" && !isWholeTime(cell, () => !Number.isNaN(this.#read(cell)))) return cell;
    return this.#log.refuse("columns", wholePart(name, other, wholeText(cell)));
  }

  #read(text: string): number {
    const bytes = this.#encoder.encode(text);
    return this.#text.read(bytes, 0, bytes.length);
  }
}

/** Times of no zone, in the one that was declared. */
function clockReader(
  { declared: { zone }, log }: Input,
  kind: DataKind,
): (local: number, row: number, text: () => string) => number {
  const clock = zone && new WallClock(zone, kind, log);
  return (local, row, text) => {
    if (clock === undefined)
      return log.refuse("zone", `time ${quoted(text())} has no zone, and none was declared (--zone does)`);
    const time = clock.toUtc(local);
    if (!Number.isNaN(time)) return time;
    log.row("time", row, () => `time ${quoted(text())} does not exist in ${zone?.name}: the clock leapt over it`);
    return REPORTED;
  };
}

function wholeText(cell: unknown): string {
  if (cell instanceof Date) return `${clockText(cell.getTime())}Z`;
  return cell instanceof ClockTime ? clockText(cell.local) : String(cell);
}

/** Without the Z that would name a zone. */
function clockText(local: number): string {
  return Math.abs(local) <= 8.64e15 ? new Date(local).toISOString().slice(0, -1) : String(local);
}

// A number out of a typed cell.

/** What is no number is NaN, which the rules of rows then refuse. */
function numberOf(cell: unknown): number {
  if (typeof cell === "number") return cell;
  if (typeof cell === "bigint") return Number(cell);
  if (typeof cell !== "string") return Number.NaN;
  const read = slowDecimal(cell, false);
  return read.kind === "value" ? read.value : Number.NaN;
}
