// The two kinds of data and their columns, in the order in which they lie in files. The first is the time; sizes and
// volumes may be unknown (NaN), everything else must be there.

import type { PairSymbol } from "../../src/domain/asset.ts";
import type { BarColumns, QuoteColumns } from "../../src/market/column.ts";

export const COLUMNS = {
  quotes: ["time", "bid", "ask", "bidSize", "askSize"],
  bars: ["time", "open", "high", "low", "close", "volume"],
} as const;

export type DataKind = keyof typeof COLUMNS;
export type ColumnName = (typeof COLUMNS)[DataKind][number];

/** What a source may leave out. */
export const OPTIONAL: ReadonlySet<string> = new Set(["bidSize", "askSize", "volume"]);

/** The columns of any kind in file order. */
export type Columns = readonly Float64Array[];

/** What the numbers are about. */
export type Subject =
  | { readonly kind: "quotes"; readonly symbol: PairSymbol }
  | { readonly kind: "bars"; readonly symbol: PairSymbol; readonly intervalMs: number };

export function quoteColumns(symbol: PairSymbol, length: number, columns: Columns): QuoteColumns {
  const [time, bid, ask, bidSize, askSize] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return { symbol, length, time, bid, ask, bidSize, askSize };
}

export function barColumns(symbol: PairSymbol, intervalMs: number, length: number, columns: Columns): BarColumns {
  const [time, open, high, low, close, volume] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return { symbol, length, intervalMs, time, open, high, low, close, volume };
}
