import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import rebalancer from "../../strategies/rebalancer.ts";
import { answered, bookedOf, filledUntold, toldAsBooked } from "../support/bench-venue.ts";
import { type StrategyBench, strategyBench } from "../support/strategy-bench.ts";

const SYMBOLS = ["VCHF/CHF", "VGBP/GBP", "VGBP/VCHF"];
const SEED = 20_261_115;
const POUND = 1.1;
const FAIR = { "GBP/CHF": POUND, "VGBP/VCHF": POUND };

type Balances = Readonly<Record<string, string>>;

function bench(balances: Balances, params: Readonly<Record<string, unknown>> = {}): StrategyBench {
  const off = "off: orders are alike" as const;
  const limits = {
    ...{ ordersPerMinuteMax: 1_000, duplicateWindowMs: off, offsetWindowMs: off, assetExposureMax: off },
    ...{ dailyLossBpsMax: off, drawdownBpsMax: off, lossesMax: off },
  };
  const settings = { pauseMs: 0, ...params };
  return strategyBench(rebalancer, { symbols: SYMBOLS, balances, fair: FAIR, params: settings, limits });
}

const HALVES = { targets: { CHF: 0.5, VCHF: 0.5 } };

/** Weight less target, of the assets with a target. */
function offsOf(made: StrategyBench, targets: Readonly<Record<string, number>>): Map<string, number> {
  const rate = (asset: string) => (asset.endsWith("GBP") ? POUND : 1);
  const worth = (asset: string) => bookedOf(made, asset) * rate(asset);
  const whole = Object.keys(targets).reduce((sum, asset) => sum + worth(asset), 0);
  return new Map(Object.entries(targets).map(([asset, target]) => [asset, worth(asset) / whole - target]));
}

describe("rebalancer", () => {
  it("waits for the venue's balances before it weighs again", () => {
    const made = bench({ CHF: "70000", VCHF: "30000" }, HALVES);
    made.quote("VCHF/CHF", 0.9999, 1.0001);
    expect(made.lines()).toHaveLength(1);
    filledUntold(made);
    made.quote("VCHF/CHF", 0.9999, 1.0001);
    expect(made.lines()).toEqual([]);
    toldAsBooked(made);
    made.quote("VCHF/CHF", 0.9999, 1.0001);
    expect(made.lines()).toHaveLength(1);
  });

  it("does not pay more than it may", () => {
    const made = bench({ CHF: "70000", VCHF: "30000" }, { ...HALVES, costBpsMax: 5 });
    made.quote("VCHF/CHF", 0.9999, 1.0006);
    expect(made.lines()).toEqual([]);
    made.quote("VCHF/CHF", 0.9999, 1.0005);
    expect(made.lines()).toHaveLength(1);
  });

  it("refuses targets that do not add up to the whole", () => {
    expect(prepareStrategy(rebalancer, { targets: { CHF: 0.5, VCHF: 0.6 } })).toEqual({
      ok: false,
      error: "params.targets: targets must add up to 1",
    });
  });

  it(`never overshoots a band, comes nearer with each order, and ends inside where money suffices (seed ${SEED})`, () => {
    const amount = fc.integer({ min: 5_000, max: 90_000 }).map(String);
    const parts = fc.tuple(fc.nat(100), fc.nat(100), fc.nat(100), fc.integer({ min: 1, max: 100 }));
    const account = fc.record({ CHF: amount, VCHF: amount, GBP: amount, VGBP: amount });
    fc.assert(
      fc.property(account, parts, fc.integer({ min: 50, max: 1_000 }), (balances, [a, b, c, d], bandBps) => {
        const sum = a + b + c + d;
        const targets = { CHF: a / sum, VCHF: b / sum, GBP: c / sum, VGBP: 1 - (a + b + c) / sum };
        const made = bench(balances, { targets, bandBps, size: 20_000 });
        const band = bandBps / 1e4;
        for (let look = 0; look < 40; look++) {
          const symbol = SYMBOLS[look % 3] as string;
          const mid = symbol === "VGBP/VCHF" ? POUND : 1;
          const before = offsOf(made, targets);
          made.quote(symbol, mid * 0.9996, mid * 1.0004);
          if (!answered(made, "fill")) continue;
          for (const [asset, off] of offsOf(made, targets)) {
            const was = before.get(asset) as number;
            // What a trade costs makes the whole smaller, and every other weight a trace larger: 4 bp of the whole at most.
            expect(Math.abs(off), asset).toBeLessThanOrEqual(Math.max(Math.abs(was), band) + 4e-4);
            expect(Math.sign(was) * off, asset).toBeGreaterThanOrEqual(-4e-4);
          }
        }
        expect(made.lines().filter((line) => line.startsWith("refused"))).toEqual([]);
      }),
      { seed: SEED, numRuns: 40 },
    );
  });
});
