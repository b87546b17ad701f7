// The rules for every row, whatever file it came from: known time, prices above zero, bid not above ask, time that does
// not go back, no duplicate, no jump. A row that breaks one is reported with its place.

import { isoText } from "../../src/domain/time-text.ts";
import type { ProblemLog, RowProblem } from "./problem.ts";
import { COLUMNS, type Columns, type DataKind } from "./source.ts";

/** A time outside this range is a mistake of unit, not a quote. */
const TIME_MIN = Date.UTC(1990, 0, 1);
const TIME_MAX = Date.UTC(2100, 0, 1);
/** Money has nine decimals and 17 digits before them: a price outside this range is a mistake of unit. */
const PRICE_MIN = 1e-6;
const PRICE_MAX = 1e9;
/** The largest ratio, either way, of a price to the one in the row above, or of an ask to its bid. */
export const JUMP_MAX = 2;
/** How many columns after the time are prices; the rest are sizes. */
const PRICES = { quotes: 2, bars: 4 } as const;
/** The column of the price with which the next row is compared. */
const LAST_PRICE = { quotes: 1, bars: 4 } as const;

type Found = { readonly kind: RowProblem; readonly message: string };

/** What precedes the first row. */
export function noRow(kind: DataKind): Float64Array {
  const row = new Float64Array(COLUMNS[kind].length).fill(Number.NaN);
  row[0] = Number.NEGATIVE_INFINITY;
  return row;
}

/** Undefined for a row that may follow `last`. Also asked when a recording is written. */
export function judgeRow(kind: DataKind, row: Float64Array, last: Float64Array, jumpMax: number): Found | undefined {
  const time = row[0] as number;
  if (!(time >= TIME_MIN && time < TIME_MAX)) {
    const shown = Math.abs(time) < 8.64e15 ? isoText(time) : time;
    return {
      kind: "time",
      message: `time must lie between 1990 and 2099, was ${shown} (--time-unit declares its unit)`,
    };
  }
  return badValue(kind, row) ?? badPrices(kind, row, jumpMax) ?? badStep(kind, row, last, jumpMax);
}

function badValue(kind: DataKind, row: Float64Array): Found | undefined {
  for (let c = 1; c < row.length; c++) {
    const value = row[c] as number;
    const name = COLUMNS[kind][c];
    if (c <= PRICES[kind]) {
      if (!(value >= PRICE_MIN && value <= PRICE_MAX))
        return { kind: "price", message: `${name} must lie between ${PRICE_MIN} and ${PRICE_MAX}, was ${value}` };
    } else if (value < 0 || value === Number.POSITIVE_INFINITY)
      return { kind: "size", message: `${name} must be a number from 0, was ${value}` };
  }
  return undefined;
}

function badPrices(kind: DataKind, row: Float64Array, jumpMax: number): Found | undefined {
  if (kind === "quotes") {
    const [, bid, ask] = row as unknown as readonly [number, number, number];
    if (bid > ask) return { kind: "crossed", message: `bid ${bid} is above ask ${ask}` };
    if (ask > bid * jumpMax) return { kind: "jump", message: `ask ${ask} is more than ${jumpMax} times bid ${bid}` };
    return undefined;
  }
  const [, open, high, low, close] = row as unknown as readonly [number, number, number, number, number];
  if (high < Math.max(open, low, close) || low > Math.min(open, close))
    return { kind: "bar", message: `open ${open}, high ${high}, low ${low}, close ${close} are no bar` };
  if (high > low * jumpMax) return { kind: "jump", message: `high ${high} is more than ${jumpMax} times low ${low}` };
  return undefined;
}

function badStep(kind: DataKind, row: Float64Array, last: Float64Array, jumpMax: number): Found | undefined {
  const [time, price] = row as unknown as readonly [number, number];
  const before = last[0] as number;
  if (time < before)
    return {
      kind: "backwards",
      message: `time goes back from ${isoText(before)} to ${isoText(time)}: rows must be sorted`,
    };
  // Two quotes may share a millisecond, two bars never open at the same time.
  if (time === before && (kind === "bars" || row.every((value, c) => Object.is(value, last[c]))))
    return { kind: "duplicate", message: `a second row of ${isoText(time)}` };
  const lastPrice = last[LAST_PRICE[kind]] as number;
  if (price > lastPrice * jumpMax || price * jumpMax < lastPrice)
    return {
      kind: "jump",
      message: `the price leaps from ${lastPrice} to ${price}, limit is ${jumpMax} times in one row`,
    };
  return undefined;
}

/** Rows of a block, in memory and in a column file: 2.5 MiB of quotes. */
export const BLOCK_ROWS = 65_536;

/** Takes clean rows; the columns are reused after the call. */
type Sink = (columns: Columns, count: number) => void;

/** Checks row after row and passes the good ones on in blocks, so that a file of any length needs one block of memory. */
export class Intake {
  readonly kind: DataKind;
  /** The row to fill before `take`; NaN where a value is unknown. */
  readonly row: Float64Array;
  rows = 0;
  /** For bars: the smallest step is their length, unless it was declared. */
  stepMsMin = Number.POSITIVE_INFINITY;
  readonly #log: ProblemLog;
  readonly #jumpMax: number;
  readonly #sink: Sink;
  readonly #columns: Columns;
  readonly #last: Float64Array;
  #count = 0;

  constructor(kind: DataKind, log: ProblemLog, jumpMax: number, sink: Sink) {
    this.kind = kind;
    this.row = new Float64Array(COLUMNS[kind].length);
    this.#log = log;
    this.#jumpMax = jumpMax;
    this.#sink = sink;
    this.#columns = COLUMNS[kind].map(() => new Float64Array(BLOCK_ROWS));
    this.#last = noRow(kind);
  }

  take(place: number): void {
    const { row } = this;
    const found = judgeRow(this.kind, row, this.#last, this.#jumpMax);
    if (found !== undefined) {
      this.#log.row(found.kind, place, found.message);
      return;
    }
    this.stepMsMin = Math.min(this.stepMsMin, (row[0] as number) - (this.#last[0] as number));
    this.#last.set(row);
    for (let c = 0; c < row.length; c++) (this.#columns[c] as Float64Array)[this.#count] = row[c] as number;
    this.rows++;
    if (++this.#count === BLOCK_ROWS) this.flush();
  }

  flush(): void {
    if (this.#count > 0) this.#sink(this.#columns, this.#count);
    this.#count = 0;
  }
}
