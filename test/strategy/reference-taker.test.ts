import { describe, expect, it } from "vitest";
import { referenceTaker, uncertaintyBps } from "../../src/strategy/reference-taker.ts";
import { strategyBench } from "../support/strategy-bench.ts";

const SYMBOL = "USDC/CHF";
const RATE = 0.8;

function bench(params: Readonly<Record<string, unknown>> = {}) {
  const fair = { [SYMBOL]: RATE };
  const balances = { CHF: "50000", USDC: "62500" };
  const made = strategyBench(referenceTaker, { symbols: [SYMBOL], balances, fair, params: { skewBps: 0, ...params } });
  // Looks at a fair value that stands still: there is no walk to be unsure of.
  for (let look = 0; look <= 10; look++) made.quote(SYMBOL, 0.7995, 0.8005);
  expect(made.lines()).toEqual([]);
  return made;
}

describe("reference-taker", () => {
  it("is unsure by the noise of references and by the walk until an order arrives", () => {
    const terms = { noiseBps: 1, delayMs: 2_000, sigmas: 2 };
    expect(uncertaintyBps(terms, 0, 0)).toBe(2);
    // Four square basis points a second for three seconds, and one of noise: 2 x sqrt(13).
    expect(uncertaintyBps(terms, 4, 1_000)).toBeCloseTo(2 * Math.sqrt(13), 12);
  });

  it("takes a quote that beats fair value by edge, fee and uncertainty, and leaves one that does not", () => {
    // 2 of edge, 1 of fee, 2 x 1 of noise: 5 bp of 0.8 are 0.0004.
    const both = bench({ feeBps: 1 });
    both.quote(SYMBOL, 0.799, 0.799_601);
    expect(both.lines()).toEqual([]);
    both.quote(SYMBOL, 0.799, 0.799_59);
    expect(both.lines()).toEqual(["buy 2500 USDC/CHF at 0.7996: ask 0.79959 is 5.1 bp under fair 0.80000, wanted 5.0"]);
    both.fill();
    both.pass(10_000);
    both.quote(SYMBOL, 0.800_399, 0.8008);
    expect(both.lines()).toEqual([]);
    both.quote(SYMBOL, 0.800_41, 0.8008);
    expect(both.lines()).toEqual(["sell 2500 USDC/CHF at 0.8004: bid 0.80041 is 5.1 bp over fair 0.80000, wanted 5.0"]);
  });

  it("asks more while fair value walks", () => {
    const both = bench();
    for (let look = 0; look < 20; look++) {
      both.fair(SYMBOL, RATE * (1 + (look % 2) / 1e3));
      both.quote(SYMBOL, 0.7995, 0.8015);
    }
    both.fair(SYMBOL, RATE);
    // 5 bp would do for a rate that stands still; this one has just walked 10 bp every second.
    both.quote(SYMBOL, 0.7985, 0.7994);
    expect(both.lines()).toEqual([]);
  });

  it("does not trade before it has seen ten moves of fair value, however good the price", () => {
    const balances = { CHF: "50000", USDC: "62500" };
    const fresh = strategyBench(referenceTaker, { symbols: [SYMBOL], balances, fair: { [SYMBOL]: RATE } });
    for (let look = 0; look < 10; look++) fresh.quote(SYMBOL, 0.797, 0.7975);
    expect(fresh.lines()).toEqual([]);
    fresh.quote(SYMBOL, 0.797, 0.7975);
    expect(fresh.lines()).toHaveLength(1);
  });

  it("does nothing without a fair value", () => {
    const blind = bench();
    blind.fair(SYMBOL, undefined);
    blind.pass(60_000);
    blind.quote(SYMBOL, 0.79, 0.791);
    expect(blind.lines()).toEqual([]);
  });
});
