import { expect, test } from "vitest";
import { computeFigures } from "../../backtest/metric/figures.ts";
import { syntheticRun } from "../support/synthetic-run.ts";
import { smallRun } from "./metric/small-run.ts";

test("a run in which nothing happened has figures, and none of them is nonsense", () => {
  const text = JSON.stringify(computeFigures(smallRun({})));
  expect(text).not.toContain("null");
  expect(computeFigures(smallRun({}))).toMatchObject({
    netProfit: { kind: "known" },
    totalReturn: { kind: "n/a" },
    sharpe: { kind: "n/a" },
    drawdown: { kind: "n/a" },
    roundTrips: { kind: "n/a" },
    fillRate: { kind: "n/a" },
  });
});

test("figures agree with each other on a run with many fills", () => {
  const record = syntheticRun({ seed: 5, days: 31 });
  const { trades, fillRate, markout } = computeFigures(record);
  if (trades.kind !== "known" || fillRate.kind !== "known") throw new Error();
  expect(fillRate.value.filled).toBe(trades.value.fills);
  for (const { seconds, bps } of markout)
    if (seconds <= 60) expect(bps).toMatchObject({ value: { fills: trades.value.fills } });
});
