import { expect, test } from "vitest";
import { computeFigures } from "../../backtest/metric/figures.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { syntheticRun } from "../support/synthetic-run.ts";
import { HOUR, smallRun, T0 } from "./metric/small-run.ts";

test("a run in which nothing happened has figures, and none of them is nonsense", () => {
  const text = JSON.stringify(computeFigures(smallRun({})));
  expect(text).not.toContain("null");
  expect(computeFigures(smallRun({}))).toMatchObject({
    netProfit: { kind: "known" },
    totalReturn: { kind: "n/a" },
    sharpe: { kind: "n/a" },
    drawdown: { kind: "n/a" },
    winRate: { kind: "n/a" },
    fillRate: { kind: "n/a" },
    capacity: { kind: "n/a" },
  });
});

test("every figure of a full run is known, finite, and the same for the same seed", () => {
  const figures = computeFigures(syntheticRun({ seed: 11, days: 31, treasury: true }));
  const missing = Object.entries(figures).filter(([, figure]) => "kind" in figure && figure.kind === "n/a");
  // A synthetic run has no bot that states its account.
  expect(missing.map(([name]) => name)).toEqual(["statement", "profitParts"]);
  // JSON writes NaN and the infinities as null.
  expect(JSON.stringify(figures)).not.toContain("null");
  expect(computeFigures(syntheticRun({ seed: 11, days: 31, treasury: true }))).toEqual(figures);
});

test("figures agree with each other on a run with many fills", () => {
  const record = syntheticRun({ seed: 5, days: 31 });
  const { premiumCaptured, edgeCaptured, profitBridge, fees, trades, fillRate, markout } = computeFigures(record);
  if (premiumCaptured.kind !== "known" || edgeCaptured.kind !== "known" || profitBridge.kind !== "known")
    throw new Error();
  if (fees.kind !== "known" || trades.kind !== "known" || fillRate.kind !== "known") throw new Error();
  // Fair value was par throughout, so both are the same sum: one exact, one in floats.
  expect(edgeCaptured.value.captured).toBeCloseTo(premiumCaptured.value.toNumber(), 6);
  const { quotedEdge, slippage, fees: paid, holding, rest, profit } = profitBridge.value;
  expect(quotedEdge + slippage).toBeCloseTo(edgeCaptured.value.captured, 6);
  expect(quotedEdge + slippage + paid + holding + rest).toBeCloseTo(profit, 6);
  expect(paid).toBe(-fees.value.total.toNumber());
  expect(fillRate.value.filled).toBe(trades.value.fills);
  for (const { seconds, bps } of markout)
    if (seconds <= 60) expect(bps).toMatchObject({ value: { fills: trades.value.fills } });
});

/** A day of hours, from which on until when nobody knows what 7 USDC are worth. */
function gapped(from: number, until: number) {
  const equity = Array.from({ length: 25 }, (_, hour): [number, number, number] => [
    T0 + hour * HOUR,
    hour >= from && hour < until ? Number.NaN : 100 - (hour % 2),
    100,
  ]);
  const record = smallRun({ equity, fills: [{ base: "10", quote: "10" }] });
  const column = (of: (worth: number) => number) => Float64Array.from(equity, ([, worth]) => of(worth));
  const held = column((worth) => (Number.isNaN(worth) ? 7 : 0));
  const usdc = { asset: "USDC" as Asset, held, inFlight: column(() => 0), rate: column(() => Number.NaN) };
  return { ...record, samples: { ...record.samples, assets: [usdc] } };
}

const OF_EQUITY = [
  ...["totalReturn", "cagr", "volatility", "sharpe", "probabilisticSharpe", "sharpeOverHolding", "sortino", "calmar"],
  ...["drawdown", "exposure", "periods"],
] as const;

test("what rests on equity is n/a where that is unknown for long, and says for how long and of what the rate is missing", () => {
  // Known for the first 2 of 24 hours.
  const figures = computeFigures(gapped(2, 25));
  const reason = "equity is unknown for 22 h of 1 d: USDC has no rate in CHF";
  for (const name of OF_EQUITY) expect(figures[name as "sharpe"], name).toEqual({ kind: "n/a", reason });
  // What was traded needs no equity: 10 CHF.
  expect(figures.turnover).toMatchObject({ kind: "known", value: { perDay: undefined } });
  expect(figures.trades).toMatchObject({ kind: "known", value: { fills: 1 } });
});

test("an equity that is unknown at the end alone is none to tell a return of", () => {
  const reason = "equity is unknown at the end: USDC has no rate in CHF";
  expect(computeFigures(gapped(24, 25)).totalReturn).toEqual({ kind: "n/a", reason });
  expect(computeFigures(gapped(25, 25))).toMatchObject({
    // 100 at the even hours, 99 at the odd ones.
    totalReturn: { kind: "known", value: 0 },
    drawdown: { kind: "known", value: { size: expect.closeTo(0.01, 12) } },
    exposure: { kind: "known", value: { mean: 0 } },
  });
});
