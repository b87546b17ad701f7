import { describe, expect, test } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { createRandom } from "../../src/domain/random.ts";
import { createQuoteColumns, rowAt } from "../../src/market/column.ts";

function columnsAt(times: readonly number[]) {
  const columns = createQuoteColumns("VCHF/CHF" as PairSymbol, times.length);
  columns.time.set(times);
  return columns;
}

describe("a row of the columns", () => {
  test("is the last one at or before the time, whatever the hint", () => {
    const seed = 11;
    const random = createRandom(seed);
    let time = 0;
    const times = Array.from({ length: 200 }, () => {
      time += random.integer(0, 3); // some times repeat
      return time;
    });
    const columns = columnsAt(times);
    for (let at = -2; at < time + 3; at++) {
      const expected = times.filter((one) => one <= at).length - 1;
      for (const hint of [0, expected, expected - 1, random.integer(0, 199)])
        expect(rowAt(columns, at, hint), `seed ${seed}, time ${at}, hint ${hint}`).toBe(expected);
    }
  });

  test("is none in empty columns", () => {
    expect(rowAt(columnsAt([]), 5)).toBe(-1);
  });

  test("is read by other threads when the memory is shared", () => {
    expect(createQuoteColumns("VCHF/CHF" as PairSymbol, 2, "shared").bid.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(createQuoteColumns("VCHF/CHF" as PairSymbol, 2).bid.buffer).toBeInstanceOf(ArrayBuffer);
  });
});
