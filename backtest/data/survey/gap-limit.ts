// What is a gap in data: a step that is much longer than steps usually are. The report about a file and the replay of it go by
// the same limit. The looks are few and by index, whatever the number of rows.

import type { DataSource } from "../source.ts";

export type Steps = {
  /** How long the price of a row usually stands: the median step of quotes, the length of a bar. Of one quote nobody knows: 0. */
  readonly usualMs: number;
  /** Between one row and the next, over an even sample. */
  readonly medianMs: number;
  /** A step longer than this is a gap. */
  readonly limitMs: number;
};

/** Of an even sample of rows. */
export const SAMPLES = 20_000;
/** A step of quotes is a gap when it is longer than a minute and many times the usual; a few times, where that is slow. */
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
    // The first row of all has no step.
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
