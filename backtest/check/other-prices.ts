// Other prices for the look-ahead check: a future that differs from a cut on, and a recording whose rows come in
// another order.

import type { Millis } from "../../src/domain/time.ts";
import type { Market } from "../../src/simulator/market/market.ts";
import { COLUMNS, type DataSource } from "../data/source.ts";

/** Coarse, so that any use of the future becomes visible. */
export const CHANGES = ["rise", "scramble"] as const;
type Change = (typeof CHANGES)[number];

const LEAP = 1.03;
const SCRAMBLE = 0.004;
/** Half a basis point: less than a strategy acts on, and enough that no price is the one of a table. */
const JITTER = 0.00005;

function factorOf(change: Change, at: number): number {
  return change === "rise" ? LEAP : 1 + SCRAMBLE * drawn(at);
}

/** Uniform in [-1, 1), derived from the time alone. */
function drawn(at: number): number {
  let word = Math.imul(Math.floor(at) ^ Math.floor(at / 0x1_0000_0000), 0x9e3779b1);
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (((word ^ (word >>> 16)) >>> 0) / 0x1_0000_0000) * 2 - 1;
}

/** Everything before the cut is identical to the bit, and every price from the cut on another. */
export function changedMarket(market: Market, cut: Millis, change: Change): Market {
  return {
    ...market,
    read(symbol, at, into, shift) {
      if (!market.read(symbol, at, into, shift)) return false;
      const factor = at < cut ? 1 : factorOf(change, at);
      into.bid *= factor;
      into.ask *= factor;
      return true;
    },
    rate(base, quote, at) {
      const rate = market.rate(base, quote, at);
      return at < cut || rate === undefined || base === quote ? rate : rate * factorOf(change, at);
    },
  };
}

type Undo = () => void;

/**
 * In place, so that a strategy that holds the columns sees the change too. A bar that is open at the cut keeps its open:
 * the rest of it is not known yet.
 */
export function changeFrom(source: DataSource, cut: Millis, change: Change): Undo {
  const [time, ...values] = rowsOf(source);
  const isBar = source.kind === "bars";
  const prices = values.slice(0, isBar ? 4 : 2).map((column, c) =>
    column.map((price, row) => {
      const at = time[row] as number;
      const isKnown = at < cut && !(isBar && c > 0 && at + source.intervalMs > cut);
      return isKnown ? price : price * factorOf(change, at);
    }),
  );
  if (isBar) {
    const [open, high, low, close] = prices as [Float64Array, Float64Array, Float64Array, Float64Array];
    for (const row of time.keys()) {
      const all = [open, high, low, close].map((column) => column[row] as number);
      high[row] = Math.max(...all);
      low[row] = Math.min(...all);
    }
  }
  return replaced(values, prices);
}

/** The last two thirds come first, jittered; times stay. */
export function rotate(source: DataSource): Undo {
  const [time, ...values] = rowsOf(source);
  const third = Math.floor(time.length / 3);
  const moved = values.map((column) =>
    column.map(
      (_, row) => (column[(row + third) % column.length] as number) * (1 + JITTER * drawn(time[row] as number)),
    ),
  );
  return replaced(values, moved);
}

function replaced(columns: readonly Float64Array[], by: readonly Float64Array[]): Undo {
  const before = columns.map((column) => column.slice());
  for (const [c, column] of by.entries()) columns[c]?.set(column);
  return () => {
    for (const [c, column] of before.entries()) columns[c]?.set(column);
  };
}

/** The recordings of a check are in memory as a whole. */
function rowsOf(source: DataSource): [Float64Array, ...Float64Array[]] {
  const [chunk] = [...source.chunks()] as unknown as readonly Readonly<Record<string, Float64Array>>[];
  return COLUMNS[source.kind].map((name) => chunk?.[name] ?? new Float64Array()) as [Float64Array, ...Float64Array[]];
}
