// What a chart is, as plain data: these files say what is drawn, src/watch/chart/page and report/page say how. Times are seconds, because the chart
// library wants them so; null is a gap.

export type Ink = "main" | "second" | "quiet" | "gain" | "loss" | "warn" | "buy" | "sell" | "other";

export type Unit = "money" | "percent" | "price" | "bps" | "amount" | "ratio" | "count";

export type ChartLine = {
  readonly label: string;
  readonly ink: Ink;
  readonly values: readonly (number | null)[];
  /** Filled down to zero, or up to the line before it. */
  readonly fill?: "zero" | "before";
  readonly dashed?: boolean;
  /** Holds its value until the next one. */
  readonly stepped?: boolean;
};

export type MarkShape = "up" | "down" | "cross" | "ring";

export type ChartMarks = {
  readonly label: string;
  readonly ink: Ink;
  readonly shape: MarkShape;
  readonly time: readonly number[];
  readonly value: readonly number[];
  /** How many there were before some were left out. */
  readonly of: number;
};

export type TimeChart = {
  readonly kind: "time";
  readonly unit: Unit;
  readonly time: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly marks: readonly ChartMarks[];
};

export type Histogram = {
  readonly kind: "histogram";
  readonly unit: Unit;
  /** One more than counts. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
};

export type Waterfall = {
  readonly kind: "waterfall";
  readonly unit: Unit;
  readonly steps: readonly { readonly label: string; readonly from: number; readonly to: number; readonly ink: Ink }[];
};

/** Means with their errors at named places. */
export type Curve = {
  readonly kind: "curve";
  readonly unit: Unit;
  readonly places: readonly string[];
  /** What a place is, before its name; "after" unless told. */
  readonly across?: string;
  readonly curves: readonly {
    readonly label: string;
    readonly ink: Ink;
    readonly points: readonly ({ readonly mean: number; readonly error: number } | null)[];
  }[];
};

export type Stack = {
  readonly kind: "stack";
  readonly unit: Unit;
  readonly time: readonly number[];
  readonly spanS: number;
  readonly layers: readonly { readonly label: string; readonly ink: Ink; readonly values: readonly number[] }[];
};

export type Timeline = {
  readonly kind: "timeline";
  readonly from: number;
  readonly to: number;
  readonly lanes: readonly {
    readonly label: string;
    readonly bars: readonly { readonly from: number; readonly to: number; readonly ink: Ink; readonly text: string }[];
  }[];
};

export type Drawn = TimeChart | Histogram | Waterfall | Curve | Stack | Timeline;

export type Chart = {
  readonly id: string;
  readonly title: string;
  /** One sentence: what is seen here. */
  readonly note: string;
  readonly size: "wide" | "half";
  /** Undefined: there is nothing to draw, and `missing` says why. */
  readonly drawn: Drawn | undefined;
  readonly missing: string | undefined;
};

/** How many equal spans of time a line is drawn from: about a pixel each on a wide screen. */
export const SPANS = 600;

/** Enough digits for any screen. */
export function compact(value: number, digits = digitsShown(value)): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(digits)) : null;
}

/** A legend shows two decimals of the largest amount, and they have to be its own. */
function digitsShown(value: number): number {
  const whole = Math.floor(Math.log10(Math.abs(value))) + 1;
  return Math.max(7, whole + 2);
}

export function seconds(ms: number): number {
  return Math.round(ms) / 1_000;
}
