import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { millis } from "../../src/domain/time.ts";
import { dueBy, twap, wholeSize } from "../../src/strategy/twap.ts";
import { answered } from "../support/bench-venue.ts";
import { type StrategyBench, strategyBench } from "../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF";
const MINUTE = 60_000;
const SEED = 20_261_115;
/** That the venue takes. */
const LEAST = 10;

function bench(params: Readonly<Record<string, unknown>>, balances = { CHF: "100000", VCHF: "100000" }): StrategyBench {
  const off = "off: orders are alike, and killed on purpose" as const;
  const limits = { ordersPerMinuteMax: 1_000, duplicateWindowMs: off, rejectsPerSymbolMax: off, rejectsMax: off };
  const grids = { [SYMBOL]: { quantityMin: String(LEAST), quantityDecimals: 2 } };
  return strategyBench(twap, { symbols: [SYMBOL], balances, params: { pauseMs: 0, ...params }, limits, grids });
}

function sizes(made: StrategyBench): number[] {
  return made.lines().map((line) => Number(line.split(" ")[1]));
}

function stateOf(made: StrategyBench): { done: number; said: string } {
  return made.state as { done: number; said: string };
}

describe("twap", () => {
  it("buys a slice at once and one more with each part of the time", () => {
    const made = bench({ size: 400, minutes: 4, slices: 4 });
    for (let minute = 0; minute < 4; minute++) {
      made.quote(SYMBOL, 0.9998, 1);
      expect(sizes(made)).toEqual([100]);
      made.fill();
      made.quote(SYMBOL, 0.9998, 1);
      expect(sizes(made)).toEqual([]);
      if (minute === 0)
        expect(stateOf(made)).toMatchObject({ why: expect.stringMatching(/^the last order was filled/) });
      made.pass(MINUTE - 3_000);
    }
    made.quote(SYMBOL, 0.9998, 1);
    expect(made.lines()).toEqual([]);
    expect(stateOf(made)).toMatchObject({ done: 400, said: "done: 400", why: "" });
  });

  it("counts only its own orders: what somebody else bought of the pair is no part of it", () => {
    const made = bench({ size: 400, minutes: 4, slices: 4 });
    made.quote(SYMBOL, 0.9998, 1);
    made.fill();
    const order = { symbol: SYMBOL as PairSymbol, side: "buy", limit: 1, size: 250, lifetimeMs: undefined } as const;
    made.engine.step({ kind: "timer", receivedAt: millis(made.now + 500) }, { ...order, reason: "by a person" });
    made.fill();
    made.quote(SYMBOL, 0.9998, 1);
    expect(stateOf(made)).toMatchObject({ done: 100 });
    made.restart({ hard: true });
    made.quote(SYMBOL, 0.9998, 1);
    expect(stateOf(made)).toMatchObject({ done: 100 });
  });

  it("catches up after orders were killed, with at most so many slices in one order", () => {
    const made = bench({ size: 1000, minutes: 10, slices: 10, catchUp: 3, side: "sell" });
    for (let minute = 0; minute < 5; minute++) {
      made.quote(SYMBOL, 1, 1.0002);
      made.reject();
      made.pass(MINUTE - 2_000);
    }
    expect(sizes(made)).toEqual([100, 200, 300, 300, 300]);
    for (let look = 0; look < 3; look++) {
      made.quote(SYMBOL, 1, 1.0002);
      answered(made, "fill");
    }
    // Six slices are due by now.
    expect(sizes(made)).toEqual([300, 300]);
    expect(stateOf(made)).toMatchObject({
      said: "under way",
      why: expect.stringMatching(/^the last order was filled/),
    });
  });

  it("waits while the price costs too much, and says so when the deadline has passed", () => {
    const made = bench({ size: 400, minutes: 2, slices: 4, costBpsMax: 5 });
    made.quote(SYMBOL, 1, 1.0006);
    made.pass(2 * MINUTE);
    made.quote(SYMBOL, 0.9998, 1);
    expect(made.lines()).toEqual([]);
    expect(stateOf(made)).toMatchObject({ done: 0, said: "ended with 400 left: the price costs 6.0 bp, at most 5" });
  });

  it("leaves no rest that is below the minimum", () => {
    const bounds = { least: 10, room: 100 };
    expect(wholeSize(50, { ...bounds, left: 200 })).toBe(50);
    expect(wholeSize(50, { ...bounds, left: 55 })).toBe(55);
    expect(wholeSize(100, { ...bounds, left: 105 })).toBe(95);
    expect(wholeSize(12, { least: 10, room: 12, left: 15 })).toBeUndefined();
    expect(wholeSize(5, { ...bounds, left: 200 })).toBeUndefined();
  });

  it("is never due for less than before, nor for more than the parent size", () => {
    const terms = fc.record({
      size: fc.double({ min: 1, max: 1e6, noNaN: true }),
      slices: fc.integer({ min: 1, max: 500 }),
      minutes: fc.double({ min: 0.1, max: 1e4, noNaN: true }),
    });
    const times = fc.array(fc.nat({ max: 10_000 * MINUTE }), { maxLength: 20 });
    fc.assert(
      fc.property(terms, times, (term, elapsed) => {
        const due = [...elapsed.sort((one, other) => one - other), term.minutes * MINUTE].map((ms) => dueBy(term, ms));
        expect(Math.max(...due)).toBeLessThanOrEqual(term.size);
        expect(dueBy(term, term.minutes * MINUTE)).toBe(term.size);
        for (let i = 1; i < elapsed.length; i++) expect(due[i]).toBeGreaterThanOrEqual(due[i - 1] as number);
      }),
      { seed: SEED },
    );
  });

  it(`never orders below the minimum or above its catch-up, and ends at the parent size or says why (seed ${SEED})`, () => {
    const plan = fc.record({
      size: fc.double({ min: 5, max: 5_000, noNaN: true }),
      slices: fc.integer({ min: 1, max: 40 }),
      catchUp: fc.integer({ min: 2, max: 5 }),
      side: fc.constantFrom("buy", "sell"),
    });
    const market = fc.record({
      wait: fc.constantFrom(1_000, 20_000, 90_000),
      isBad: fc.boolean(),
      answer: fc.constantFrom("fill" as const, "fill" as const, "fill" as const, "kill" as const),
    });
    fc.assert(
      fc.property(plan, fc.array(market, { minLength: 10, maxLength: 60 }), (params, looks) => {
        const made = bench({ ...params, minutes: 20, costBpsMax: 5 });
        const most = params.catchUp * Math.max(params.size / params.slices, LEAST);
        for (const { wait, isBad, answer } of looks) {
          made.pass(wait);
          const away = isBad ? 0.002 : 0.0001;
          made.quote(SYMBOL, 1 - away, 1 + away);
          answered(made, answer);
        }
        for (const size of sizes(made)) {
          expect(size).toBeGreaterThanOrEqual(LEAST);
          expect(size).toBeLessThanOrEqual(most + 1e-9);
        }
        made.pass(20 * MINUTE);
        made.quote(SYMBOL, 0.9999, 1.0001);
        const { done, said } = stateOf(made);
        expect(done).toBeLessThanOrEqual(params.size + 1e-9);
        expect(said).toMatch(params.size - done < 0.01 ? /^done: / : /^ended with [0-9.]+ left: .+/);
      }),
      { seed: SEED, numRuns: 60 },
    );
  });
});
