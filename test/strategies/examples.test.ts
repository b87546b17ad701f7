// The examples of strategies/, as a user would load and try them: on the bench, saved and loaded again, and through a short
// backtest in which each of them does what its header says.

import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { unwrap } from "../../src/domain/result.ts";
import { loadStrategyFile } from "../../src/strategy/load-file.ts";
import { decodeState, saveState } from "../../src/strategy/state.ts";
import buyBelowAverage from "../../strategies/buy-below-average.ts";
import calmHours from "../../strategies/calm-hours.ts";
import sellTheSurplus from "../../strategies/sell-the-surplus.ts";
import { backtestOf, MINUTE } from "../backtest/stage.ts";
import { strategyBench } from "../support/strategy-bench.ts";

const SYMBOL = "VCHF/CHF";
/** Where the default has nothing to do within minutes. */
const BUSY: Readonly<Record<string, object>> = {
  "sell-the-surplus.ts": { keep: 90_000, premiumBps: 0 },
  "virtual-grid.ts": { stepBps: 2, size: 500 },
  "rebalancer.ts": { targets: { CHF: 0.1, VCHF: 0.4, GBP: 0.25, VGBP: 0.25 } },
};
const FILES = readdirSync("strategies").toSorted();

describe("buy-below-average", () => {
  const bench = (params = {}) =>
    strategyBench(buyBelowAverage, { symbols: [SYMBOL], balances: { CHF: "20000", VCHF: "0" }, params });

  it("buys once below fair value and its average, and then pauses", () => {
    const one = bench({ length: 4 });
    for (let i = 0; i < 4; i++) one.quote(SYMBOL, 0.9997, 1.0003);
    expect(one.lines()).toEqual([]);
    one.quote(SYMBOL, 0.9984, 0.999);
    expect(one.lines()).toEqual(["buy 500 VCHF/CHF at 0.9994: 10.0 bp under fair value"]);
    one.fill();
    one.quote(SYMBOL, 0.9983, 0.9989);
    expect(one.lines()).toEqual([]);
  });
});

describe("sell-the-surplus", () => {
  const bench = (vchf: string) =>
    strategyBench(sellTheSurplus, { symbols: [SYMBOL], balances: { CHF: "1000", VCHF: vchf } });

  it("sells what is above what it keeps, not below its premium", () => {
    const one = bench("51500");
    one.quote(SYMBOL, 1.0002, 1.0008);
    expect(one.lines()).toEqual([]);
    one.quote(SYMBOL, 1.0004, 1.001);
    expect(one.lines()).toEqual(["sell 1500 VCHF/CHF at 1.0003: surplus 1500, asks 3.0 bp"]);
    one.quote(SYMBOL, 1.0004, 1.001);
    expect(one.lines()).toEqual([]);
  });

  it("asks less the longer it waits, down to its discount, and is patient again after a sale", () => {
    const one = bench("60000");
    one.quote(SYMBOL, 0.9996, 1.0002);
    for (let minutes = 0; minutes < 150; minutes++) one.pass(60_000);
    one.quote(SYMBOL, 0.9993, 0.9999);
    expect(one.lines()).toEqual([expect.stringMatching(/^sell 2000 VCHF\/CHF at 0\.9992: .* asks -8\.0 bp/)]);
    one.fill();
    one.quote(SYMBOL, 0.9993, 0.9999);
    expect(one.lines()).toEqual([]);
  });
});

describe("calm-hours", () => {
  const bench = () =>
    strategyBench(calmHours, {
      symbols: [SYMBOL],
      balances: { CHF: "20000", VCHF: "20000" },
      params: { looks: 10 },
    });

  it("trades both ways once it has seen enough of a calm market", () => {
    const one = bench();
    for (let i = 0; i < 9; i++) one.quote(SYMBOL, 0.9991, 0.9994);
    expect(one.lines()).toEqual([]);
    one.quote(SYMBOL, 0.9991, 0.9994);
    expect(one.lines()).toEqual(["buy 1000 VCHF/CHF at 0.9995: calm, 6.0 bp cheap"]);
    one.fill();
    one.quote(SYMBOL, 0.9991, 0.9994);
    expect(one.lines()).toEqual([]);
  });

  it("stays away while the price moves or the spread is wide", () => {
    const one = bench();
    for (let i = 0; i < 12; i++) one.quote(SYMBOL, 0.9991 - i * 1e-4, 0.9994 - i * 1e-4);
    for (let i = 0; i < 12; i++) one.quote(SYMBOL, 0.998, 0.9994);
    expect(one.lines()).toEqual([]);
  });
});

describe.each(FILES)("strategies/%s", (file) => {
  const load = (params: unknown = {}) => loadStrategyFile(resolve("strategies", file), params);

  it("is loaded by its path with no parameter at all, and refuses one that it does not have", async () => {
    expect(await load()).toMatchObject({ ok: true, value: { name: file.replace(/\.ts$/, "") } });
    expect(await load({ nosuch: 1 })).toMatchObject({
      ok: false,
      error: expect.stringContaining("params has no nosuch"),
    });
  });

  it("trades in a short backtest, and its state comes back as it was", async () => {
    const params = BUSY[file] ?? {};
    const { record, standing, tradingCore } = backtestOf(unwrap(await load(params)), 20 * MINUTE, { seed: 4 });
    expect(standing.state).toBe("ACTIVE");
    expect(record.fills.length).toBeGreaterThan(0);
    const { state } = tradingCore.strategy;
    const saved = unwrap(saveState(state));
    expect(saveState(unwrap(decodeState(JSON.parse(JSON.stringify(saved)))))).toEqual({ ok: true, value: saved });
  });
});
