// A summary of the data for people: extent, steps, gaps, spread, sizes, volatility, and remarks about oddities. Two
// passes over the source, in the memory of a chunk.

import { isoText } from "../../../src/domain/time-text.ts";
import type { BarColumns, QuoteColumns } from "../../../src/market/column.ts";
import { isOfTwoCurrencies } from "../../../src/market/currency.ts";
import type { BarSource, DataSource, QuoteSource } from "../source.ts";
import { clockRemark, countGaps, type Gaps, medianOf, SAMPLES, stepsOf } from "./gaps.ts";
import { offParRemark } from "./off-par.ts";

export type Survey = {
  readonly symbol: string;
  readonly kind: "quotes" | "bars";
  readonly intervalMs?: number;
  readonly rows: number;
  readonly from: string;
  readonly to: string;
  /** Steps between rows; medians are over an even sample of at most 20,000 rows. Undefined for one row. */
  readonly stepMs?: { readonly median: number; readonly max: number };
  readonly gaps: Gaps;
  /** Mids of quotes; for bars the first open, the last close, the lowest low and the highest high. */
  readonly price: { readonly first: number; readonly last: number; readonly min: number; readonly max: number };
  readonly spreadBps?: { readonly median: number; readonly max: number };
  /** In base units; undefined where the source has none. */
  readonly size?: { readonly median: number; readonly unknownShare: number };
  /** Of log returns, by calendar time; undefined with too few prices. */
  readonly volatilityPerYear?: number;
  /** The longest time during which the price was the same in every row. */
  readonly stillMs: number;
  readonly leftOut: Readonly<Record<string, number>>;
  readonly remarks: readonly string[];
};

const HOUR = 3_600_000;

type Row = { time: number; price: number; open: number; low: number; high: number; spreadBps: number; size: number };

