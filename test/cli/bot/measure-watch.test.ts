// A measure of prices that is configured and missing is said once.

import { expect, test } from "vitest";
import { measureWatch } from "../../../src/cli/bot/measure-watch.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";

test("a measure that is missing at two looks in a row is said once, and once that it is there again", () => {
  const said: string[] = [];
  let isMissing = true;
  const other = { source: "kraken", symbol: "GBP/CHF" as PairSymbol, text: "GBP/CHF is jumping" };
  const missing = {
    source: "ecb",
    symbol: "GBP/CHF" as PairSymbol,
    text: "prices of GBP/CHF are measured with no daily rate",
  };
  const look = measureWatch(
    ["ecb"],
    () => (isMissing ? [other, missing] : [other]),
    (level, text) => void said.push(`${level} ${text}`),
  );
  look();
  expect(said).toEqual([]);
  for (let i = 0; i < 5; i++) look();
  isMissing = false;
  for (let i = 0; i < 5; i++) look();
  expect(said).toEqual([
    "warn reference ecb: prices of GBP/CHF are measured with no daily rate",
    "info reference ecb: prices are measured with it again",
  ]);
});
