import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { computeFigures } from "../../../backtest/metric/figures.ts";
import { MARKOUT_SECONDS, type RunRecord } from "../../../backtest/record/run-record.ts";
import { premiumCharts, priceCharts } from "../../../backtest/report/chart/price.ts";
import { compact } from "../../../backtest/report/chart/spec.ts";
import { equityChart, histogramChart, underwaterChart } from "../../../backtest/report/chart/worth.ts";
import { reportPage } from "../../../backtest/report/report.ts";
import { runReport } from "../../../backtest/report/run-report.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import { syntheticRun } from "../../support/synthetic-run.ts";
import { HOUR, smallRun, T0 } from "../metric/small-run.ts";

const report = (run: RunRecord) => reportPage(runReport(run, computeFigures(run)));

test("the page's policy allows exactly the script and style that are in it", () => {
  const page = report(smallRun({}));
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? "";
  const inside = (tag: string) => new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? "";
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src ${hash(inside("script"))};`);
  expect(policy).toContain(`style-src ${hash(inside("style"))};`);
});

test("the page carries the chart library's licence and no address to fetch from", () => {
  const page = report(smallRun({}));
  expect(page).toContain("The MIT License (MIT)");
  expect(page).toContain("Leon Sorokin");
  expect(page).not.toMatch(/(?:src|href)="(?!data:,)/);
  expect(page).not.toMatch(/url\(|@import|\bfetch\(|XMLHttpRequest|WebSocket/);
});

const partsOf = (run: RunRecord) => runReport(run, computeFigures(run)).parts;

test("a run in which nothing happened says why in every place", () => {
  const parts = partsOf(smallRun({}));
  const missing = parts.flatMap((part) => (part.kind === "charts" ? part.charts.map((chart) => chart.missing) : []));
  for (const reason of [
    "equity was known at fewer than two moments",
    "no price of the pair was recorded",
    "requests were not counted",
    "the run has no treasury",
  ])
    expect(missing).toContain(reason);
  const shown = parts.filter(({ kind }) => kind !== "charts");
  expect(JSON.stringify(shown)).not.toMatch(/NaN|undefined|Infinity/);
});

test("assumptions and parameters are spelled out, and refusals counted", () => {
  const parts = partsOf(syntheticRun({ seed: 3, days: 2 }));
  const settings = parts.flatMap((part) => (part.kind === "settings" ? part.rows : []));
  expect(settings).toContainEqual({ name: "fee", value: "1 bp of the quote leg" });
  expect(settings).toContainEqual({ name: "parameter edgeBps", value: "4" });
  const groups = parts.flatMap((part) => (part.kind === "figures" ? part.groups : []));
  const refused = groups.find(({ title }) => title === "Refused proposals")?.lines;
  expect(refused).toContainEqual(expect.objectContaining({ label: "by RC12", text: expect.stringMatching(/^\d+$/) }));
});

test("a bot that did not trade to the end is said before all else", () => {
  const ended = { state: "HALTED", since: millis(T0 + HOUR), reason: "the strategy threw: <boom>" } as const;
  const run = { ...smallRun({}), ended };
  const { stopped } = runReport(run, computeFigures(run));
  expect(stopped).toMatch(/HALTED since 2026-01-01 01:00:00 UTC, after 1 h of 1 d .*<boom>$/);
  const whole = { ...smallRun({}), ended: { state: "ACTIVE" } } as const;
  expect(runReport(whole, computeFigures(whole)).stopped).toBeUndefined();
});

test("a run that is laid over has a value to the moment at which it ends, also where that is between two drawn ones", () => {
  const run = syntheticRun({ seed: 3, days: 2 });
  const { samples } = run;
  const ending = (early: number) => {
    const record = { ...run, samples: { ...samples, time: samples.time.map((at) => at - early) } };
    const compared = { label: "journal", record, figures: computeFigures(record) };
    return [equityChart, underwaterChart].map((chart) => {
      const { drawn } = chart(run, compared);
      return drawn?.kind === "time" ? drawn.lines.at(-1)?.values.at(-1) : undefined;
    });
  };
  // At rest a legend shows the last value of each line.
  for (const value of ending(1)) expect(value).toEqual(expect.any(Number));
  expect(ending(86_400_000)).toEqual([null, null]);
});

test("an amount in a legend is the amount to its second decimal, however large", () => {
  // Seven digits of the first would read 191,142.90.
  const amounts = [191_142.92606, -12_345_678.914, 0.000123456789, 1_234.5678, 0];
  expect(amounts.map((amount) => compact(amount))).toEqual([191_142.93, -12_345_678.91, 0.0001234568, 1_234.568, 0]);
  expect([compact(Number.NaN), compact(Number.POSITIVE_INFINITY)]).toEqual([null, null]);
});

test("no bar of the returns holds gains and losses", () => {
  // A mild loss among gains: with bars from the lowest on it shared one with them, which was painted as a gain.
  const returns = [-0.9, -0.025, -0.0045, 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].flatMap((one) => [
    one,
    one,
  ]);
  let worth = 1_000;
  const equity = [
    [T0, worth] as const,
    ...returns.map((one, i) => {
      worth *= 1 + one / 100;
      return [T0 + (i + 1) * HOUR, worth] as const;
    }),
  ];
  const { drawn } = histogramChart(smallRun({ equity, days: 2 }));
  if (drawn?.kind !== "histogram") throw new Error("there is no histogram");
  const { edges, counts } = drawn;
  expect(edges).toContain(0);
  const sum = (values: readonly number[]) => values.reduce((total, count) => total + count, 0);
  const zero = edges.indexOf(0);
  expect([sum(counts.slice(0, zero)), sum(counts.slice(zero))]).toEqual([6, 22]);
  expect(edges).toHaveLength(counts.length + 1);
});

test("of many trades the last 500 are shown, the newest first, and the page says so", () => {
  const fills = Array.from({ length: 1_234 }, (_, row) => ({ at: T0 + row * 1_000, base: "1", quote: "1" }));
  const trades = partsOf(smallRun({ fills })).find((part) => part.kind === "table" && part.title === "Trades");
  if (trades?.kind !== "table") throw new Error("there must be a table of trades");
  expect([trades.rows.length, trades.rows[0]?.[0]]).toEqual([500, "2026-01-01 00:20:33"]);
  expect(trades.notes?.join()).toContain("500 of 1,234");
});

test("a run of 60,000 fills and two million samples is a page of less than 5 MB", () => {
  const page = report(largeRun());
  expect(page.length).toBeLessThan(5_000_000);
});

test("a text can neither end the data block nor hide in it", () => {
  const run = smallRun({ settings: { title: "</script><!--a\u202eb\u0000", data: "x".repeat(5_000) } });
  const page = report(run);
  const block = /id="report">(.*?)<\/script>/s.exec(page)?.[1] ?? "";
  expect(block).not.toContain("<");
  const { title, facts } = JSON.parse(block) as { title: string; facts: readonly string[] };
  expect(title).toBe("</script><!--a\\u202eb\\x00");
  expect(Math.max(...facts.map(({ length }) => length))).toBeLessThan(2_100);
});

function largeRun(): RunRecord {
  const [samples, trades] = [2_000_000, 60_000];
  const base = smallRun({ days: 30 });
  const time = Float64Array.from({ length: samples }, (_, row) => T0 + row * 1_296);
  const wave = time.map((_, row) => 1_000 + 10 * Math.sin(row / 997) + Math.sin(row));
  const symbol = base.prices[0]?.symbol as RunRecord["prices"][number]["symbol"];
  const column = <T>(value: T): T[] => Array.from({ length: trades }, () => value);
  const floats = () => new Float64Array(trades).fill(1);
  const fillTime = Float64Array.from({ length: trades }, (_, row) => T0 + row * 43_200);
  const asset = "CHF" as Asset;
  return {
    ...base,
    samples: {
      length: samples,
      time,
      equity: wave,
      benchmark: wave,
      assets: [{ asset, held: wave, inFlight: new Float64Array(samples), rate: new Float64Array(samples).fill(1) }],
    },
    prices: [{ symbol, par: 1, length: samples, time, bid: wave, ask: wave, fair: wave }],
    fills: {
      length: trades,
      time: fillTime,
      decidedAt: fillTime,
      id: Array.from({ length: trades }, (_, row) => `F-${row}`),
      symbol: column(symbol),
      side: Uint8Array.from({ length: trades }, (_, row) => row % 2),
      reason: column("because"),
      bought: column("1.000000000000000001"),
      sold: column("0.999999999999999999"),
      fee: column("0.0001"),
      feeAsset: column(asset),
      limit: floats(),
      touch: floats(),
      fair: floats(),
      rate: column("1"),
      realised: column("0.01"),
      mids: MARKOUT_SECONDS.map(floats),
    },
  };
}

test("every mark of a fill stands on a drawn price, however much is left out between", () => {
  // 40,000 seconds that swing by 10 bp, and right before each of 50 fills the price of the fill
  const at = (fill: number): number => T0 + (700 * fill + 350) * 1_000 + 500;
  const fillPrices = Array.from({ length: 50 }, (_, fill) => 1 + ((fill % 7) - 3) / 10_000);
  const fills = fillPrices.map((price, fill) => ({ at: at(fill), base: "1000", quote: String(1_000 * price) }));
  const swinging = Array.from({ length: 40_000 }, (_, row): [number, string, number] => [
    T0 + row * 1_000,
    "VCHF/CHF",
    1 + Math.sin(row) / 1_000,
  ]);
  const before = fillPrices.map((price, fill): [number, string, number] => [at(fill) - 1, "VCHF/CHF", price]);
  const prices = [...swinging, ...before].sort(([one], [other]) => one - other);
  for (const chart of [
    ...priceCharts(smallRun({ fills, prices }), undefined),
    ...premiumCharts(smallRun({ fills, prices })),
  ]) {
    if (chart.drawn?.kind !== "time") throw new Error();
    const { time, lines, marks } = chart.drawn;
    expect(time.length).toBeLessThan(20_000);
    expect(marks[0]?.time.length).toBe(50);
    for (const [place, when] of (marks[0]?.time ?? []).entries()) {
      const row = time.findLastIndex((one) => one <= when);
      expect(when - (time[row] as number)).toBeLessThan(0.002);
      expect(lines[0]?.values[row]).toBeCloseTo(marks[0]?.value[place] as number, 4);
    }
  }
});
