// Rows of formats with typed columns (Parquet, Arrow): whatever type a cell has becomes a number of the intake.

import { quoted } from "../../../src/domain/outside-text.ts";
import { slowDecimal } from "../csv/decimal.ts";
import { matchNames } from "../csv/header.ts";
import { TIME_UNITS } from "../csv/layout.ts";
import { TextTime } from "../csv/text-time.ts";
import { COLUMNS, type DataKind, OPTIONAL } from "../kind.ts";
import { WallClock } from "../wall-clock.ts";
import { type Input, priceScale, sizeScale } from "./format.ts";

/** In place of a time: the problem is in the log. No time in a file is this. */
const REPORTED = Number.NEGATIVE_INFINITY;

/** The cells of one column in a batch of rows. Times are numbers, text, instants (a Date), or clock times. */
export type Cells = (row: number) => unknown;

/** A time of no zone, as the milliseconds that it would be in UTC: what a clock on some wall showed. */
export class ClockTime {
  readonly local: number;

  constructor(local: number) {
    this.local = local;
  }
}

export interface TypedRows {
  /** The names of the columns that are read. */
  readonly names: readonly string[];
  /** A batch; the cells in the order of `names`. */
  add(cells: readonly Cells[], count: number): void;
}

export function typedRows(input: Input, names: readonly string[]): TypedRows {
  const { kind, columns } = matchNames(names, input.log);
  const intake = input.intake(kind);
  const wanted = columns.flatMap((column, i) => (column === undefined ? [] : [{ column, name: names[i] as string }]));
  const toTime = timeReader(input, kind);
  const price = priceScale(input.declared);
  const size = sizeScale(input.declared);
  const fills = wanted.map(({ column }) => {
    const target = intake.columns[(COLUMNS[kind] as readonly string[]).indexOf(column)] as Float64Array;
    if (column === "time") return { target, convert: toTime };
    const { times, per } = OPTIONAL.has(column) ? size : price;
    return { target, convert: (cell: unknown) => (numberOf(cell) * times) / per };
  });
  const filled = new Set(fills.map(({ target }) => target));
  for (const column of intake.columns) if (!filled.has(column)) column.fill(Number.NaN);
  let place = 0;
  return {
    names: wanted.map(({ name }) => name),
    add(cells, count) {
      for (let row = 0; row < count; row++) {
        place++;
        let isKept = true;
        for (let c = 0; c < fills.length; c++) {
          const { target, convert } = fills[c] as (typeof fills)[number];
          const value = convert((cells[c] as Cells)(row), place);
          target[intake.count] = value;
          if (value === REPORTED && convert === toTime) isKept = false;
        }
        if (isKept) intake.next(place);
      }
    },
  };
}

/** What is no number is NaN, which the rules of rows then refuse. */
function numberOf(cell: unknown): number {
  if (typeof cell === "number") return cell;
  if (typeof cell === "bigint") return Number(cell);
  if (typeof cell !== "string") return Number.NaN;
  const read = slowDecimal(cell, false);
  return read.kind === "value" ? read.value : Number.NaN;
}

function timeReader(input: Input, kind: DataKind): (cell: unknown, row: number) => number {
  const { timeUnit = "ms" } = input.declared;
  const factor = TIME_UNITS[timeUnit];
  const text = new TextTime();
  const encoder = new TextEncoder();
  const inUtc = clockReader(input, kind);
  return (cell, row) => {
    if (cell instanceof Date) return cell.getTime();
    if (cell instanceof ClockTime) return inUtc(cell.local, row, () => clockText(cell.local));
    if (typeof cell !== "string") return Math.floor(numberOf(cell) * factor);
    const bytes = encoder.encode(cell);
    const local = text.read(bytes, 0, bytes.length);
    return text.hasZone || Number.isNaN(local) ? local : inUtc(local, row, () => cell);
  };
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

/** Without the Z that would name a zone. */
function clockText(local: number): string {
  return Math.abs(local) <= 8.64e15 ? new Date(local).toISOString().slice(0, -1) : String(local);
}
