// Equity and benchmark as growth from 1: what people paid in or out in between is taken out of the step it fell into, so
// that it is neither gain nor loss (time-weighted). Samples without an equity are left out.

import type { Adopted, RunRecord, Samples } from "../../record/run-record.ts";

export type WorthSeries = {
  readonly length: number;
  readonly time: Float64Array;
  readonly growth: Float64Array;
  /** Of holding the opening inventory. */
  readonly holding: Float64Array;
};

export function worthSeries({ samples, books }: Pick<RunRecord, "samples" | "books">): WorthSeries {
  const rows = knownRows(samples);
  const time = Float64Array.from(rows, (row) => samples.time[row] as number);
  const flows = flowsBetween(time, books.adopted);
  const grown = (column: Float64Array): Float64Array => {
    const growth = new Float64Array(rows.length);
    rows.forEach((row, index) => {
      const before = rows[index - 1];
      if (before === undefined) growth[index] = 1;
      else {
        const gain = ((column[row] as number) - (flows[index] as number)) / (column[before] as number);
        growth[index] = (growth[index - 1] as number) * gain;
      }
    });
    return growth;
  };
  return { length: rows.length, time, growth: grown(samples.equity), holding: grown(samples.benchmark) };
}

function knownRows({ length, equity, benchmark }: Samples): readonly number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row++)
    if ((equity[row] as number) > 0 && (benchmark[row] as number) > 0) rows.push(row);
  return rows;
}

/** What was adopted after the sample before and up to this one. Of unknown value counts as nothing: profit is n/a then. */
function flowsBetween(time: Float64Array, adopted: readonly Adopted[]): Float64Array {
  const flows = new Float64Array(time.length);
  for (const { at, value } of adopted) {
    const row = time.findIndex((one) => one >= at);
    if (row > 0 && value !== undefined) flows[row] = (flows[row] as number) + Number(value);
  }
  return flows;
}
