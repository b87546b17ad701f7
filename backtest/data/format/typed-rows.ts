// Rows of formats with typed columns (Parquet, Arrow): whatever type a cell has becomes a number of the intake.

import { matchNames, type TextColumn } from "../csv/header.ts";
import { COLUMNS, type ColumnName, OPTIONAL } from "../kind.ts";
import { type Input, priceScale, sizeScale } from "./format.ts";
import { numberOf } from "./typed-number.ts";
import { REPORTED, TypedTime } from "./typed-time.ts";

/** The cells of one column in a batch of rows. Times are numbers, text, instants (a Date), clock times, or times of day. */
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
