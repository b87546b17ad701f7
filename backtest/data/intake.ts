// The rules for every row, whatever file it came from: valid numbers, prices above zero, bid not above ask, time that
// does not go back, no duplicate row, no price jump. Rows that break one are reported with their place and left out.

import { isoText } from "../../src/domain/time-text.ts";
import type { ProblemLog, RowProblem } from "./problem.ts";
import { type BarArrays, COLUMNS, type Columns, type DataKind, type QuoteArrays, type Sink } from "./source.ts";

/** A time outside this range is a mistake of unit, not a quote. */
const TIME_MIN = Date.UTC(1990, 0, 1);
const TIME_MAX = Date.UTC(2100, 0, 1);
/**
 * Money has nine decimals and 17 digits before them: a price outside this range is a mistake of unit, and a run would
 * soon fail on it.
 */
const PRICE_MIN = 1e-6;
const PRICE_MAX = 1e9;

interface RowCheck {
  /**
   * Moves the good rows among the first `count` to the front and returns their number. `places` are their lines.
   * Remembers the last good row for the next block.
   */
  keepGood(columns: Columns, places: Float64Array, count: number): number;
  /** The smallest step between two rows so far; infinite before the second. */
  readonly stepMsMin: number;
  /** The rows since the last good one that go back in time or jump from its price. */
  readonly strays: Strays;
}

type Strays = { readonly rows: number; readonly behind: string };

/**
 * `jumpMax`: the largest allowed ratio, either way, of a price to the one in the row above, or of an ask to its bid.
 */
function createRowCheck(kind: DataKind, log: ProblemLog, jumpMax: number): RowCheck {
  const judge = kind === "quotes" ? judgeQuote : judgeBar;
  const goodRun = kind === "quotes" ? goodQuotes : goodBars;
  const previous = new Float64Array(kind === "quotes" ? 5 : 6).fill(Number.NaN);
  previous[0] = Number.NEGATIVE_INFINITY;
  const steps = { msMin: Number.POSITIVE_INFINITY };
  let strays = 0;
  let lastPlace = 0;
  return {
    get strays() {
      const [time, price] = previous as unknown as [number, number];
      return { rows: strays, behind: `${log.unit} ${lastPlace} (${describeTime(time)}, ${price})` };
    },
    get stepMsMin() {
      return steps.msMin;
    },
    keepGood(columns, places, count) {
      let kept = 0;
      for (let row = 0; row < count; ) {
        let end = goodRun(columns, row, count, previous, jumpMax, steps);
        if (end === row) {
          const found = judge(columns, row, previous, jumpMax);
          if (found === undefined) end = row + 1;
          else {
            log.row(found.kind, places[row++] as number, () => found.message);
            if (found.kind === "backwards" || found.kind === "jump") strays++;
            continue;
          }
        }
        strays = 0;
        lastPlace = places[end - 1] as number;
        if (kept !== row) places.copyWithin(kept, row, end);
        for (const [c, column] of columns.entries()) {
          previous[c] = column[end - 1] as number;
          if (kept !== row) column.copyWithin(kept, row, end);
        }
        kept += end - row;
        row = end;
      }
      return kept;
    },
  };
}

type Row = [number, number, number, number, number, number];

function rowOf(columns: Columns, row: number): Row {
  return columns.map((column) => column[row]) as Row;
}

type Found = { readonly kind: RowProblem; readonly message: string };

/**
 * The fast check: returns the first row from `row` on that is not certainly good. It stops at some good rows too (the
 * first, and quotes of the same millisecond), which `judge` then accepts.
 */
function goodQuotes(columns: Columns, row: number, count: number, previous: Float64Array, jumpMax: number): number {
  const [times, bids, asks, bidSizes, askSizes] = columns as QuoteArrays;
  let lastTime = Math.max(previous[0] as number, TIME_MIN - 1);
  let lastBid = previous[1] as number;
  for (let at = row; at < count; at++) {
    const time = times[at] as number;
    const bid = bids[at] as number;
    const ask = asks[at] as number;
    const isGood =
      time > lastTime &&
      bid >= PRICE_MIN &&
      bid <= ask &&
      ask <= bid * jumpMax &&
      bid <= lastBid * jumpMax &&
      bid * jumpMax >= lastBid &&
      isSize(bidSizes[at] as number) &&
      isSize(askSizes[at] as number);
    if (!(isGood && time < TIME_MAX && ask <= PRICE_MAX)) return at;
    lastTime = time;
    lastBid = bid;
  }
  return count;
}

function goodBars(
  columns: Columns,
  row: number,
  count: number,
  previous: Float64Array,
  jumpMax: number,
  steps: { msMin: number },
): number {
  const [times, opens, highs, lows, closes, volumes] = columns as BarArrays;
  let lastTime = Math.max(previous[0] as number, TIME_MIN - 1);
  let lastClose = previous[4] as number;
  for (let at = row; at < count; at++) {
    const time = times[at] as number;
    const open = opens[at] as number;
    const high = highs[at] as number;
    const low = lows[at] as number;
    const close = closes[at] as number;
    const isGood =
      time > lastTime &&
      low >= PRICE_MIN &&
      low <= open &&
      low <= close &&
      high >= open &&
      high >= close &&
      high <= low * jumpMax &&
      open <= lastClose * jumpMax &&
      open * jumpMax >= lastClose &&
      isSize(volumes[at] as number);
    if (!(isGood && time < TIME_MAX && high <= PRICE_MAX)) return at;
    if (time - lastTime < steps.msMin) steps.msMin = time - lastTime;
    lastTime = time;
    lastClose = close;
  }
  return count;
}

