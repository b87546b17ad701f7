import { describe, expect, it } from "vitest";
import { type Synthesis, syntheticBlocks } from "../../../backtest/data/synthetic.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { emptyTop } from "../../../src/simulator/market/market.ts";
import { DEMO_MARKET } from "../../../src/simulator/market/parameters.ts";
import { setParameters } from "../../../src/simulator/market/scenario.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { T0 } from "./stage.ts";

const COIN = "VCHF/CHF" as PairSymbol;
const HOUR = 3_600_000;

const synthesis = (change: Partial<Synthesis> = {}): Synthesis => ({
  seed: 7,
  parameters: DEMO_MARKET,
  from: millis(T0),
  to: millis(T0 + HOUR),
  intervalMs: 1_000,
  ...change,
});

const rowsOf = (change: Partial<Synthesis> = {}, symbol = COIN): number[][] =>
  [...syntheticBlocks(symbol, synthesis(change))].flatMap(({ columns, count }) =>
    Array.from({ length: count }, (_, row) => columns.map((column) => column[row] as number)),
  );

describe("synthetic prices", () => {
  it("are the simulator's own, to the last bit", () => {
    const rows = rowsOf();
    const market = syntheticMarket(7);
    const top = emptyTop();
    expect(rows).toHaveLength(3_600);
    for (const [i, row] of rows.entries()) {
      market.read(COIN, millis(T0 + i * 1_000), top);
      expect(row).toEqual([T0 + i * 1_000, top.bid, top.ask, top.bidSize, top.askSize]);
    }
  });

  it("are the same for the same seed, and others for another", () => {
    expect(rowsOf()).toEqual(rowsOf());
    expect(rowsOf({ seed: 8 })).not.toEqual(rowsOf());
  });
});

describe("a parameter of the market", () => {
  it("is set by its path, and the rest stays", () => {
    const set = unwrap(setParameters(DEMO_MARKET, ["pegs.VCHF.deviationBps=20.5", "weekendCloses=true"]));
    expect(set).toEqual({
      ...DEMO_MARKET,
      weekendCloses: true,
      pegs: { ...DEMO_MARKET.pegs, VCHF: { ...DEMO_MARKET.pegs.VCHF, deviationBps: 20.5 } },
    });
    expect(DEMO_MARKET.pegs.VCHF?.deviationBps).toBe(12);
  });

  it.each([
    [
      "pegs.VCHF.deviation=20",
      '"pegs.VCHF.deviation" is no parameter; pegs.VCHF has reference, deviationBps, halfLifeMs, floorBps, stressed, issuer',
    ],
    ["pegs.VUSD.deviationBps=20", '"pegs.VUSD.deviationBps" is no parameter; pegs has VCHF, VGBP, USDC'],
    [
      "__proto__.x=1",
      '"__proto__.x" is no parameter; there are name, gridMs, anchor, references, pegs, stress, pairs, depthSigma, depthEpochMs, spreadSigma, weekendCloses, weekendSpreadFactor, fx, dealing, venue',
    ],
    [
      "pegs.VCHF=1",
      '"pegs.VCHF" is no parameter; pegs.VCHF has reference, deviationBps, halfLifeMs, floorBps, stressed, issuer',
    ],
    ["stress.chancePerDay=often", 'stress.chancePerDay must be like 0.05, was "often"'],
    ["stress.chancePerDay=-1", "stress.chancePerDay must not be negative, was -1"],
    ["stress.chancePerDay=2", "stress.chancePerDay is a share or a chance and must be at most 1, was 2"],
    ["stress.minBps=500", "stress.minBps must be at most stress.maxBps, 150, was 500"],
    ["stress.maxMs=1", "stress.minMs must be at most stress.maxMs, 1, was 3600000"],
    ["stress.maxMs=86400001", "stress.maxMs must be at most a day, 86400000, was 86400001"],
    ["dealing.lagMinMs=9000", "dealing.lagMinMs must be at most dealing.lagMaxMs, 0, was 9000"],
    ["stress.collapseMinBps=1301", "stress.collapseMinBps must be at most stress.collapseMaxBps, 1300, was 1301"],
    ["venue.outageMaxMs=60000", "venue.outageMinMs must be at most venue.outageMaxMs, 60000, was 120000"],
    ["pairs.VCHF/CHF.depth=0", "pairs.VCHF/CHF.depth must be above zero, was 0"],
    ["weekendCloses=1", 'weekendCloses must be like false, was "1"'],
    [
      "gridMs",
      'must be calm, calibrated, volatile, depeg, outage, one-sided, toxic, blind, demo, or look like pegs.VCHF.deviationBps=20, was "gridMs"',
    ],
  ])("%s is refused", (setting, expected) => {
    const set = setParameters(DEMO_MARKET, [setting]);
    expect(set.ok ? "set" : set.error).toBe(expected);
  });
});
