// Counts the fills of a pair since the last call, for strategies that follow a plan. The count is kept by fill time and
// not by event: after a restart with an older state the same fills come again, and each counts exactly once.

import type { Side } from "../domain/order.ts";
import type { FillView } from "./view.ts";

/** Fills up to `at` are counted, and this many of those exactly at `at`. */
export type FillCount = { at: number; here: number };

/** Before the first call: earlier fills do not count. */
export const NOTHING_COUNTED: Readonly<FillCount> = { at: -1, here: 0 };

/**
 * Base units by side; advances `count`. With `askedAt`, only fills of orders proposed at these times: the view shows
 * the fills of all writers.
 */
export function newFills(
  count: FillCount,
  fills: readonly FillView[],
  symbol: string,
  askedAt?: readonly number[],
): Readonly<Record<Side, number>> {
  const sums: Record<Side, number> = { buy: 0, sell: 0 };
  const newestAt = fills.at(-1)?.at ?? 0;
  const isFirst = count.at < 0;
  let skipped = 0;
  let here = 0;
  for (const { at, symbol: filled, side, quantity, decidedAt } of fills) {
    if (at === newestAt) here++;
    if (isFirst || at < count.at || (at === count.at && skipped++ < count.here)) continue;
    if (filled === symbol && askedAt?.includes(decidedAt) !== false) sums[side] += quantity;
  }
  if (newestAt < count.at) return sums;
  count.at = newestAt;
  count.here = here;
  return sums;
}
