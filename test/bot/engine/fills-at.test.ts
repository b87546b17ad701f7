// Where a fill pays the order's limit, a limit beyond the quote would be a gift to the venue.

import { expect, test } from "vitest";
import { strategyBench } from "../../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF";

test.each([
  ["limit", "buy", 1, "buy 500 VCHF/CHF at 0.999: cheap"],
  ["limit", "sell", 0.997, "sell 500 VCHF/CHF at 0.998: cheap"],
  // Not as far as the quote: as it was proposed.
  ["limit", "buy", 0.9985, "buy 500 VCHF/CHF at 0.9985: cheap"],
  ["price", "buy", 1, "buy 500 VCHF/CHF at 1: cheap"],
] as const)("fillsAt %s: a %s at %d", (fillsAt, side, limit, line) => {
  const decide = () => ({ symbol: SYMBOL, side, limit, size: "500", reason: "cheap" });
  const balances = { CHF: "10000", VCHF: "10000" };
  const bench = strategyBench({ name: "taker", decide }, { symbols: [SYMBOL], balances, settings: { fillsAt } });
  bench.quote(SYMBOL, 0.998, 0.999);
  expect(bench.lines()).toEqual([line]);
});
