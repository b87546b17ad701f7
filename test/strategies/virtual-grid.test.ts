import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { millis } from "../../src/domain/time.ts";
import virtualGrid from "../../strategies/virtual-grid.ts";
import { answered, bookedOf } from "../support/bench-venue.ts";
import { type StrategyBench, strategyBench } from "../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF";
const SEED = 20_261_115;
/** Levels are 10 bp apart around 1: 0.998 to 1.002. */
const level = (index: number): number => 1 + (index - 2) * 0.001;

function bench(params: Readonly<Record<string, unknown>> = {}): StrategyBench {
  const off = "off: orders are alike, and killed on purpose" as const;
  const limits = {
    ...{ ordersPerMinuteMax: 1_000, duplicateWindowMs: off, offsetWindowMs: off },
    ...{ rejectsPerSymbolMax: off, rejectsMax: off, lossesMax: off, orderValueMax: off, orderQuantityMax: off },
  };
  const balances = { CHF: "100000", VCHF: "100000" };
  const grid = { stepBps: 10, cells: 4, size: 1_000, pauseMs: 0, ...params };
  return strategyBench(virtualGrid, { symbols: [SYMBOL], balances, params: grid, limits });
}

function at(made: StrategyBench, mid: number): readonly string[] {
  made.quote(SYMBOL, mid - 0.0001, mid + 0.0001);
  return made.lines().map((line) => line.split(":")[0] as string);
}

function cellsOf(made: StrategyBench): number[] {
  return (made.state as { cells: number[] }).cells;
}

describe("virtual-grid", () => {
  it("puts nobody else's fill into the cell whose order is out", () => {
    const made = bench();
    at(made, 1);
    expect(at(made, 0.9989)).toEqual(["buy 1000 VCHF/CHF at 0.999"]);
    made.reject();
    const order = {
      symbol: SYMBOL as PairSymbol,
      side: "buy",
      limit: 0.9991,
      size: 250,
      lifetimeMs: undefined,
    } as const;
    made.engine.step({ kind: "timer", receivedAt: millis(made.now + 500) }, { ...order, reason: "by a person" });
    made.fill();
    at(made, 1);
    expect(cellsOf(made)).toEqual([0, 0, 1000, 1000]);
  });

  it("waits between levels, buys when the ask has come down to one, and sells a step above", () => {
    const made = bench();
    expect(at(made, 1)).toEqual([]);
    expect(at(made, 0.9993)).toEqual([]);
    expect(at(made, 0.9989)).toEqual(["buy 1000 VCHF/CHF at 0.999"]);
    made.fill();
    expect(cellsOf(made)).toEqual([0, 0, 1000, 1000]);
    expect(at(made, 0.9989)).toEqual([]);
    expect(cellsOf(made)).toEqual([0, 1000, 1000, 1000]);
    expect(at(made, 1)).toEqual([]);
    expect(at(made, 1.0002)).toEqual(["sell 1000 VCHF/CHF at 1"]);
    made.fill();
    // Armed again: the same cell buys at its lower level once more.
    expect(at(made, 0.9989)).toEqual(["buy 1000 VCHF/CHF at 0.999"]);
  });

  it("orders no half cells", () => {
    const made = bench({ size: 45_000, cells: 6 });
    at(made, 1);
    at(made, 0.9985);
    made.fill();
    expect(at(made, 0.9975)).toHaveLength(1);
    made.fill();
    // 10,000 CHF are left: not a whole cell.
    expect(at(made, 0.9965)).toEqual([]);
  });

  it(`never holds more than its cells allow, and earns with every round trip (seed ${SEED})`, () => {
    const looks = fc.array(
      fc.record({
        bps: fc.integer({ min: -40, max: 40 }),
        answer: fc.constantFrom("fill" as const, "fill" as const, "kill" as const),
      }),
      { minLength: 5, maxLength: 80 },
    );
    fc.assert(
      fc.property(looks, (path) => {
        const made = bench({ centre: 1 });
        for (const { bps, answer } of path) {
          at(made, 1 + bps / 1e4);
          answered(made, answer);
        }
        at(made, 1);
        const cells = cellsOf(made);
        for (const held of cells) expect([0, 1_000]).toContain(held);
        const [coin, cash] = ["VCHF", "CHF"].map((asset) => bookedOf(made, asset) - 100_000);
        // Two cells of the four were full at the start.
        expect(coin).toBeCloseTo(cells.reduce((sum, held) => sum + held, 0) - 2_000, 6);
        // What the cells hold more or less than at the start was dealt at their levels, or better; all else are round trips.
        const dealt = cells.reduce((sum, held, cell) => {
          const isBelow = cell < 2;
          if (isBelow === held > 0) return sum + (isBelow ? -1 : 1) * 1_000 * level(isBelow ? cell : cell + 1);
          return sum;
        }, 0);
        expect(cash as number).toBeGreaterThanOrEqual(dealt - 1e-6);
      }),
      { seed: SEED, numRuns: 80 },
    );
  });
});
