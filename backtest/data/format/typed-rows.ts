// Rows of formats with typed columns (Parquet, Arrow): whatever type a cell has becomes a number of the intake.

import { quoted } from "../../../src/domain/outside-text.ts";
import { slowDecimal } from "../csv/decimal.ts";
import { matchNames } from "../csv/header.ts";
import { TIME_UNITS } from "../csv/layout.ts";
import { TextTime } from "../csv/text-time.ts";
import { COLUMNS, OPTIONAL } from "../kind.ts";
import { type Input, priceScale, sizeScale } from "./format.ts";

/** The cells of one column in a batch of rows. */
export type Cells = (row: number) => unknown;

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
  const toTime = timeReader(input, kind === "bars" ? 1 : 0);
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
        for (let c = 0; c < fills.length; c++) {
          const { target, convert } = fills[c] as (typeof fills)[number];
          target[intake.count] = convert((cells[c] as Cells)(row));
        }
        intake.next(++place);
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

/** `stepMsMin`: how far two rows are apart at least. */
function timeReader({ declared, log }: Input, stepMsMin: number): (cell: unknown) => number {
  const { timeUnit = "ms", zone } = declared;
  const factor = TIME_UNITS[timeUnit];
  const text = new TextTime();
  const encoder = new TextEncoder();
  let last = Number.NEGATIVE_INFINITY;
  return (cell) => {
    if (cell instanceof Date) return cell.getTime();
    if (typeof cell !== "string") return Math.floor(numberOf(cell) * factor);
    const bytes = encoder.encode(cell);
    const local = text.read(bytes, 0, bytes.length);
    if (text.hasZone || Number.isNaN(local)) return local;
    if (zone === undefined)
      return log.refuse("zone", `time ${quoted(cell)} has no zone, and none was declared (--zone does)`);
    const time = zone.toUtc(local, last + stepMsMin);
    if (!Number.isNaN(time)) last = time;
    return time;
  };
}