/** Unknown, or zero or more. */
function isSize(size: number): boolean {
  return Number.isNaN(size) || (size >= 0 && size < Number.POSITIVE_INFINITY);
}

/** Checks one row after the `previous` one, both when a file is read and when a recording is written. */
export function judgeQuote(columns: Columns, row: number, previous: Float64Array, jumpMax: number): Found | undefined {
  const [time, bid, ask, bidSize, askSize] = rowOf(columns, row);
  return (
    badTime(time) ??
    badPrice("bid", bid) ??
    badPrice("ask", ask) ??
    badSize("bidSize", bidSize) ??
    badSize("askSize", askSize) ??
    (bid > ask ? { kind: "crossed", message: `bid ${bid} is above ask ${ask}` } : undefined) ??
    (ask > bid * jumpMax
      ? { kind: "wide", message: `ask ${ask} is more than ${jumpMax} times bid ${bid}` }
      : undefined) ??
    backwards(time, previous) ??
    (columns.every((column, c) => Object.is(column[row], previous[c]))
      ? { kind: "duplicate", message: `the same row again: ${isoText(time)}, bid ${bid}, ask ${ask}` }
      : undefined) ??
    leap("bid", bid, previous[1] as number, jumpMax)
  );
}

function judgeBar(columns: Columns, row: number, previous: Float64Array, jumpMax: number): Found | undefined {
  const [time, open, high, low, close, volume] = rowOf(columns, row);
  return (
    badTime(time) ??
    badPrice("open", open) ??
    badPrice("high", high) ??
    badPrice("low", low) ??
    badPrice("close", close) ??
    badSize("volume", volume) ??
    (high < Math.max(open, low, close)
      ? { kind: "bar", message: `high ${high} must be the highest of open ${open}, low ${low}, close ${close}` }
      : undefined) ??
    (low > Math.min(open, close)
      ? { kind: "bar", message: `low ${low} must be the lowest of open ${open}, close ${close}` }
      : undefined) ??
    (high > low * jumpMax
      ? { kind: "jump", message: `high ${high} is more than ${jumpMax} times low ${low}` }
      : undefined) ??
    backwards(time, previous) ??
    (time === previous[0] ? { kind: "duplicate", message: `a second bar of ${isoText(time)}` } : undefined) ??
    leap("open", open, previous[4] as number, jumpMax)
  );
}

function badTime(time: number): Found | undefined {
  if (time >= TIME_MIN && time < TIME_MAX) return undefined;
  const hint = Number.isFinite(time)
    ? "; where its format leaves unit and zone open, --time-unit and --zone declare them"
    : "";
  return { kind: "time", message: `time must lie between 1990 and 2099, was ${describeTime(time)}${hint}` };
}

function describeTime(time: number): string {
  return Math.abs(time) < 8.64e15 ? isoText(time) : String(time);
}

function badPrice(name: string, price: number): Found | undefined {
  if (!Number.isFinite(price)) return { kind: "number", message: `${name} must be a number, was ${price}` };
  if (!(price > 0)) return { kind: "not-positive", message: `${name} must be above zero, was ${price}` };
  if (price >= PRICE_MIN && price <= PRICE_MAX) return undefined;
  return { kind: "magnitude", message: `${name} must lie between 0.000001 and 1000000000, was ${price}` };
}

function badSize(name: string, size: number): Found | undefined {
  if (size === Number.POSITIVE_INFINITY) return { kind: "number", message: `${name} must be a number, was ${size}` };
  return size < 0 ? { kind: "size", message: `${name} must not be negative, was ${size}` } : undefined;
}

function backwards(time: number, previous: Float64Array): Found | undefined {
  const last = previous[0] as number;
  if (time >= last) return undefined;
  return { kind: "backwards", message: `time goes back from ${isoText(last)} to ${isoText(time)}` };
}

/** The first row has no previous price. */
function leap(name: string, price: number, last: number, jumpMax: number): Found | undefined {
  if (Number.isNaN(last) || (price <= last * jumpMax && price * jumpMax >= last)) return undefined;
  return {
    kind: "jump",
    message: `${name} leaps from ${last} to ${price}, limit is ${jumpMax} times in one row`,
  };
}

// The target of the readers: a block is filled, checked and passed on, so that a file of any length needs one block of
// memory.

/** Rows of a block, in memory and in a column file: 2.5 MiB of quotes. */
export const BLOCK_ROWS = 65_536;

export class Intake {
  readonly kind: DataKind;
  readonly log: ProblemLog;
  /** The block being filled, in file order; call `next` after each row written at `count`. */
  readonly columns: Columns;
  /** The line or row from which each row came. */
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

  /** Adds one row given as a list in file order. */
  add(place: number, ...values: readonly number[]): void {
    for (let c = 0; c < this.columns.length; c++)
      (this.columns[c] as Float64Array)[this.count] = values[c] ?? Number.NaN;
    this.next(place);
  }

  /** Completes the row written at `count`. */
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

  /** For bars: the smallest step is their length, unless it was declared. */
  get stepMsMin(): number {
    return this.check.stepMsMin;
  }
}
