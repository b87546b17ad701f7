// What a row of a source comes to, whoever read it.

import { expect, it } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { readTick } from "../../../src/market/feed/feed.ts";

it.each([
  ["3000.5", 3_000.5],
  [0, 0],
  ["-1", undefined],
  [-0.001, undefined],
  [Number.POSITIVE_INFINITY, undefined],
  ["1,5", undefined],
  [undefined, undefined],
])("a size of %s counts as %s, and leaves the price alone", (raw, size) => {
  const row = { symbol: "GBP/USD" as PairSymbol, bid: "1.31", ask: "1.32", at: undefined };
  expect(readTick({ ...row, bidSize: raw, askSize: "2" })).toEqual({
    ticks: [{ ...row, bid: 1.31, ask: 1.32, bidSize: size, askSize: 2 }],
  });
  expect(readTick({ ...row, bidSize: "2", askSize: raw }).ticks[0]).toMatchObject({ bidSize: 2, askSize: size });
});
