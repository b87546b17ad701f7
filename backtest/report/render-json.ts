// A run as plain JSON for other programs: settings, books, every figure, equity as drawn, and all trades. Amounts are decimal
// text, what is not known is null.

import type { Figures } from "../figures.ts";
import type { RunRecord } from "../record/run-record.ts";
import { SPANS } from "./chart/spec.ts";
import { thinnedRows } from "./thin.ts";
import { tradeRows } from "./trade-rows.ts";

export function renderJson(record: RunRecord, figures: Figures): string {
  const { settings, books, samples, refusals, settlements } = record;
  const rows = thinnedRows(samples.time, [samples.equity, samples.benchmark], SPANS);
  const column = (values: Float64Array): number[] => rows.map((row) => values[row] as number);
  const equity = { time: column(samples.time), equity: column(samples.equity), holding: column(samples.benchmark) };
  const trades = tradeRows(record);
  return JSON.stringify({ settings, books, figures, equity, refusals, settlements, trades }, nullForMissing);
}

/** JSON would leave the field out, and a reader could not tell it from a misspelt one. */
function nullForMissing(_: string, value: unknown): unknown {
  return value === undefined ? null : value;
}
