// A chart as plain data: these files define what is drawn, scripts of the page how. Times are in seconds, as the chart
// library requires; null is a gap.

export type Ink = "main" | "second" | "quiet" | "gain" | "loss" | "warn" | "buy" | "sell" | "other";

export type Unit = "money" | "percent" | "price" | "bps" | "amount" | "ratio" | "count";

export type ChartLine = {
  readonly label: string;
  readonly ink: Ink;
  readonly values: readonly (number | null)[];
  /** Filled down to zero, or up to the previous line. */
  readonly fill?: "zero" | "before";
  readonly dashed?: boolean;
  /** Holds its value until the next one. */
  readonly stepped?: boolean;
};

export type MarkShape = "up" | "down" | "cross";

export type ChartMarks = {
  readonly label: string;
  readonly ink: Ink;
  readonly shape: MarkShape;
  readonly time: readonly number[];
  readonly value: readonly number[];
  /** The number of marks before thinning. */
  readonly of: number;
};

export type TimeChart = {
  readonly kind: "time";
  readonly unit: Unit;
  readonly time: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly marks: readonly ChartMarks[];
};

type Histogram = {
  readonly kind: "histogram";
  readonly unit: Unit;
  /** One more entry than `counts`. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
};

type Drawn = TimeChart | Histogram;

export type Chart = {
  readonly id: string;
  readonly title: string;
  /** One sentence about what the chart shows. */
  readonly note: string;
  readonly size: "wide" | "half";
  /** Undefined when there is nothing to draw; `missing` is the reason. */
  readonly drawn: Drawn | undefined;
  readonly missing: string | undefined;
};

/** `drawn`: the drawing, or the reason for its absence. */
export function chartOf(head: Omit<Chart, "drawn" | "missing">, drawn: Drawn | string): Chart {
  if (typeof drawn === "string") return { ...head, drawn: undefined, missing: drawn };
  return { ...head, drawn, missing: undefined };
}

export function timeChart(
  unit: Unit,
  time: ArrayLike<number>,
  rows: readonly number[],
  lines: readonly ChartLine[],
  marks: readonly ChartMarks[] = [],
): TimeChart {
  return { kind: "time", unit, time: rows.map((row) => seconds(time[row] as number)), lines, marks };
}

export function valuesAt(column: ArrayLike<number>, rows: readonly number[], digits?: number): (number | null)[] {
  return rows.map((row) => compact(column[row] ?? NaN, digits));
}

/**
 * Number of equal time spans in a line: several to a pixel of a wide screen, which draws the extremes of each pixel, so
 * that a zoom shows what the whole could not.
 */
export const SPANS = 2_400;

/** Rounded to enough digits for any screen. */
export function compact(value: number, digits = digitsShown(value)): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(digits)) : null;
}

/** A legend shows two decimals of the largest amount, and both have to be exact. */
function digitsShown(value: number): number {
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  return Math.max(7, whole + 2);
}

export function seconds(ms: number): number {
  return Math.round(ms) / 1_000;
}

export type Bins = { readonly edges: readonly number[]; readonly counts: readonly number[] };

/** `values` must not be empty. */
export function binsFromZero(values: ArrayLike<number> & Iterable<number>, width: number): Bins {
  const binOf = (value: number): number => Math.floor(value / width);
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const first = binOf(low);
  const counts = Array.from({ length: binOf(high) - first + 1 }, () => 0);
  for (const value of values) {
    const bin = binOf(value) - first;
    counts[bin] = (counts[bin] as number) + 1;
  }
  const edges = Array.from({ length: counts.length + 1 }, (_, bin) => compact((first + bin) * width) ?? 0);
  return { edges, counts };
}

export function thinnedRows(time: Float64Array, columns: readonly Float64Array[], spans: number): number[] {
  const length = time.length;
  if (length <= spans * (1 + 2 * columns.length)) return Array.from({ length }, (_, row) => row);
  const start = time[0] as number;
  const width = ((time[length - 1] as number) - start) / spans;
  const kept: number[] = [];
  for (let from = 0; from < length; ) {
    const span = Math.floor(((time[from] as number) - start) / width);
    let to = from + 1;
    while (to < length && (time[to] as number) < start + (span + 1) * width) to++;
    kept.push(...extremes(columns, from, to));
    from = to;
  }
  if (kept.at(-1) !== length - 1) kept.push(length - 1);
  return kept;
}

function extremes(columns: readonly Float64Array[], from: number, to: number): number[] {
  const rows = new Set([from]);
  for (const column of columns) {
    let [low, high] = [-1, -1];
    for (let row = from; row < to; row++) {
      const value = column[row] as number;
      if (Number.isNaN(value)) continue;
      if (low < 0 || value < (column[low] as number)) low = row;
      if (high < 0 || value > (column[high] as number)) high = row;
    }
    if (low >= 0) rows.add(low).add(high);
  }
  return [...rows].sort((a, b) => a - b);
}

/** At most `most` of `count` rows, evenly spread, including the first and the last. */
export function spreadRows(count: number, most: number): number[] {
  if (count <= most) return Array.from({ length: count }, (_, row) => row);
  return Array.from({ length: most }, (_, index) => Math.round((index * (count - 1)) / (most - 1)));
}
