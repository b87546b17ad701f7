// What a data file holds, for people and for its manifest: extent, steps, gaps, prices. One pass in the memory of a
// chunk.

import { DAY_MS } from "../../src/domain/time.ts";
import { isoText } from "../../src/domain/time-text.ts";
import { stepsOf } from "./gaps.ts";
import type { DataSource } from "./source.ts";

export type Summary = ReturnType<typeof summaryOf>;

const LISTED = 5;

export function summaryOf(source: DataSource) {
  const { medianMs, limitMs } = stepsOf(source);
  const gaps: { readonly from: string; readonly to: string; readonly ms: number }[] = [];
  let [count, weekends, longestMs] = [0, 0, 0];
  const price = { first: Number.NaN, last: Number.NaN, min: Number.POSITIVE_INFINITY, max: 0 };
  let last = Number.NaN;
  for (const chunk of source.chunks()) {
    const [opens, lows, highs, closes] =
      "bid" in chunk ? [chunk.bid, chunk.bid, chunk.ask, chunk.ask] : [chunk.open, chunk.low, chunk.high, chunk.close];
    for (let row = 0; row < chunk.length; row++) {
      const time = chunk.time[row] as number;
      const ms = time - last;
      longestMs = ms > longestMs ? ms : longestMs;
      if (ms > limitMs && isWeekend(last, time)) weekends++;
      else if (ms > limitMs) {
        count++;
        gaps.push({ from: isoText(last), to: isoText(time), ms });
        gaps.sort((one, other) => other.ms - one.ms);
        gaps.length = Math.min(gaps.length, LISTED);
      }
      last = time;
      price.min = Math.min(price.min, lows[row] as number);
      price.max = Math.max(price.max, highs[row] as number);
      price.last = closes[row] as number;
      if (Number.isNaN(price.first)) price.first = opens[row] as number;
    }
  }
  return {
    symbol: source.symbol,
    kind: source.kind,
    ...(source.kind === "bars" ? { intervalMs: source.intervalMs } : {}),
    rows: source.rows,
    from: isoText(source.firstAt),
    to: isoText(source.lastAt),
    stepMs: { median: medianMs, max: longestMs },
    gaps: { limitMs, count, weekends, longest: gaps },
    price,
    leftOut: source.leftOut,
  };
}

/** From a Friday to a Sunday or a Monday, as the currency markets close. */
function isWeekend(from: number, to: number): boolean {
  return to - from < 3 * DAY_MS && new Date(from).getUTCDay() === 5 && new Date(to).getUTCDay() < 2;
}
