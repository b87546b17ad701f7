// Charts of the venue's price against our fair value with every order on it.

import { medianOf } from "../../data/gaps.ts";
import { fillEdges } from "../../metric/fills.ts";
import { type Prices, type RunRecord, UNFILLED_ENDS } from "../../record/run-record.ts";
import { rowUntil } from "../../record/run-recorder.ts";
import {
  type Chart,
  type ChartMarks,
  chartOf,
  compact,
  SPANS,
  seconds,
  spreadRows,
  thinnedRows,
  valuesAt,
} from "./spec.ts";

const MARKS_MAX = 2_500;
/** A report of many pairs has fewer spans for each. */
const SPANS_MIN = 600;

export function priceCharts(record: RunRecord): Chart[] {
  return record.prices.map((prices) => {
    const head = {
      id: `price-${slug(prices.symbol)}`,
      title: `${prices.symbol}: price and fair value`,
      size: "wide",
      note: "the venue's bid and ask, fair value, and orders: filled at their price, or not, at their limit",
    } as const;
    if (prices.length < 2) return chartOf(head, "no price of the pair was recorded");
    const { time, bid, ask, fair } = prices;
    const filled = fillMarks(record, prices);
    const rows = drawnRows(record, prices, [bid, ask, fair], filled);
    const marks = [...filled, ...unfilledMarks(record, prices)];
    return chartOf(head, {
      kind: "time",
      unit: "price",
      time: rows.map((row) => seconds(timeIn(time, row))),
      lines: [
        { label: "bid", ink: "quiet", values: valuesAt(bid, rows) },
        { label: "ask", ink: "quiet", values: valuesAt(ask, rows), fill: "before" },
        { label: "fair", ink: "main", values: valuesAt(fair, rows) },
      ],
      marks: marks.filter(({ of }) => of > 0),
    });
  });
}

/** A step longer than this multiple of the usual one means missing samples: the market was closed. */
const MISSING_STEPS = 1.5;

/**
 * A fractional row lies between two rows: nothing is drawn there, because the market was closed. The row before each mark
 * is always drawn, so that it stands on its price at every zoom.
 */
function drawnRows(
  { holes = [], prices: all }: RunRecord,
  { symbol, time, stepMs }: Prices,
  columns: readonly Float64Array[],
  marks: readonly ChartMarks[],
): number[] {
  const spans = Math.max(SPANS_MIN, Math.floor(SPANS / Math.ceil(all.length / 2)));
  const marked = marks.flatMap((one) => one.time.map((at) => Math.max(0, rowUntil(time, at * 1_000))));
  const rows = [...new Set([...thinnedRows(time, columns, spans), ...marked])].sort((a, b) => a - b);
  if (!holes.some((one) => one.symbol === symbol)) return rows;
  const steps = time.subarray(1).map((at, row) => at - (time[row] as number));
  const usualMs = stepMs ?? medianOf([...steps]);
  const closed: number[] = [];
  for (const [row, step] of steps.entries()) if (step > MISSING_STEPS * usualMs) closed.push(row + 0.5);
  return [...rows, ...closed].sort((a, b) => a - b);
}

function timeIn(time: Float64Array, row: number): number {
  return ((time[Math.floor(row)] as number) + (time[Math.ceil(row)] as number)) / 2;
}

function fillMarks({ fills }: RunRecord, { symbol }: Prices): ChartMarks[] {
  const { price } = fillEdges(fills);
  const marks = (side: number, label: string, ink: "buy" | "sell", shape: "up" | "down"): ChartMarks => {
    const rows = rowsOf(fills.length, (row) => fills.symbol[row] === symbol && fills.side[row] === side);
    return { label, ink, shape, ...placed(rows, fills.time, (row) => price[row] as number) };
  };
  return [marks(0, "buys", "buy", "up"), marks(1, "sells", "sell", "down")];
}

/** Unsent orders are marked separately: they show nothing about the price that they would have met. */
function unfilledMarks({ unfilled }: RunRecord, { symbol }: Prices): ChartMarks[] {
  const unsent = UNFILLED_ENDS.indexOf("not-sent");
  const marks = (isSent: boolean, label: string, ink: "loss" | "quiet"): ChartMarks => {
    const isOne = (row: number): boolean =>
      unfilled.symbol[row] === symbol && (unfilled.end[row] !== unsent) === isSent;
    const rows = rowsOf(unfilled.length, isOne);
    return { label, ink, shape: "cross", ...placed(rows, unfilled.time, (row) => unfilled.limit[row] as number) };
  };
  return [marks(true, "not filled", "loss"), marks(false, "not sent", "quiet")];
}

function slug(symbol: string): string {
  return symbol.replace("/", "-");
}

function rowsOf(length: number, counts: (row: number) => boolean): number[] {
  const rows: number[] = [];
  for (let row = 0; row < length; row++) if (counts(row)) rows.push(row);
  return rows;
}

function placed(
  rows: readonly number[],
  time: Float64Array,
  valueAt: (row: number) => number,
): Pick<ChartMarks, "time" | "value" | "of"> {
  const kept = spreadRows(rows.length, MARKS_MAX).map((index) => rows[index] as number);
  return {
    of: rows.length,
    time: kept.map((row) => seconds(time[row] as number)),
    value: kept.map((row) => compact(valueAt(row)) ?? 0),
  };
}
