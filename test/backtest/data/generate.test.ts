import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Synthesis, setParameters, syntheticBlocks } from "../../../backtest/data/synthetic.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { emptyTop } from "../../../src/simulator/market/market.ts";
import { DEFAULT_MARKET, withoutEdge } from "../../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { T0 } from "./stage.ts";

const COIN = "VCHF/CHF" as PairSymbol;
const HOUR = 3_600_000;

const synthesis = (change: Partial<Synthesis> = {}): Synthesis => ({
  seed: 7,
  parameters: DEFAULT_MARKET,
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

  it("go on over more than one block", () => {
    const blocks = syntheticBlocks(COIN, synthesis({ intervalMs: 250, to: millis(T0 + 5 * HOUR) }));
    expect(Array.from(blocks, ({ count }) => count)).toEqual([65_536, 72_000 - 65_536]);
  });

  it("have no row while the markets are closed", () => {
    const parameters = { ...DEFAULT_MARKET, weekendCloses: true };
    const week = { parameters, intervalMs: 600_000, to: millis(T0 + 7 * 24 * HOUR) };
    const pair = rowsOf(week, "VGBP/VCHF" as PairSymbol);
    // Monday to Friday 22:00 and Sunday from 22:00: 118 + 2 hours of six looks.
    expect(pair.length).toBe(720);
    expect(new Date(pair.at(-1)?.[0] ?? 0).toISOString()).toBe("2026-01-11T23:50:00.000Z");
    expect(rowsOf(week)).toHaveLength(7 * 24 * 6);
  });

  it("stand at par with their spread when the edge is taken out", () => {
    const rows = rowsOf({ parameters: withoutEdge(DEFAULT_MARKET) });
    expect(new Set(rows.map(([, bid, ask]) => `${bid} ${ask}`))).toEqual(new Set(["0.9997 1.0003"]));
  });
});

describe("a parameter of the market", () => {
  it("is named in docs/SIMULATOR.md, each of them", () => {
    const page = readFileSync("docs/SIMULATOR.md", "utf8");
    const { pegs, pairs, references, stress, ...rest } = DEFAULT_MARKET;
    const inner = [pegs, pairs, references].flatMap((each) => Object.keys(Object.values(each)[0] ?? {}));
    const names = [...Object.keys(rest), ...Object.keys(stress), ...inner].filter(
      (name) => !["anchor", "kind", "reference"].includes(name),
    );
    expect(names.filter((name) => !page.includes(`${name}\``))).toEqual([]);
  });

  it("is set by its path, and the rest stays", () => {
    const set = unwrap(setParameters(DEFAULT_MARKET, ["pegs.VCHF.deviationBps=20.5", "weekendCloses=true"]));
    expect(set).toEqual({
      ...DEFAULT_MARKET,
      weekendCloses: true,
      pegs: { ...DEFAULT_MARKET.pegs, VCHF: { ...DEFAULT_MARKET.pegs.VCHF, deviationBps: 20.5 } },
    });
    expect(DEFAULT_MARKET.pegs.VCHF?.deviationBps).toBe(12);
  });

  it.each([
    [
      "pegs.VCHF.deviation=20",
      '"pegs.VCHF.deviation" is no parameter; pegs.VCHF has reference, deviationBps, halfLifeMs, stressed',
    ],
    ["pegs.VUSD.deviationBps=20", '"pegs.VUSD.deviationBps" is no parameter; pegs has VCHF, VGBP, USDC'],
    [
      "__proto__.x=1",
      '"__proto__.x" is no parameter; there are gridMs, anchor, references, pegs, stress, pairs, depthSigma, depthEpochMs, weekendCloses',
    ],
    ["pegs.VCHF=1", '"pegs.VCHF" is no parameter; pegs.VCHF has reference, deviationBps, halfLifeMs, stressed'],
    ["stress.chancePerDay=often", 'stress.chancePerDay must be like 0.05, was "often"'],
    ["stress.chancePerDay=-1", "stress.chancePerDay must not be negative, was -1"],
    ["stress.chancePerDay=2", "stress.chancePerDay is a chance and must be at most 1, was 2"],
    ["stress.minBps=500", "stress.minBps must be at most stress.maxBps, 150, was 500"],
    ["stress.maxMs=1", "stress.minMs must be at most stress.maxMs, 1, was 3600000"],
    ["pairs.VCHF/CHF.depth=0", "pairs.VCHF/CHF.depth must be above zero, was 0"],
    ["weekendCloses=1", 'weekendCloses must be like false, was "1"'],
    ["gridMs", 'must look like pegs.VCHF.deviationBps=20, was "gridMs"'],
  ])("%s is refused", (setting, expected) => {
    const set = setParameters(DEFAULT_MARKET, [setting]);
    expect(set.ok ? "set" : set.error).toBe(expected);
  });

  it("is set once", () => {
    const set = setParameters(DEFAULT_MARKET, ["pegs.VCHF.deviationBps=20", "pegs.VCHF.deviationBps=30"]);
    expect(set).toEqual({ ok: false, error: "pegs.VCHF.deviationBps is there twice" });
  });
});
