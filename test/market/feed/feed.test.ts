// What a row of a source comes to, whoever read it.

import { expect, it } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { Random } from "../../../src/domain/random.ts";
import { readTick, restMs } from "../../../src/market/feed/feed.ts";

it.each([
  ["3000.5", 3_000.5],
  ["-1", undefined],
  ["1,5", undefined],
])("a size of %s counts as %s, and leaves the price alone", (raw, size) => {
  const row = { symbol: "GBP/USD" as PairSymbol, bid: "1.31", ask: "1.32", at: undefined };
  expect(readTick({ ...row, bidSize: raw, askSize: "2" })).toEqual({
    ticks: [{ ...row, bid: 1.31, ask: 1.32, bidSize: size, askSize: 2 }],
  });
  expect(readTick({ ...row, bidSize: "2", askSize: raw }).ticks[0]).toMatchObject({ bidSize: 2, askSize: size });
});

it("names what is wrong with the bid before what is wrong with the ask, and takes one price for both", () => {
  const row = { symbol: "GBP/USD" as PairSymbol, at: undefined };
  expect(readTick({ ...row, bid: "1,31", ask: "much" }).trouble).toBe(
    "GBP/USD is a comma for a point: bid 1,31, ask much",
  );
  expect(readTick({ ...row, bid: "1.31", ask: "1.31" }).trouble).toBeUndefined();
});

it("rests not at all after a good answer, and up to twice as long after each that failed, within what is most", () => {
  const luck = (next: number) => ({ next: () => next }) as Random;
  const rests = [0, 1, 2, 3, 4, 5, 60].map((failures) => restMs(failures, luck(1), 1_000, 8_000));
  expect(rests).toEqual([0, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  expect(restMs(2, luck(0.25), 1_000, 8_000)).toBe(500);
});
