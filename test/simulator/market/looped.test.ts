import { expect, it } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import { createQuoteColumns } from "../../../src/market/column.ts";
import { loopedTime, loopedTrack, type Track } from "../../../src/simulator/market/recorded.ts";

const SYMBOL = "VCHF/CHF" as PairSymbol;

/** Says what it was asked for. */
function asked(): { readonly track: Track; readonly times: number[] } {
  const times: number[] = [];
  const place = { columns: createQuoteColumns(SYMBOL, 1), row: 0 };
  const find = (at: number) => {
    times.push(at);
    return place;
  };
  return { track: { symbol: SYMBOL, find }, times };
}

it("a record begins at the start, goes by the clock, and begins anew after its end", () => {
  const { track, times } = asked();
  const looped = loopedTrack(track, loopedTime({ firstAt: 100, lastAt: 199 }, 5_000));
  for (const at of [5_000, 5_001, 5_099, 5_100, 5_250, 4_999, 4_900]) looped.find(millis(at));
  expect(times).toEqual([100, 101, 199, 100, 150, 199, 100]);
  expect(looped.symbol).toBe(SYMBOL);
});
