import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { computeFigures } from "../../../backtest/figures.ts";
import type { RunRecord } from "../../../backtest/record/run-record.ts";
import { html, jsonBlock } from "../../../backtest/report/html.ts";
import { renderReport } from "../../../backtest/report/render-report.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { syntheticRun } from "../../support/synthetic-run.ts";
import { smallRun, T0 } from "../metric/small-run.ts";

const report = (run: RunRecord) => renderReport(run, computeFigures(run));

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

test("a run in which nothing happened has a page that says so in every place", () => {
  const page = report(smallRun({}));
  for (const reason of [
    "n/a: equity was known at fewer than two moments",
    "n/a: no price of the pair was recorded",
    "n/a: requests were not counted",
    "n/a: the run has no treasury",
    "nothing was traded",
  ])
    expect(page).toContain(reason);
  const shown = page.slice(page.indexOf("<body>"), page.lastIndexOf("<script>"));
  expect(shown).not.toMatch(/NaN|undefined|Infinity|null/);
});

test("assumptions, parameters and refusals are spelled out", () => {
  const page = report(syntheticRun({ seed: 3, days: 2 }));
  expect(page).toContain('<th scope="row">fee</th><td>1 bp of the quote leg</td>');
  expect(page).toContain('<th scope="row">parameter edgeBps</th><td>4</td>');
  expect(page).toMatch(/refused by RC12<\/th><td>\d+ proposals/);
});

test("of many trades the last 500 are shown, and the page says so", () => {
  const fills = Array.from({ length: 1_234 }, (_, row) => ({ at: T0 + row * 1_000, base: "1", quote: "1" }));
  const page = report(smallRun({ fills }));
  expect(page).toContain("The last 500 of 1,234 fills");
  expect(page.match(/<tr><td>2026-/g)?.length).toBe(500);
});

test("a run of 60,000 fills and two million samples is a page of less than 5 MB", () => {
  const page = report(largeRun());
  expect(page.length).toBeLessThan(5_000_000);
  expect(page).toContain("2,500 of 30,000");
});

test("text is escaped, cut, and cannot end a data block", () => {
  expect(html`<b title="${`"'&<>`}">${"a\u202eb\u0000"}</b>`.markup).toBe(
    '<b title="&quot;&#39;&amp;&lt;&gt;">a\\u202eb\\x00</b>',
  );
  expect(html`${"x".repeat(5_000)}`.markup.length).toBeLessThan(2_100);
  expect(jsonBlock({ text: "</script><!--" }).markup).toBe('{"text":"\\u003c/script>\\u003c!--"}');
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
      mids: [floats(), floats(), floats()],
    },
  };
}
