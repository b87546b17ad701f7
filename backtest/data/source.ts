// The two kinds of data and their columns in file order. The first is the time; sizes and volumes may be unknown (NaN),
// all others are required.

import type { PairSymbol } from "../../src/domain/asset.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { BarColumns, QuoteColumns } from "../../src/market/column.ts";

export const COLUMNS = {
  quotes: ["time", "bid", "ask", "bidSize", "askSize"],
  bars: ["time", "open", "high", "low", "close", "volume"],
} as const;

export type DataKind = keyof typeof COLUMNS;
export const COLUMN_NAMES = [...COLUMNS.quotes, ...COLUMNS.bars.slice(1)] as const;
export type ColumnName = (typeof COLUMNS)[DataKind][number];

/** Columns that a source may leave out. */
export const OPTIONAL: ReadonlySet<string> = new Set(["bidSize", "askSize", "volume"]);

export type Columns = readonly Float64Array[];

type F = Float64Array;
export type QuoteArrays = [time: F, bid: F, ask: F, bidSize: F, askSize: F];
export type BarArrays = [time: F, open: F, high: F, low: F, close: F, volume: F];

export type Subject =
  | { readonly kind: "quotes"; readonly symbol: PairSymbol }
  | { readonly kind: "bars"; readonly symbol: PairSymbol; readonly intervalMs: number };

function quoteColumns(symbol: PairSymbol, length: number, columns: Columns): QuoteColumns {
  const [time, bid, ask, bidSize, askSize] = columns as QuoteArrays;
  return { symbol, length, time, bid, ask, bidSize, askSize };
}

function barColumns(symbol: PairSymbol, intervalMs: number, length: number, columns: Columns): BarColumns {
  const [time, open, high, low, close, volume] = columns as BarArrays;
  return { symbol, length, intervalMs, time, open, high, low, close, volume };
}

// The input of a backtest: columns in order of time, chunk by chunk, from a file that is never in memory as a whole,
// from memory, or from a generator. A reader finishes a chunk before it takes the next.

/** From `from` (inclusive) to `to` (exclusive). */
export type Span = { readonly from?: Millis; readonly to?: Millis };

type Extent = {
  readonly symbol: PairSymbol;
  readonly rows: number;
  readonly firstAt: Millis;
  readonly lastAt: Millis;
  /** Rows of the original that were left out when it was read, per reason. */
  readonly leftOut: LeftOut;
};

export type LeftOut = Readonly<Record<string, number>>;

export type QuoteSource = Extent & {
  readonly kind: "quotes";
  /** A chunk's memory may be reused for the next one: finish reading it first. */
  chunks(span?: Span): Iterable<QuoteColumns>;
};

export type BarSource = Extent & {
  readonly kind: "bars";
  readonly intervalMs: number;
  chunks(span?: Span): Iterable<BarColumns>;
};

export type DataSource = QuoteSource | BarSource;

/** Blocks of raw columns of any kind, with their number of rows. */
type Blocks = (span: Span) => Iterable<{ readonly columns: Columns; readonly count: number }>;

export function sourceOf(subject: Subject, extent: Omit<Extent, "symbol">, blocks: Blocks): DataSource {
  const { symbol } = subject;
  if (subject.kind === "quotes")
    return {
      ...extent,
      symbol,
      kind: "quotes",
      *chunks(span = {}) {
        for (const { columns, count } of blocks(span)) yield quoteColumns(symbol, count, columns);
      },
    };
  const { intervalMs } = subject;
  return {
    ...extent,
    symbol,
    kind: "bars",
    intervalMs,
    *chunks(span = {}) {
      for (const { columns, count } of blocks(span)) yield barColumns(symbol, intervalMs, count, columns);
    },
  };
}

export function subjectOf(source: DataSource): Subject {
  const { symbol } = source;
  return source.kind === "bars" ? { kind: "bars", symbol, intervalMs: source.intervalMs } : { kind: "quotes", symbol };
}

/** Columns in memory as one chunk, without a copy. */
export function memorySource(subject: Subject, columns: Columns, leftOut: LeftOut = {}): DataSource {
  const times = columns[0] as Float64Array;
  const rows = times.length;
  const firstAt = millis(times[0] ?? Number.NaN);
  const extent = { rows, firstAt, lastAt: millis(times[rows - 1] ?? Number.NaN), leftOut };
  return sourceOf(subject, extent, function* (span) {
    const within = cut(columns, rows, span);
    if (within.count > 0) yield within;
  });
}

/** The rows of a block within the span, as views of the same memory. */
export function cut(columns: Columns, count: number, { from, to }: Span): { columns: Columns; count: number } {
  const times = columns[0] as Float64Array;
  const first = from === undefined ? 0 : firstAtOrAfter(times, count, from);
  const end = to === undefined ? count : firstAtOrAfter(times, count, to);
  if (first === 0 && end === times.length) return { columns, count };
  const last = Math.max(first, end);
  return { columns: columns.map((column) => column.subarray(first, last)), count: last - first };
}

function firstAtOrAfter(times: Float64Array, count: number, at: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
