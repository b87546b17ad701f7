// What a data file holds, for people and for its manifest: extent, steps, gaps, prices.

import { DAY_MS } from "../../src/domain/time.ts";
import { isoText } from "../../src/domain/time-text.ts";
import { gapsIn, stepsOf } from "./gaps.ts";
import { type DataSource, subjectOf } from "./source.ts";

export type Summary = ReturnType<typeof summaryOf>;

const LISTED = 5;

export function summaryOf(source: DataSource) {
  const { medianMs, limitMs } = stepsOf(source);
  const all = [...gapsIn(source, limitMs)];
  const gaps = all.filter(([last, next]) => !isWeekend(last, next)).sort(([a, b], [c, d]) => d - c - (b - a));
  const price = { first: Number.NaN, last: Number.NaN, min: Number.POSITIVE_INFINITY, max: 0 };
  for (const chunk of source.chunks()) {
    const [opens, lows, highs, closes] =
      "bid" in chunk ? [chunk.bid, chunk.bid, chunk.ask, chunk.ask] : [chunk.open, chunk.low, chunk.high, chunk.close];
    if (Number.isNaN(price.first)) price.first = opens[0] as number;
    for (let row = 0; row < chunk.length; row++) {
      price.min = Math.min(price.min, lows[row] as number);
      price.max = Math.max(price.max, highs[row] as number);
    }
    price.last = closes[chunk.length - 1] as number;
  }
  return {
    ...subjectOf(source),
    rows: source.rows,
    from: isoText(source.firstAt),
    to: isoText(source.lastAt),
    stepMs: medianMs,
    gaps: {
      limitMs,
      count: gaps.length,
      weekends: all.length - gaps.length,
      longest: gaps
        .slice(0, LISTED)
        .map(([last, next]) => ({ from: isoText(last), to: isoText(next), ms: next - last })),
    },
    price,
    leftOut: source.leftOut,
  };
}

/** From a Friday to a Sunday or a Monday, as the currency markets close. */
function isWeekend(from: number, to: number): boolean {
  return to - from < 3 * DAY_MS && new Date(from).getUTCDay() === 5 && new Date(to).getUTCDay() < 2;
}
