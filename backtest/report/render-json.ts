// A run as plain data for other programs: settings, how it ended, books, every figure, equity and returns in full, and all
// trades; the same of a run that is laid beside it. Amounts are decimal text, what is not known is null. Not yet text: whoever
// writes it makes that, once.

import type { Figures } from "../metric/figures.ts";
import { periodReturns } from "../metric/returns.ts";
import { pairFigures } from "../metric/trades.ts";
import { openedAt, worthSeries } from "../metric/worth.ts";
import type { RunRecord } from "../record/run-record.ts";
import type { Comparison } from "./comparison.ts";
import { unsentOf } from "./refusal-text.ts";
import { tradeRows } from "./trade-rows.ts";

export function renderJson(record: RunRecord, figures: Figures, compared?: Comparison): object {
  return {
    ...runOf(record, figures),
    compared: compared === undefined ? null : { label: compared.label, ...runOf(compared.record, compared.figures) },
  };
}

function runOf(record: RunRecord, figures: Figures): object {
  const { settings, ended, books, samples, refusals, refusedPairs, firstRefusals, caps, worthProblem, timer, said } =
    record;
  const { outside, references, holes, settlements } = record;
  const equity = {
    time: [...samples.time],
    equity: [...samples.equity],
    holding: [...samples.benchmark],
  };
  const trades = tradeRows(record).map((row) => ({
    ...row,
    rate: row.rate ?? null,
    realised: row.realised ?? null,
    realisedAsset: row.realisedAsset ?? null,
  }));
  const opened = { openedAt: openedAt(record), ...books };
  const begin = nullForMissing({ settings, ended, books: opened, figures }) as object;
  const end = nullForMissing({
    refusals,
    refusedPairs,
    firstRefusals,
    caps,
    unsent: unsentOf(record),
    worthProblem,
    timer,
    outside,
    said,
    references,
    holes,
    settlements,
  }) as object;
  const pairs = nullForMissing(pairFigures(record));
  return { ...begin, pairs, equity, returns: returnsOf(record), ...end, trades };
}

/** What Sharpe and its kin are worked out from. */
function returnsOf(record: RunRecord): object {
  const { periodMs, perYear, equity, holding } = periodReturns(worthSeries(record));
  return { periodMs, perYear, equity: [...equity], holding: [...holding] };
}

/** JSON would leave the field out, and a reader could not tell it from a misspelt one. */
export function nullForMissing(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (Array.isArray(value)) return value.map(nullForMissing);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, nullForMissing(part)]));
}
