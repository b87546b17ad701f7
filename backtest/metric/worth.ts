// Equity and benchmark of a run over time, as growth from 1, and the time over which they are known.

import { DAY_MS } from "../../src/domain/time.ts";
import type { Adopted, RunRecord, Samples } from "../record/run-record.ts";
import { duration } from "../report/format.ts";
import { type Figure, notAvailable, oncePer } from "./figure.ts";

export type WorthSeries = {
  readonly length: number;
  readonly time: Float64Array;
  readonly growth: Float64Array;
  /** Growth of holding the opening inventory. */
  readonly holding: Float64Array;
};

/**
 * Deposits and withdrawals are removed from the step in which they fall (time-weighted). Samples without equity are
 * left out; equity of zero or less is ruin, and growth stays at zero from there on.
 */
export const worthSeries = oncePer(({ samples, books }: Pick<RunRecord, "samples" | "books">): WorthSeries => {
  const { length, time, equity, benchmark, sample } = knownSamples(samples);
  const flows = flowsBetween(sample, books.adopted);
  const grown = (column: Float64Array): Float64Array => {
    const growth = new Float64Array(length);
    if (length > 0) growth[0] = 1;
    // From the last flow on it is one quotient: a product over all samples would gather their rounding.
    let [start, level] = [0, 1];
    for (let row = 1; row < length; row++) {
      const flow = flows.get(row);
      const over = flow === undefined ? { base: start, by: level } : { base: row - 1, by: growth[row - 1] as number };
      const gain = ((column[row] as number) - (flow ?? 0)) / (column[over.base] as number);
      growth[row] = growth[row - 1] === 0 ? 0 : over.by * Math.max(0, gain);
      if (flow !== undefined) [start, level] = [row, growth[row] as number];
    }
    return growth;
  };
  return { length, time, growth: grown(equity), holding: grown(benchmark) };
});

type Worth = Pick<Samples, "length" | "time" | "equity" | "benchmark"> & {
  /** Index of each row among all samples. */
  readonly sample: Float64Array;
};

function knownSamples({ length, ...columns }: Samples): Worth {
  const time = new Float64Array(length);
  const equity = new Float64Array(length);
  const benchmark = new Float64Array(length);
  const sample = new Float64Array(length);
  let rows = 0;
  for (let row = 0; row < length; row++) {
    const [worth, untraded] = [columns.equity[row] as number, columns.benchmark[row] as number];
    // Growth needs a positive start: the series begins at the first positive equity and benchmark.
    const isKnown = rows === 0 ? worth > 0 && untraded > 0 : !Number.isNaN(worth) && !Number.isNaN(untraded);
    if (!isKnown) continue;
    time[rows] = columns.time[row] as number;
    equity[rows] = worth;
    sample[rows] = row;
    benchmark[rows++] = untraded;
  }
  const cut = (column: Float64Array): Float64Array => column.subarray(0, rows);
  return { length: rows, time: cut(time), equity: cut(equity), benchmark: cut(benchmark), sample: cut(sample) };
}

/**
 * Adoptions after the previous sample and up to this one. An adoption of unknown value counts as zero: profit is n/a
 * then.
 */
function flowsBetween(samples: Float64Array, adopted: readonly Adopted[]): ReadonlyMap<number, number> {
  const flows = new Map<number, number>();
  for (const { sample, value } of adopted) {
    const row = samples.findIndex((one) => one >= sample);
    if (row > 0 && value !== undefined) flows.set(row, (flows.get(row) ?? 0) + Number(value));
  }
  return flows;
}

type Opened = Pick<RunRecord, "settings"> & { readonly samples: Pick<RunRecord["samples"], "time"> };

/** Undefined where the books never opened. */
export function openedAt({ samples }: Pick<Opened, "samples">): number | undefined {
  return samples.time[0];
}

/** The length of the whole run where the books never opened. */
export function daysOpen({ samples, settings: { from, to } }: Opened): number {
  return (to - (openedAt({ samples }) ?? from)) / DAY_MS;
}

/**
 * Tolerated fraction of time without equity since the books opened: a moment without a rate changes no figure, hours
 * do.
 */
const UNKNOWN_MAX = 0.01;

/** Why there is no figure of equity; undefined where equity is known nearly all the time, and at the end. */
export function worthGap({ samples, settings }: Pick<RunRecord, "samples" | "settings">): Figure<never> | undefined {
  const { length, time } = samples;
  const isUnknown = (row: number): boolean =>
    Number.isNaN((samples.equity[row] as number) + (samples.benchmark[row] as number));
  let first = 0;
  while (first < length && isUnknown(first)) first++;
  if (first === length) return undefined;
  let unknownMs = 0;
  for (let row = first; row < length; row++)
    if (isUnknown(row)) unknownMs += (time[row + 1] ?? settings.to) - (time[row] as number);
  const allMs = settings.to - (time[first] as number);
  const isLong = unknownMs > UNKNOWN_MAX * allMs;
  if (!isLong && !isUnknown(length - 1)) return undefined;
  const when = isLong ? `for ${duration(unknownMs)} of ${duration(allMs)}` : "at the end";
  return notAvailable(`equity is unknown ${when}: ${unratedText(samples)} has no rate in ${settings.currency}`);
}

function unratedText({ assets }: RunRecord["samples"]): string {
  const unrated = assets.filter(({ held, rate }) =>
    held.some((amount, row) => amount !== 0 && Number.isNaN(rate[row])),
  );
  return unrated.length === 0 ? "something held" : unrated.map(({ asset }) => asset).join(", ");
}
