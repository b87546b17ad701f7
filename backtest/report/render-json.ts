// A run as plain data for other programs: settings, books, every figure, equity as drawn, and all trades. Amounts are decimal
// text, what is not known is null. Not yet text: whoever writes it makes that, once.

import type { Figures } from "../figures.ts";
import type { RunRecord } from "../record/run-record.ts";
import { SPANS } from "./chart/spec.ts";
import { thinnedRows } from "./thin.ts";
import { tradeRows } from "./trade-rows.ts";

export function renderJson(record: RunRecord, figures: Figures): object {
  const { settings, books, samples, refusals, references, holes, settlements } = record;
  const rows = thinnedRows(samples.time, [samples.equity, samples.benchmark], SPANS);
  const column = (values: Float64Array): number[] => rows.map((row) => values[row] as number);
  const equity = { time: column(samples.time), equity: column(samples.equity), holding: column(samples.benchmark) };
  const trades = tradeRows(record).map((row) => ({ ...row, rate: row.rate ?? null, realised: row.realised ?? null }));
  const begin = nullForMissing({ settings, books, figures }) as object;
  const end = nullForMissing({ refusals, references, holes, settlements }) as object;
  return { ...begin, equity, ...end, trades };
}

/** JSON would leave the field out, and a reader could not tell it from a misspelt one. */
function nullForMissing(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (Array.isArray(value)) return value.map(nullForMissing);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, nullForMissing(part)]));
}
