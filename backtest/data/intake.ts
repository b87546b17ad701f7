// Where readers put rows: a block is filled, checked and handed on, so that a file of any length needs one block of memory.

import { createRowCheck, type RowCheck, type Strays } from "./check-rows.ts";
import { COLUMNS, type Columns, type DataKind } from "./kind.ts";
import type { ProblemLog } from "./problem.ts";

/** Rows of a block in memory and in a column file: 2.5 MiB of quotes. */
export const BLOCK_ROWS = 65_536;

/** Takes clean rows; the columns are reused after the call. */
export type Sink = (columns: Columns, count: number) => void;

export class Intake {
  readonly kind: DataKind;
  readonly log: ProblemLog;
  /** The block being filled, in file order; `add` must follow each row written at `count`. */
  readonly columns: Columns;
  /** The line or row each row came from. */
  readonly places: Float64Array;
  count = 0;
  rows = 0;
  private readonly check: RowCheck;
  private readonly sink: Sink;

  constructor(kind: DataKind, log: ProblemLog, jumpMax: number, sink: Sink) {
    this.kind = kind;
    this.log = log;
    this.columns = COLUMNS[kind].map(() => new Float64Array(BLOCK_ROWS));
    this.places = new Float64Array(BLOCK_ROWS);
    this.check = createRowCheck(kind, log, jumpMax);
    this.sink = sink;
  }

  /** One row, for readers that have it as a list in file order. */
  add(place: number, ...values: readonly number[]): void {
    for (let c = 0; c < this.columns.length; c++)
      (this.columns[c] as Float64Array)[this.count] = values[c] ?? Number.NaN;
    this.next(place);
  }

  /** The row at `count` is written. */
  next(place: number): void {
    this.places[this.count++] = place;
    if (this.count === BLOCK_ROWS) this.flush();
  }

  flush(): void {
    const kept = this.check.keepGood(this.columns, this.places, this.count);
    this.count = 0;
    this.rows += kept;
    if (kept > 0) this.sink(this.columns, kept);
  }

  get strays(): Strays {
    return this.check.strays;
  }

  /** Of bars: the smallest step seen is their length, unless it was said. */
  get stepMsMin(): number {
    return this.check.stepMsMin;
  }
}
