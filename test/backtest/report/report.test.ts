import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { computeFigures } from "../../../backtest/metric/figures.ts";
import type { RunRecord } from "../../../backtest/record/run-record.ts";
import { reportPage } from "../../../backtest/report/report.ts";
import { runReport } from "../../../backtest/report/run-report.ts";
import { millis } from "../../../src/domain/time.ts";
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
  // Without an order only the account is shown.
  expect(partsOf(smallRun({})).map(({ kind }) => kind)).toEqual(["tiles", "figures", "settings"]);
  const parts = partsOf(smallRun({ unfilled: [{ end: "not-sent" }] }));
  const missing = parts.flatMap((part) => (part.kind === "charts" ? part.charts.map((chart) => chart.missing) : []));
  for (const reason of ["equity was known at fewer than two moments", "no price of the pair was recorded"])
    expect(missing).toContain(reason);
  const shown = parts.filter(({ kind }) => kind !== "charts");
  expect(JSON.stringify(shown)).not.toMatch(/NaN|undefined|Infinity/);
});

test("a bot that did not trade to the end is said before all else", () => {
  const ended = { state: "HALTED", since: millis(T0 + HOUR), reason: "the strategy threw: <boom>" } as const;
  const run = { ...smallRun({}), ended };
  const { stopped } = runReport(run, computeFigures(run));
  expect(stopped).toMatch(/HALTED since 2026-01-01 01:00:00 UTC, after 1 h of 1 d .*<boom>$/);
  const whole = { ...smallRun({}), ended: { state: "ACTIVE" } } as const;
  expect(runReport(whole, computeFigures(whole)).stopped).toBeUndefined();
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
