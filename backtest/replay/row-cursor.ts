// Where a recorded feed is in its chunks. A chunk is left before the next one is asked for, since both may lie in the same
// memory; empty ones are passed over.

import { invariant } from "../../src/domain/invariant.ts";

type Rows = { readonly length: number; readonly time: Float64Array };

export class RowCursor<C extends Rows> {
  readonly #chunks: Iterator<C>;
  /** Undefined after the last. */
  chunk: C | undefined = undefined;
  row = 0;
  /** Of the row that comes next; infinite after the last. */
  time = Number.POSITIVE_INFINITY;
  /** Of the last row that was left. */
  reached = Number.NaN;

  constructor(chunks: Iterable<C>) {
    this.#chunks = chunks[Symbol.iterator]();
    this.#next();
  }

  /** The rows up to this one are taken. */
  leave(row: number): void {
    const { chunk } = this;
    invariant(chunk !== undefined && row < chunk.length, "a row that is left must be one of the chunk");
    this.reached = chunk.time[row] as number;
    this.row = row + 1;
    if (this.row === chunk.length) this.#next();
    else this.time = chunk.time[row + 1] as number;
  }

  /** This row comes next; those before it are taken. */
  stand(row: number): void {
    const { chunk } = this;
    invariant(chunk !== undefined && row < chunk.length, "a row that comes next must be one of the chunk");
    this.row = row;
    this.time = chunk.time[row] as number;
  }

  /** The first row of the chunk, from the next on and within `most` rows, that is not before `time`. */
  endBefore(time: number, most: number): number {
    const { chunk, row } = this;
    if (chunk === undefined || this.time >= time) return row;
    const times = chunk.time;
    const end = Math.min(row + most, chunk.length);
    // Most often it is near: steps that grow find it among rows that are read anyway.
    let low = row + 1;
    let high = low;
    for (let step = 1; high < end && (times[high] as number) < time; step *= 2) {
      low = high + 1;
      high += step;
    }
    if (high > end) high = end;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] as number) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #next(): void {
    this.row = 0;
    do this.chunk = this.#chunks.next().value;
    while (this.chunk?.length === 0);
    // The clock of a backtest counts in whole milliseconds where it meets the venue's.
    invariant(this.chunk === undefined || isWhole(this.chunk), "times must be whole milliseconds");
    this.time = this.chunk === undefined ? Number.POSITIVE_INFINITY : (this.chunk.time[0] as number);
  }
}

function isWhole({ time, length }: Rows): boolean {
  let row = 0;
  // Of what is not finite the difference is none either.
  while (row < length && (time[row] as number) - Math.floor(time[row] as number) === 0) row++;
  return row === length;
}
