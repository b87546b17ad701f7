// `blind-taker` on the bench, where a person is the venue that shows no quotes; and a quarter of a day of two markets.

import { describe, expect, it } from "vitest";
import { blindTaker } from "../../src/strategy/blind-taker.ts";
import { type BenchOptions, type StrategyBench, strategyBench } from "../support/strategy-bench.ts";

const MINUTE = 60_000;
const SYMBOL = "VCHF/CHF";

function blindBench(options: Partial<BenchOptions> = {}) {
  const bench = strategyBench(blindTaker, {
    symbols: [SYMBOL],
    balances: { CHF: "60000", VCHF: "40000" },
    fair: { [SYMBOL]: 1 },
    params: { symbols: [SYMBOL] },
    ...options,
  });
  bench.engine.books.hideQuotes();
  return bench;
}

/** The orders of this many seconds. */
function linesOf(bench: StrategyBench, seconds: number): readonly string[] {
  for (let second = 0; second < seconds; second++) bench.pass(1_000);
  return bench.lines();
}

/** Whether there was an order; it fills 30 bp from par. */
function filledWell(bench: StrategyBench): boolean {
  const [line] = bench.lines();
  if (line === undefined) return false;
  bench.fill(line.startsWith("buy") ? 0.997 : 1.003);
  bench.lines();
  return true;
}

describe("blind-taker", () => {
  it("asks at the limit that leaves edge and skew, and says what it expects", () => {
    const bench = blindBench();
    const [line, ...others] = linesOf(bench, 3);
    // 1 bp of edge and 0.4 of 10 bp of skew.
    expect(line).toMatch(
      /^buy 2500 VCHF\/CHF at 0\.9995: no quote: 5\.0 bp under fair 1\.00000 fills with \d+ %, expected gain \d\.\d\d$/,
    );
    expect(others).toEqual([]);
  });

  it("asks again where an order filled, and ever less often where none does", () => {
    const bench = blindBench();
    bench.pass(1_000);
    bench.fill(0.9991);
    bench.lines();
    expect(linesOf(bench, 6)[0]).toMatch(/^buy 2500 VCHF\/CHF at 0\.9994/);
    bench.kill();
    const unfilled = [30_000, 30_000, 300_000].map((lengthMs) => {
      let orders = 0;
      for (const end = bench.now + lengthMs; bench.now < end; ) {
        bench.pass(1_000);
        if (!bench.lines().some((line) => line.startsWith("buy"))) continue;
        orders++;
        bench.kill();
      }
      return orders / lengthMs;
    });
    expect(unfilled).toEqual(unfilled.toSorted((one, other) => other - one));
    expect(unfilled[2]).toBeLessThan((unfilled[0] ?? 0) / 2);
    expect(bench.engine.host.said?.text).toMatch(
      /^the venue shows no quotes, and no order is expected to gain 0\.\d+: waits/,
    );
  });

  it("sends no more orders in a UTC day than it may, and dearer ones the faster it spends them", () => {
    const few = blindBench({ params: { symbols: [SYMBOL], ordersPerDay: 2 }, start: "2026-01-05T01:00:00Z" });
    const filled = (bench: StrategyBench): number => {
      let orders = 0;
      for (let second = 0; second < 120; second++) {
        bench.pass(1_000);
        if (filledWell(bench)) orders++;
      }
      return orders;
    };
    expect(filled(few)).toBe(2);
    few.pass(20 * 60 * MINUTE);
    expect(linesOf(few, 60)).toEqual([]);
    expect(few.engine.host.said?.text).toContain("orders (ordersPerDay) are used up");
    few.pass(3 * 60 * MINUTE);
    expect(few.lines()).toHaveLength(1);
    expect(filled(blindBench({ params: { symbols: [SYMBOL], ordersPerDay: 10_000 } }))).toBeGreaterThan(10);
  });

  it("leaves out what the gate refuses", () => {
    const bench = blindBench({ limits: { collarBps: 4 } });
    expect(linesOf(bench, 3)).toEqual([]);
  });

  it("draws the share of limits that it is told to, welcome ones with their odds, until a day of them costs too much", () => {
    const drawn = (params: object, fills = true): readonly { limit: number; odds: number | undefined }[] => {
      const bench = blindBench({ params: { symbols: [SYMBOL], ordersPerDay: 20_000, ...params } });
      const found: { limit: number; odds: number | undefined }[] = [];
      for (let second = 0; second < (fills ? 1_800 : 60); second++) {
        const { decisions } = bench.pass(1_000);
        for (const { proposal } of decisions)
          if (proposal !== undefined) found.push({ limit: proposal.limit, odds: proposal.odds });
        if (fills) filledWell(bench);
        else if (bench.lines().length > 0) bench.kill();
      }
      return found;
    };
    expect(new Set(drawn({}).map(({ odds }) => odds))).toEqual(new Set([undefined]));
    const free = drawn({ exploreShare: 0.4, exploreLossMax: 1_000 });
    const rare = free.filter(({ odds = 1 }) => odds < 0.5);
    // Three of the four welcome limits are not the chosen one: 0.4 * 3 / 4 of the orders, each with 0.1.
    expect(rare.length / free.length).toBeGreaterThan(0.15);
    expect(rare.length / free.length).toBeLessThan(0.45);
    expect(new Set(rare.map(({ odds }) => odds))).toEqual(new Set([0.1]));
    expect(rare.every(({ limit }) => Math.abs(limit - 1) > 3.5e-4)).toBe(true);
    // Where orders do not fill, a better limit is expected to gain less.
    const [costly, bounded] = [1_000, 0].map((exploreLossMax) =>
      drawn({ exploreShare: 0.4, exploreLossMax }, false).filter(({ odds = 1 }) => odds < 0.5),
    );
    expect(costly?.length).toBeGreaterThan(0);
    expect(bounded).toEqual([]);
  });
});
