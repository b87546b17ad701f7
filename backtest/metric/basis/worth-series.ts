// Equity and benchmark as growth from 1: what people paid in or out in between is taken out of the step it fell into, so
// that it is neither gain nor loss (time-weighted). Samples without an equity are left out; an equity of nothing or less is
// ruin, and growth stays at zero from there on.

import type { Adopted, Books, RunRecord, Samples } from "../../record/run-record.ts";

export type WorthSeries = {
  readonly length: number;
  readonly time: Float64Array;
  readonly growth: Float64Array;
  /** Of holding the opening inventory. */
  readonly holding: Float64Array;
};

const known = new WeakMap<Samples, { readonly books: Books; readonly series: WorthSeries }>();

/** Several figures and charts ask for it, and a run may have millions of samples: it is worked out once. */
export function worthSeries({ samples, books }: Pick<RunRecord, "samples" | "books">): WorthSeries {
  const found = known.get(samples);
  if (found?.books === books) return found.series;
  const series = seriesOf(knownSamples(samples), books.adopted);
  known.set(samples, { books, series });
  return series;
}

function seriesOf({ length, time, equity, benchmark, sample }: Worth, adopted: readonly Adopted[]): WorthSeries {
  const flows = flowsBetween(sample, adopted);
  const grown = (column: Float64Array): Float64Array => {
    const growth = new Float64Array(length);
    if (length > 0) growth[0] = 1;
    for (let row = 1; row < length; row++) {
      const before = column[row - 1] as number;
      const gain = before > 0 ? ((column[row] as number) - (flows.get(row) ?? 0)) / before : 0;
      growth[row] = (growth[row - 1] as number) * Math.max(0, gain);
    }
    return growth;
  };
  return { length, time, growth: grown(equity), holding: grown(benchmark) };
}

type Worth = Pick<Samples, "length" | "time" | "equity" | "benchmark"> & {
  /** Which of all samples each is. */
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
    // Nothing grows from nothing: the series begins where there is something.
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

/** What was adopted after the sample before and up to this one. Of unknown value counts as nothing: profit is n/a then. */
function flowsBetween(samples: Float64Array, adopted: readonly Adopted[]): ReadonlyMap<number, number> {
  const flows = new Map<number, number>();
  for (const { sample, value } of adopted) {
    const row = samples.findIndex((one) => one >= sample);
    if (row > 0 && value !== undefined) flows.set(row, (flows.get(row) ?? 0) + Number(value));
  }
  return flows;
}
