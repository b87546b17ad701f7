// Whether one source of a pair is ahead of another: the same moves, earlier. A feed that is ahead shows the future, and
// so does one whose rows are stamped with the beginning of the time that they sum up.

import type { BarSource, DataSource, QuoteSource } from "../source.ts";
import { medianOf } from "./gaps.ts";

export type Named = { readonly name: string; readonly source: DataSource };

export type Lead = {
  readonly ahead: string;
  readonly behind: string;
  readonly ms: number;
  /** Correlation of the moves at that distance, and at the same time. */
  readonly there: number;
  readonly here: number;
};

const GRID_MS_MIN = 100;
/** Feeds of two exchanges may be this far apart. */
const LEAD_MS_MIN = 1_000;
const ROWS_MAX = 1_000_000;
const POINTS_MAX = 20_000;
const POINTS_MIN = 100;
const LAGS_MAX = 120;
/** Moves that agree less than this are not the same moves. */
const SAME = 0.5;
/** How much better they must agree at a distance than at the same time. */
const BETTER = 1.5;

export function leadsOf(sources: readonly Named[]): readonly Lead[] {
  return sources.flatMap((one, index) =>
    sources.slice(index + 1).flatMap((other) => {
      const lead = one.source.symbol === other.source.symbol ? leadOf(one, other) : undefined;
      return lead === undefined ? [] : [lead];
    }),
  );
}

export function leadText({ ahead, behind, ms, there, here }: Lead): string {
  return `${ahead} is ${ms / 1_000} s ahead of ${behind}: the same moves come that much earlier (correlation ${there.toFixed(2)} there, ${here.toFixed(2)} at the same time)`;
}

function leadOf(one: Named, other: Named): Lead | undefined {
  const [mine, its] = [rowsOf(one.source), rowsOf(other.source)];
  const gridMs = Math.max(GRID_MS_MIN, stepOf(mine.time), stepOf(its.time));
  const from = Math.max(mine.time[0] as number, its.time[0] as number);
  const points = Math.min(POINTS_MAX, ((Math.min(mine.time.at(-1) ?? 0, its.time.at(-1) ?? 0) - from) / gridMs) | 0);
  if (points < POINTS_MIN) return undefined;
  const [a, b] = [movesOf(mine, from, gridMs, points), movesOf(its, from, gridMs, points)];
  const here = agreement(a, b, 0);
  let best = { lag: 0, there: here };
  const lags = Math.min(LAGS_MAX, points >> 2);
  for (let lag = -lags; lag <= lags; lag++) {
    const there = agreement(a, b, lag);
    if (there > best.there) best = { lag, there };
  }
  if (Math.abs(best.lag) * gridMs < LEAD_MS_MIN || best.there < SAME || best.there < BETTER * here) return undefined;
  const [ahead, behind] = best.lag > 0 ? [one.name, other.name] : [other.name, one.name];
  return { ahead, behind, ms: Math.abs(best.lag) * gridMs, there: best.there, here };
}

type Rows = { readonly time: number[]; readonly price: number[] };

/** Mids of quotes, and closes of bars at their end; of long data the beginning. */
function rowsOf(source: DataSource): Rows {
  const rows: Rows = { time: [], price: [] };
  for (const chunk of (source as QuoteSource | BarSource).chunks())
    for (let i = 0; i < chunk.length && rows.time.length < ROWS_MAX; i++) {
      const isBar = "close" in chunk;
      rows.time.push((chunk.time[i] as number) + (isBar ? chunk.intervalMs : 0));
      rows.price.push(isBar ? (chunk.close[i] as number) : ((chunk.bid[i] as number) + (chunk.ask[i] as number)) / 2);
    }
  return rows;
}

function stepOf(time: readonly number[]): number {
  const steps = time.slice(1, POINTS_MAX).map((at, index) => at - (time[index] as number));
  return steps.length === 0 ? 0 : medianOf(steps);
}

/** Changes of the last known price from one point of the grid to the next, less their mean. */
function movesOf({ time, price }: Rows, from: number, gridMs: number, points: number): Float64Array {
  const moves = new Float64Array(points);
  let row = 0;
  let before = Number.NaN;
  for (let point = 0; point <= points; point++) {
    while (row + 1 < time.length && (time[row + 1] as number) <= from + point * gridMs) row++;
    const now = Math.log(price[row] as number);
    if (point > 0) moves[point - 1] = now - before;
    before = now;
  }
  const mean = moves.reduce((sum, move) => sum + move, 0) / points;
  return moves.map((move) => move - mean);
}

/** Correlation of the moves of `a` with those of `b` that many points later. */
function agreement(a: Float64Array, b: Float64Array, lag: number): number {
  let [both, mine, its] = [0, 0, 0];
  for (let i = Math.max(0, -lag); i < a.length && i + lag < b.length; i++) {
    const [x, y] = [a[i] as number, b[i + lag] as number];
    both += x * y;
    mine += x * x;
    its += y * y;
  }
  return mine > 0 && its > 0 ? both / Math.sqrt(mine * its) : 0;
}
