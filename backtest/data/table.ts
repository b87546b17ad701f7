// Rows of a table, whatever file it came from: which column is which, by name or place, and cells of any type as
// numbers.

import { quoted } from "../../src/domain/sanitise.ts";
import { TIME_UNITS, type TimeUnit, textTime, type Zone } from "./clock.ts";
import type { ProblemLog, Tolerable } from "./problem.ts";
import type { Intake } from "./row-check.ts";
import { COLUMNS, type ColumnName, type DataKind, OPTIONAL } from "./source.ts";

/** What a file does not contain and a person declares. */
export type Declaration = {
  /** The file's name of a column, or its place from 1 in a file without a header; its own name by default. */
  readonly columns?: Readonly<Partial<Record<ColumnName, string>>>;
  /** For times without a zone. */
  readonly zone?: Zone;
  /** For numeric times. */
  readonly timeUnit?: TimeUnit;
  /** The length of bars; the smallest step by default. */
  readonly intervalMs?: number;
  readonly jumpMax?: number;
  readonly tolerate?: readonly Tolerable[];
};

/** A time of a clock without a zone, as if it were UTC. */
export class ClockTime {
  readonly local: number;

  constructor(local: number) {
    this.local = local;
  }
}

export type Input = {
  readonly path: string;
  readonly declared: Declaration;
  readonly log: ProblemLog;
  intake(kind: DataKind): Intake;
  /** Receives the number of bytes done from time to time. */
  readonly watch?: ((bytes: number) => void) | undefined;
};

type Table = {
  readonly kind: DataKind;
  readonly places: readonly { readonly column: number; readonly cell: number }[];
};

/** Undefined columns of a table are unknown in every row. */
function matched(names: readonly string[], { columns = {} }: Declaration, log: ProblemLog): Table {
  const bare = names.map((name) => name.trim());
  const folded = bare.map((name) => name.toLowerCase());
  const cellOf = (name: ColumnName): number => {
    const wanted = columns[name];
    const cell = wanted === undefined ? folded.indexOf(name.toLowerCase()) : bare.indexOf(wanted);
    const shown = quoted(bare.join(","), 200);
    if (wanted !== undefined && cell === -1) log.refuse("columns", `there is no column ${quoted(wanted)} in ${shown}`);
    if (cell !== -1 && folded.indexOf(folded[cell] as string, cell + 1) !== -1)
      log.refuse("columns", `there are two columns ${quoted(bare[cell] as string)} in ${shown}`);
    return cell;
  };
  const kind: DataKind = cellOf("bid") !== -1 ? "quotes" : "bars";
  const places = COLUMNS[kind].map((name, column) => ({ name, column, cell: cellOf(name) }));
  const missing = places.filter(({ name, cell }) => cell === -1 && !OPTIONAL.has(name));
  if (missing.length > 0)
    log.refuse(
      "columns",
      `${missing.map(({ name }) => name).join(", ")} must be among ${quoted(bare.join(","), 200)}: --columns time=NAME,bid=NAME,ask=NAME says which column is which (of bars time, open, high, low, close), by its place from 1 where there is no header`,
    );
  return { kind, places: places.filter(({ cell }) => cell !== -1) };
}

export interface RowReader {
  /** The places of the cells that are read. */
  readonly cells: readonly number[];
  take(cells: readonly unknown[], place: number): void;
}

export function rowReader(names: readonly string[], input: Input): RowReader {
  const { declared, log } = input;
  const { kind, places } = matched(names, declared, log);
  const intake = input.intake(kind);
  const timeOf = timeReader(declared, log);
  const read = places.map(({ column, cell }) => {
    const name = COLUMNS[kind][column] as ColumnName;
    return { column, cell, name, reads: column === 0 ? timeOf : OPTIONAL.has(name) ? sizeOf : numberOf };
  });
  return {
    cells: places.map(({ cell }) => cell),
    take(cells, place) {
      intake.row.fill(Number.NaN);
      for (const { column, cell, name, reads } of read) {
        const value = reads(cells[cell]);
        if (value === undefined) {
          const shown = quoted(String(cells[cell] ?? ""));
          const what = column === 0 ? "a time (2026-01-31T12:30:05.123Z, or a number)" : "a number";
          return log.row(column === 0 ? "time" : "number", place, `${name} must be ${what}, was ${shown}`);
        }
        intake.row[column] = value;
      }
      intake.take(place);
    },
  };
}

const NUMBER = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$/;

/** Undefined for anything that is not a number, a thousands separator and a decimal comma included. */
function numberOf(cell: unknown): number | undefined {
  if (typeof cell === "number" || typeof cell === "bigint") return Number(cell);
  const text = typeof cell === "string" ? cell.trim() : "";
  return NUMBER.test(text) ? Number(text) : undefined;
}

function sizeOf(cell: unknown): number | undefined {
  const isUnknown = cell === null || cell === undefined || (typeof cell === "string" && cell.trim() === "");
  return isUnknown ? Number.NaN : numberOf(cell);
}

function timeReader({ zone, timeUnit = "ms" }: Declaration, log: ProblemLog): (cell: unknown) => number | undefined {
  const inUtc = (local: number): number => {
    if (zone === undefined) log.refuse("zone", "its times have no zone, and none was declared (--zone does)");
    return local - zone.offsetMs;
  };
  return (cell) => {
    if (cell instanceof Date) return cell.getTime();
    if (cell instanceof ClockTime) return inUtc(cell.local);
    const number = numberOf(cell);
    if (number !== undefined) return Math.floor(number * TIME_UNITS[timeUnit]);
    const text = typeof cell === "string" ? textTime(cell.trim()) : undefined;
    return text === undefined || text.hasZone ? text?.time : inUtc(text.time);
  };
}
