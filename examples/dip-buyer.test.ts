//     node --test examples/dip-buyer.test.ts

import assert from "node:assert/strict";
import { test } from "node:test";
import { strategyBench } from "pegbot/testing";
import dipBuyer from "./dip-buyer.ts";

test("buys at a price that is low enough, and waits for its end", () => {
  const bench = strategyBench(dipBuyer, { symbols: ["VCHF/CHF"], balances: { CHF: "20000", VCHF: "0" } });
  bench.quote("VCHF/CHF", 0.9997, 1.0003);
  assert.deepEqual(bench.lines(), []);
  bench.quote("VCHF/CHF", 0.9984, 0.999);
  assert.deepEqual(bench.lines(), ["buy 500 VCHF/CHF at 0.9992: 8 bp below fair value"]);
  bench.quote("VCHF/CHF", 0.9984, 0.999);
  assert.deepEqual(bench.lines(), []);
  bench.fill();
});
