import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PlainFigures } from "../../../backtest/metric/figures.ts";
import { seedCautions, seedParts, seedRows, seedsTitle } from "../../../backtest/report/seed-parts.ts";
import type { RanTrial } from "../../../backtest/search/trial-result.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { BUSY } from "../../support/busy.ts";
import { runHere } from "../../support/run-here.ts";
import { DAY, T0 } from "../metric/small-run.ts";

function ranOf(netProfit: number | null, equity: readonly number[], state = "ACTIVE"): RanTrial {
  const figures = { netProfit } as unknown as PlainFigures;
  const returns = { periodMs: DAY, perYear: 365.25, equity, holding: equity.map(() => 0.01) };
  return { kind: "ran", trial: "", traceHash: "", state, orders: 0, fills: 0, figures, returns };
}

test("quantiles are over the seeds that have the figure, and the fan is growth less that of holding", () => {
  // net profit 0, 10, .. 40 and one without; the median with the edge removed is 2
  const runs = [40, 10, 30, 0, 20].map((profit) => ranOf(profit, [0.01, 0.01 + profit / 1_000]));
  const withoutEdge = [1, 2, 3].map((profit) => ranOf(profit, [0.01, 0.01]));
  const seeds = { runs: [...runs, ranOf(null, [0.01, 0.01], "HALTED")], withoutEdge, from: T0, firstSeed: 7 };
  expect(seedsTitle(seeds)).toBe("6 seeds, 7 to 12; 1 of them ended HALTED");
  const [daily, net] = seedRows(seeds, "CHF");
  expect(net).toMatchObject({ label: "net profit", quantiles: [2, 10, 20, 30, 38], withoutEdge: 2, known: 5 });
  const [charts, table] = seedParts(seeds, "CHF");
  if (charts?.kind !== "charts" || table?.kind !== "table") throw new Error("there must be a chart and a table");
  expect(table.rows[1]).toEqual([
    "net profit",
    ...["2.00", "10.00", "20.00", "30.00", "38.00", "2.00"].map((one) => `${one} CHF`),
  ]);
  // the mean over two days of (0, profit / 1000), in bp: half of 0, 0, 100, 200, 300, 400
  expect(daily?.quantiles[2]).toBeCloseTo(75, 9);
  const [chart] = charts.charts;
  if (chart?.drawn?.kind !== "time") throw new Error();
  const { time, lines } = chart.drawn;
  expect(time).toEqual([0, 1, 2].map((day) => (T0 + day * DAY) / 1_000));
  expect(lines.map(({ label }) => label)).toEqual(["5 %", "25 %", "median", "75 %", "95 %", "edge removed"]);
  // after the second day 1.01 * (1.01 + profit / 1000) - 1.01^2 = 1.01 * profit / 1000, of 0, 0, 10, 20, 30, 40 the median 15
  expect(lines[2]?.values).toEqual([0, 0, 0.01515]);
  expect(lines[5]?.values).toEqual([0, 0, 0]);
});

test("a Sharpe ratio above 3 in any shown quantile has a caution next to the table", () => {
  const seedsOf = (sharpes: readonly number[]) => {
    const runs = sharpes.map((sharpe) => ({ ...ranOf(0, [0.01]), figures: { sharpe } as unknown as PlainFigures }));
    return { runs, withoutEdge: [], from: T0, firstSeed: 1 };
  };
  expect(seedCautions(seedRows(seedsOf([1, 2, 3]), "CHF"))).toEqual([]);
  // the 95 % quantile of 1, 2, 5 is 4.7
  const high = seedsOf([1, 2, 5]);
  expect(seedCautions(seedRows(high, "CHF"))).toEqual([
    expect.stringContaining("Sharpe reaches 4.70: above 3 it tells"),
  ]);
});

test("--seeds runs the first seed as it is alone, the next ones, and all again without an edge", async () => {
  const cwd = temporaryFolder();
  const out = join(cwd, "report.html");
  const args = [...BUSY, "--to", "2026-01-01T00:10:00Z", "--param", "edgeBps=0", "--param", "skewBps=0"];
  const { code, stdout } = await runHere(["backtest", ...args, "--seeds", "2", "--out", out, "--json"]);
  expect(code).toBe(0);
  const { settings, seeds } = JSON.parse(stdout);
  const [first, second] = seeds.runs as RanTrial[];
  expect(first?.traceHash).toBe(settings.traceHash);
  expect(second?.traceHash).not.toBe(settings.traceHash);
  expect(Math.min(...seeds.runs.map(({ fills }: RanTrial) => fills))).toBeGreaterThan(0);
  expect(seeds.withoutEdge.map(({ fills }: RanTrial) => fills)).toEqual([0, 0]);
  expect(readFileSync(out, "utf8")).toContain("2 seeds, 1 to 2");
  expect(await runHere(["backtest", "--seeds", "2", "--data", "x.csv", "--out", out])).toMatchObject({ code: 2 });
});
