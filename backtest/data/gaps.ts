// Defines a gap in data: a step much longer than usual. The report about a file and its replay use the same limit. The
// search samples by index, so its cost hardly depends on the number of rows.

import type { DataSource } from "./source.ts";

type Steps = {
  /**
   * How long the price of a row is usually valid: the median step of quotes, the length of a bar. 0 (unknown) for a
   * single quote.
   */
  readonly usualMs: number;
  /** Median step between rows, over an even sample. */
  readonly medianMs: number;
  /** A step longer than this is a gap. */
  readonly limitMs: number;
};

/** Size of the even sample of rows. */
const SAMPLES = 20_000;
/**
 * A step of quotes is a gap when it is longer than a minute and many times the usual step; a few times, where quotes
 * are slow.
 */
const GAP_MS_MIN = 60_000;
const GAP_STEPS = 20;
const GAP_SLOW_STEPS = 3;

export function stepsOf(source: DataSource): Steps {
  const medianMs = source.rows > 1 ? medianOf(sampledSteps(source)) : 0;
  if (source.kind === "bars") return { usualMs: source.intervalMs, medianMs, limitMs: source.intervalMs };
  const limitMs = Math.max(GAP_MS_MIN, medianMs * (medianMs < GAP_MS_MIN ? GAP_STEPS : GAP_SLOW_STEPS));
  return { usualMs: medianMs, medianMs, limitMs };
}

function sampledSteps(source: DataSource): number[] {
  const stride = Math.max(1, Math.ceil(source.rows / SAMPLES));
  const steps: number[] = [];
  let before = 0;
  let last = Number.NaN;
  for (const { time, length } of source.chunks()) {
    // The very first row has no step.
    const first = before === 0 ? stride : (stride - (before % stride)) % stride;
    for (let row = first; row < length; row += stride)
      steps.push((time[row] as number) - (row === 0 ? last : (time[row - 1] as number)));
    before += length;
    last = time[length - 1] as number;
  }
  return steps;
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

// Holes in recorded prices: steps longer than usual. The last price before a hole stays valid for the usual time; from
// then until the next row the price is unknown.

export type HolesIn = {
  /** A longer step between two rows is a hole. */
  readonly limitMs: number;
  /** Start and end of each hole, in order; the end is the time of the next row and is exclusive. */
  readonly from: Float64Array;
  readonly to: Float64Array;
};

export function holesIn(source: DataSource): HolesIn {
  const { usualMs, limitMs } = stepsOf(source);
  const gaps = [...gapsIn(source, limitMs)];
  return {
    limitMs,
    from: Float64Array.from(gaps, ([last]) => last + Math.max(1, usualMs)),
    to: Float64Array.from(gaps, ([, next]) => next),
  };
}

/** The times of the rows before and after each step that is longer than the limit. */
export function* gapsIn(source: DataSource, limitMs: number): Generator<readonly [last: number, next: number]> {
  let last = Number.NaN;
  for (const { time, length } of source.chunks())
    for (let row = 0; row < length; row++) {
      const next = time[row] as number;
      if (next - last > limitMs) yield [last, next];
      last = next;
    }
}