export function survey(source: DataSource): Survey {
  const stride = Math.max(1, Math.ceil(source.rows / SAMPLES));
  const sample: { readonly spreads: number[]; readonly sizes: number[] } = { spreads: [], sizes: [] };
  let [index, known] = [0, 0];
  const { medianMs: medianStep, limitMs } = stepsOf(source);
  const gaps = countGaps(limitMs, isOfTwoCurrencies(source.symbol));
  const volatility = createVolatility(source.lastAt - source.firstAt);
  const price = { first: Number.NaN, last: Number.NaN, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
  let last = Number.NaN;
  let stepMax = 0;
  let spreadMax = 0;
  let unknown = 0;
  let changedAt = source.firstAt as number;
  let stillMs = 0;
  eachRow(source, (row) => {
    if (Number.isNaN(last)) price.first = row.open;
    else {
      gaps.add(last, row.time);
      stepMax = Math.max(stepMax, row.time - last);
    }
    // A gap or a weekend does not count as an unchanged price.
    if (row.price !== price.last || row.time - last > limitMs) changedAt = row.time;
    else stillMs = Math.max(stillMs, row.time - changedAt);
    last = row.time;
    price.last = row.price;
    price.min = Math.min(price.min, row.low);
    price.max = Math.max(price.max, row.high);
    spreadMax = Math.max(spreadMax, row.spreadBps);
    if (index++ % stride === 0) sample.spreads.push(row.spreadBps);
    // Counted separately: unknown sizes may recur in step with the sample.
    if (Number.isNaN(row.size)) unknown++;
    else if (known++ % stride === 0) sample.sizes.push(row.size);
    volatility.add(row.time, row.price);
  });
  const perYear = volatility.perYear();
  const counted = gaps.result();
  const isQuotes = source.kind === "quotes";
  return {
    symbol: source.symbol,
    kind: source.kind,
    ...(isQuotes ? {} : { intervalMs: source.intervalMs }),
    rows: source.rows,
    from: isoText(source.firstAt),
    to: isoText(source.lastAt),
    ...(source.rows > 1 ? { stepMs: { median: medianStep, max: stepMax } } : {}),
    gaps: counted,
    price,
    ...(isQuotes ? { spreadBps: { median: medianOf(sample.spreads), max: spreadMax } } : {}),
    ...(unknown < source.rows ? { size: { median: medianOf(sample.sizes), unknownShare: unknown / source.rows } } : {}),
    ...(perYear === undefined ? {} : { volatilityPerYear: perYear }),
    stillMs,
    leftOut: source.leftOut,
    remarks: [
      clockRemark(counted),
      ...remarksOn(source, medianStep, stillMs),
      offParRemark(source.symbol, { low: price.min, high: price.max }),
    ].filter((one) => one !== undefined),
  };
}

function remarksOn(source: DataSource, medianStep: number, stillMs: number): string[] {
  const remarks: string[] = [];
  // A daily rate may well repeat; a quote every second that stays the same for hours is a frozen feed.
  if (stillMs > Math.max(HOUR, 100 * medianStep))
    remarks.push(`the price stands still for up to ${Math.round(stillMs / 60_000)} minutes while rows go on`);
  if (source.kind === "bars" && medianStep > source.intervalMs)
    remarks.push(`most bars are ${medianStep} ms apart, the length of a bar is ${source.intervalMs} ms`);
  return remarks;
}

/** The callback receives one object that is refilled each time. */
function eachRow(source: DataSource, look: (row: Readonly<Row>) => void): void {
  const row: Row = { time: 0.5, price: 0.5, open: 0.5, low: 0.5, high: 0.5, spreadBps: 0.5, size: 0.5 };
  if (source.kind === "quotes") for (const chunk of (source as QuoteSource).chunks()) eachQuote(chunk, row, look);
  else for (const chunk of (source as BarSource).chunks()) eachBar(chunk, row, look);
}

function eachQuote(
  { length, time, bid, ask, bidSize, askSize }: QuoteColumns,
  row: Row,
  look: (row: Row) => void,
): void {
  for (let i = 0; i < length; i++) {
    const below = bid[i] as number;
    const above = ask[i] as number;
    const middle = (below + above) / 2;
    row.time = time[i] as number;
    row.price = row.open = row.low = row.high = middle;
    row.spreadBps = ((above - below) / middle) * 1e4;
    row.size = ((bidSize[i] as number) + (askSize[i] as number)) / 2;
    look(row);
  }
}

function eachBar(
  { length, time, open, high, low, close, volume }: BarColumns,
  row: Row,
  look: (row: Row) => void,
): void {
  for (let i = 0; i < length; i++) {
    row.time = time[i] as number;
    row.price = close[i] as number;
    row.open = open[i] as number;
    row.low = low[i] as number;
    row.high = high[i] as number;
    row.spreadBps = 0;
    row.size = volume[i] as number;
    look(row);
  }
}

// Realised volatility: squared log returns between the last prices of hours (of minutes, in data of less than two
// days), summed and divided by elapsed time including weekends, as in the parameters of the synthetic market.

const MINUTE = 60_000;
const HOUR_MS = 60 * MINUTE;
const DAY_MS = 24 * HOUR_MS;
const YEAR = 365.25 * DAY_MS;
const STEPS_MIN = 20;

interface Volatility {
  add(time: number, price: number): void;
  /** 0.08 is 8 % a year; undefined with fewer than 20 steps. */
  perYear(): number | undefined;
}

export function createVolatility(spanMs: number): Volatility {
  const grid = spanMs < 2 * DAY_MS ? MINUTE : HOUR_MS;
  let cell = Number.NaN;
  let price = Number.NaN;
  let time = Number.NaN;
  let from = Number.NaN;
  let to = Number.NaN;
  let mark = Number.NaN;
  let sum = 0;
  let steps = 0;
  return {
    add(at, next) {
      const index = Math.floor(at / grid);
      if (index !== cell) {
        // The last price in the previous cell is that cell's price.
        if (Number.isNaN(mark)) from = time;
        else {
          sum += Math.log(price / mark) ** 2;
          steps++;
          to = time;
        }
        mark = price;
        cell = index;
      }
      price = next;
      time = at;
    },
    perYear: () => (steps < STEPS_MIN ? undefined : Math.sqrt((sum / (to - from)) * YEAR)),
  };
}

// The outline of a price over time: lowest and highest per column of a plot.

type Sketch = {
  /** NaN where there is no row. */
  readonly low: Float64Array;
  readonly high: Float64Array;
};

export function sketch(source: DataSource, width: number): Sketch {
  const low = new Float64Array(width).fill(Number.NaN);
  const high = new Float64Array(width).fill(Number.NaN);
  const span = Math.max(1, source.lastAt - source.firstAt);
  const put = (time: number, bottom: number, top: number): void => {
    const at = Math.min(width - 1, Math.floor(((time - source.firstAt) / span) * width));
    if (!(bottom >= (low[at] as number))) low[at] = bottom;
    if (!(top <= (high[at] as number))) high[at] = top;
  };
  if (source.kind === "quotes")
    for (const { length, time, bid, ask } of source.chunks())
      for (let i = 0; i < length; i++) {
        const mid = ((bid[i] as number) + (ask[i] as number)) / 2;
        put(time[i] as number, mid, mid);
      }
  else
    for (const { length, time, high: highs, low: lows } of source.chunks())
      for (let i = 0; i < length; i++) put(time[i] as number, lows[i] as number, highs[i] as number);
  return { low, high };
}
