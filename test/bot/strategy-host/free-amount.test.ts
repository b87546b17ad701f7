import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineStrategy, z } from "../../../src/strategy/strategy.ts";
import { strategyBench } from "../../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF";
const SEED = 20_261_115;

/** Asks for a part of all that is free. */
const spender = defineStrategy({
  name: "spender",
  params: z.object({ part: z.number(), side: z.enum(["buy", "sell"]) }),
  decide({ quote, params, balanceOf, buy, sell }) {
    const free = balanceOf(params.side === "buy" ? "CHF" : "VCHF")?.free ?? 0;
    return params.side === "buy"
      ? buy(SYMBOL, { limit: quote.ask, size: (free * params.part) / quote.ask, reason: "all of it" })
      : sell(SYMBOL, { limit: quote.bid, size: free * params.part, reason: "all of it" });
  },
});

function asked(balances: { CHF: string; VCHF: string }, params: object, limits = {}): string {
  const bench = strategyBench(spender, { symbols: [SYMBOL], balances, params: { ...params }, limits });
  bench.quote(SYMBOL, 0.9999, 1.0001);
  return bench.lines().join();
}

describe("what a view shows as free", () => {
  it(`is what the gate lets out: all of it passes whole, a thousandth more is made smaller by RC17 (seed ${SEED})`, () => {
    const amount = fc.integer({ min: 1_000, max: 14_000 }).map(String);
    const limits = fc.record({
      reserveBpsMin: fc.constantFrom(50, 100, 1_000, "off: for the test" as const),
      feeBpsMax: fc.constantFrom(1, 20, 99),
    });
    const side = fc.constantFrom("buy" as const, "sell" as const);
    fc.assert(
      fc.property(fc.record({ CHF: amount, VCHF: amount }), side, limits, (balances, which, kept) => {
        expect(asked(balances, { part: 1, side: which }, kept)).toMatch(/^(buy|sell) [^,]*: all of it$/);
        expect(asked(balances, { part: 1.001, side: which }, kept)).toContain("capped by RC17");
      }),
      { seed: SEED, numRuns: 60 },
    );
  });
});
