// How a future is made another one: what was is kept to the bit, and every price from the cut on is changed. The changes are
// coarse, so that whoever looked at the future sees something else there.

import { invariant } from "../../src/domain/invariant.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { emptyTop, type Market } from "../../src/simulator/market/market.ts";
import type { DataSource } from "../data/source.ts";

export const CHANGES = ["rise", "fall", "mirror", "scramble"] as const;
export type Change = (typeof CHANGES)[number];

const LEAP = 1.03;
const SCRAMBLE = 0.004;

/** `before` is the price at the cut. */
function factorOf(change: Change, at: number, price: number, before: number): number {
  switch (change) {
    case "rise":
      return LEAP;
    case "fall":
      return 1 / LEAP;
    case "mirror":
      return Math.min(2, Math.max(0.5, (2 * before - price) / price));
    case "scramble":
      return 1 + SCRAMBLE * (2 * drawn(at) - 1);
  }
}

function sizeFactor(change: Change, at: number): number {
  return change === "scramble" ? 0.5 + drawn(at + 1) : 1;
}

/** Uniform in [0, 1) by the time alone. */
function drawn(at: number): number {
  let word = Math.imul(Math.floor(at) ^ Math.floor(at / 0x1_0000_0000), 0x9e3779b1);
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return ((word ^ (word >>> 16)) >>> 0) / 0x1_0000_0000;
}

export function changedMarket(market: Market, cut: Millis, change: Change): Market {
  const before = emptyTop();
  return {
    read(symbol, at, into) {
      if (at < cut || !market.read(symbol, cut, before)) return market.read(symbol, at, into);
      if (!market.read(symbol, at, into)) return false;
      const middle = (before.bid + before.ask) / 2;
      const factor = factorOf(change, at, (into.bid + into.ask) / 2, middle);
      into.bid *= factor;
      into.ask *= factor;
      into.bidSize *= sizeFactor(change, at);
      into.askSize *= sizeFactor(change, at);
      return true;
    },
    rate(base, quote, at) {
      const rate = market.rate(base, quote, at);
      if (at < cut || rate === undefined || base === quote) return rate;
      return rate * factorOf(change, at, rate, market.rate(base, quote, cut) ?? rate);
    },
    depthEpoch: (at) => market.depthEpoch(at),
  };
}

type Undo = () => void;

/**
 * Changes the columns where they lie, so that whoever has got hold of them sees the change too; what it gives puts all back.
 * A bar that goes on at the cut keeps its open: the rest of it is not known yet.
 */
export function changeColumns(source: DataSource, cut: Millis, change: Change): Undo {
  const undo: Undo[] = [];
  if (source.kind === "quotes") {
    for (const { time, bid, ask, bidSize, askSize, length } of source.chunks()) {
      invariant(length === source.rows, "columns must lie in memory as a whole to be changed there");
      undo.push(...[bid, ask, bidSize, askSize].map(kept));
      const first = firstFrom(time, length, cut);
      const last = Math.max(0, first - 1);
      const before = ((bid[last] as number) + (ask[last] as number)) / 2;
      for (let row = first; row < length; row++) {
        const at = time[row] as number;
        const factor = factorOf(change, at, ((bid[row] as number) + (ask[row] as number)) / 2, before);
        scale([bid, ask], row, factor);
        scale([bidSize, askSize], row, sizeFactor(change, at));
      }
    }
  } else {
    for (const { time, open, high, low, close, volume, length } of source.chunks()) {
      invariant(length === source.rows, "columns must lie in memory as a whole to be changed there");
      undo.push(...[open, high, low, close, volume].map(kept));
      const first = firstFrom(time, length, millis(cut - source.intervalMs + 1));
      const before = close[Math.max(0, first - 1)] as number;
      for (let row = first; row < length; row++) {
        const at = time[row] as number;
        const factor = factorOf(change, at, close[row] as number, before);
        scale(at < cut ? [high, low, close] : [open, high, low, close], row, factor);
        scale([volume], row, sizeFactor(change, at));
        const prices = [open[row], high[row], low[row], close[row]] as number[];
        high[row] = Math.max(...prices);
        low[row] = Math.min(...prices);
      }
    }
  }
  return () => {
    for (const one of undo) one();
  };
}

function scale(columns: readonly Float64Array[], row: number, factor: number): void {
  for (const column of columns) column[row] = (column[row] as number) * factor;
}

function kept(column: Float64Array): Undo {
  const copy = column.slice();
  return () => column.set(copy);
}

function firstFrom(time: Float64Array, length: number, at: number): number {
  let row = 0;
  while (row < length && (time[row] as number) < at) row++;
  return row;
}
