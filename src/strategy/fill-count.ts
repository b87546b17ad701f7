// What was filled of a pair since it was last asked, for strategies that follow a plan. What was counted is kept by the time of
// fills and not by events: after a restart with an older state the same fills come again, and each counts exactly once.

import type { Side } from "../domain/order.ts";
import type { FillView } from "./view.ts";

/** Fills up to `at` are counted, and of those at that very moment so many. */
export type FillCount = { at: number; here: number };

/** Before the first look: what had been filled until then was not ours to count. */
export const NOTHING_COUNTED: Readonly<FillCount> = { at: -1, here: 0 };

/** Base units by side; moves `count` on. With `askedAt` only those of orders that were proposed at one of these times: anybody's fills are shown. */
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
