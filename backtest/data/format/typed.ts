// Rows of formats with typed columns (Parquet, Arrow): converts cells of any type to numbers for the intake.

import { quoted } from "../../../src/domain/sanitise.ts";
import { slowDecimal, TextTime } from "../csv/cell.ts";
import { matchNames, type TextColumn } from "../csv/header.ts";
import { COLUMNS, type ColumnName, type DataKind, OPTIONAL } from "../source.ts";
import { clockReader, REPORTED } from "../zone.ts";
import { type Input, priceScale, sizeScale, TIME_UNITS } from "./format.ts";

/** The cells of one column in a batch of rows. Times are numbers, text, instants (a Date) or clock times. */
export type Cells = (row: number) => unknown;

interface TypedRows {
  readonly names: readonly string[];
  /** Adds a batch; the cells are in the order of `names`. */
  add(cells: readonly Cells[], count: number): void;
}

export function typedRows(input: Input, names: readonly string[]): TypedRows {
  const { kind, columns } = matchNames(names, input.log);
  const isWhole = (column: TextColumn | undefined): column is ColumnName =>
    column !== undefined && column !== "date" && column !== "time of day";
  const wanted = columns.flatMap((column, i) => (isWhole(column) ? [{ column, name: names[i] as string }] : []));
  if (!wanted.some(({ column }) => column === "time"))
    input.log.refuse("columns", "the time must be one column: a date and a time of day are joined in text tables only");
  const intake = input.intake(kind);
  const price = priceScale(input.declared);
  const size = sizeScale(input.declared);
  const target = (column: ColumnName): Float64Array =>
    intake.columns[(COLUMNS[kind] as readonly string[]).indexOf(column)] as Float64Array;
  const timeOf = timeReader(input, kind);
  const values = wanted.flatMap(({ column }, cell) => {
    if (column === "time") return [];
    const { times, per } = OPTIONAL.has(column) ? size : price;
    return { cell, target: target(column), times, per };
  });
  const filled = new Set([target("time"), ...values.map(({ target }) => target)]);
  for (const column of intake.columns) if (!filled.has(column)) column.fill(Number.NaN);
  const [time, timeCell] = [target("time"), wanted.findIndex(({ column }) => column === "time")];
  let row = 0;
  return {
    names: wanted.map(({ name }) => name),
    add(cells, count) {
      for (let i = 0; i < count; i++) {
        row++;
        for (const { cell, target, times, per } of values)
          target[intake.count] = (numberOf((cells[cell] as Cells)(i)) * times) / per;
        const at = timeOf((cells[timeCell] as Cells)(i), row);
        time[intake.count] = at;
        if (at !== REPORTED) intake.next(row);
      }
    },
  };
}

export function refuseType(name: string, log: Input["log"]): never {
  return log.refuse("format", `column ${quoted(name)} must be float64, int64 or text`);
}

/** A local clock time without a zone, in milliseconds as if it were UTC. */
export class ClockTime {
  readonly local: number;

  constructor(local: number) {
    this.local = local;
  }
}

/** Reads instants, clock times, numbers and text. */
function timeReader(input: Input, kind: DataKind): (cell: unknown, row: number) => number {
  const factor = TIME_UNITS[input.declared.timeUnit ?? "ms"];
  const inUtc = clockReader(input.declared.zone, kind, input.log);
  const text = new TextTime();
  const encoder = new TextEncoder();
  return (cell, row) => {
    if (cell instanceof Date) return cell.getTime();
    if (cell instanceof ClockTime) return inUtc(cell.local, row, () => clockText(cell.local));
    if (typeof cell !== "string") return Math.floor(numberOf(cell) * factor);
    const bytes = encoder.encode(cell);
    const local = text.read(bytes, 0, bytes.length);
    return text.hasZone || Number.isNaN(local) ? local : inUtc(local, row, () => cell);
  };
}

/** ISO text without the Z, which would name a zone. */
function clockText(local: number): string {
  return Math.abs(local) <= 8.64e15 ? new Date(local).toISOString().slice(0, -1) : String(local);
}

/** Anything that is not a number becomes NaN, which the row rules then refuse. */
function numberOf(cell: unknown): number {
  if (typeof cell === "number") return cell;
  if (typeof cell === "bigint") return Number(cell);
  if (typeof cell !== "string") return Number.NaN;
  const read = slowDecimal(cell, false);
  return read.kind === "value" ? read.value : Number.NaN;
}
