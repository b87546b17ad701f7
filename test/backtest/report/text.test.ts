import { expect, test } from "vitest";
import { computeFigures } from "../../../backtest/metric/figures.ts";
import { priceCharts } from "../../../backtest/report/chart/price.ts";
import { thinnedRows } from "../../../backtest/report/chart/spec.ts";
import { renderCsv, renderJson } from "../../../backtest/report/export.ts";
import { runReport } from "../../../backtest/report/run-report.ts";
import { millis } from "../../../src/domain/time.ts";
import { shownRun } from "../../support/report-text.ts";
import { syntheticRun } from "../../support/synthetic-run.ts";
import { HOUR, smallRun, T0 } from "../metric/small-run.ts";

const record = syntheticRun({ seed: 4, days: 31 });
const figures = computeFigures(record);

test("the terminal shows every figure on a line, not wider than told", () => {
  const lines = shownRun(record, figures, 90);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(90);
  expect(lines[0]).toBe("synthetic example");
  for (const label of ["net profit", "Sharpe", "fill rate", "markout after 60 s", "profit per request"])
    expect(lines.some((line) => line.startsWith(`  ${label} `))).toBe(true);
});

test("orders that were never sent are told at the head with the first cause, in the report and in JSON", () => {
  const run = smallRun({ unfilled: [{ end: "not-sent" }, { end: "not-sent" }, { end: "unfilled" }] });
  const head =
    "not sent: 2 of 3 orders that the strategy decided on and the gate approved; first at 2026-01-01 00:00: not-sent";
  expect(runReport(run, computeFigures(run)).notes).toContain(head);
  const { unsent } = JSON.parse(JSON.stringify(renderJson(run, computeFigures(run))));
  expect(unsent).toEqual({ orders: 2, first: { at: T0, cause: "not-sent" } });
  const prices = [0, 1].map((hour) => [T0 + hour * HOUR, "VCHF/CHF", 1] as const);
  const drawn = smallRun({ prices, unfilled: [{ end: "not-sent" }, { end: "not-sent" }, { end: "unfilled" }] });
  const [chart] = priceCharts(drawn);
  const marks = chart?.drawn?.kind === "time" ? chart.drawn.marks : [];
  expect(marks.map(({ label, of }) => [label, of])).toEqual([
    ["not filled", 1],
    ["not sent", 2],
  ]);
  const killed = Array.from({ length: 10 }, () => ({ end: "unfilled" as const }));
  const few = smallRun({ unfilled: [{ end: "not-sent" }, ...killed] });
  expect(shownRun(few, computeFigures(few)).join()).not.toContain("not sent: 1 of");
});

test("an order above 1 % or a day above 10 % of the coins that exist is named at the head", () => {
  const day = (fills: number, base: string) =>
    smallRun({ fills: Array.from({ length: fills }, () => ({ base, quote: base })) });
  const notes = (run: ReturnType<typeof smallRun>) =>
    runReport(run, computeFigures(run)).notes.filter((note) => note.includes("that exist"));
  // 6,700,000 VCHF exist: 67,000 is 1 % of them, ten orders of it are 10 %.
  expect(notes(day(10, "67000"))).toEqual([]);
  expect(notes(day(1, "67001"))).toEqual([expect.stringMatching(/^VCHF: .*67,001 \(1\.0 %\)/)]);
  expect(notes(day(11, "67000"))).toEqual([expect.stringMatching(/busiest day 737,000 \(11\.0 %\)/)]);
});

test("a run in which nothing happened has a table as well, and hostile names stay on their line", () => {
  const empty = smallRun({ settings: { title: "a\nb\u001b[31m" } });
  const lines = shownRun(empty, computeFigures(empty));
  expect(lines[0]).toBe("a\\nb\\x1b[31m");
  expect(lines.join("\n")).not.toMatch(/NaN|undefined|Infinity/);
});

test("the CSV has every fill with exact amounts; what is not known is empty", () => {
  const run = smallRun({
    fills: [
      { base: "100", quote: "99.900000000000000001", fee: ["0.01", "CHF"], touch: 0.9991, realised: "-0.1" },
      { side: "sell", base: "50", quote: "50.5", fair: 1 },
      { symbol: "VGBP/GBP", side: "sell", base: "50", quote: "50", rate: "1.2", realised: "0.5" },
    ],
  });
  const [head, first, second, third, end] = renderCsv(run).split("\n");
  expect(head?.split(",")).toHaveLength(25);
  expect(first).toBe(
    `2026-01-01T00:00:00.000Z,${T0},${T0},F-0,VCHF/CHF,buy,100,99.900000000000000001,0.999,1,0.9991,,0.01,CHF,1,-0.1,CHF,,,,,,,,`,
  );
  expect(second).toBe(`2026-01-01T00:00:00.000Z,${T0},${T0},F-1,VCHF/CHF,sell,50,50.5,1.01,1,,1,0,CHF,1,,,,,,,,,,`);
  // In pounds: what it is in the currency is this times the rate.
  expect(third).toContain(",GBP,1.2,0.5,GBP,");
  expect(end).toBe("");
});

test("a reason that a spreadsheet would run is text in the CSV, and commas and quotes are kept", () => {
  const run = smallRun({ fills: [{ base: "1", quote: "1" }] });
  const csv = (reason: string) => renderCsv({ ...run, fills: { ...run.fills, reason: [reason] } });
  expect(csv('=HYPERLINK("x")')).toContain(`,"'=HYPERLINK(""x"")",`);
  // Where cells are parted by semicolons it is a cell of its own, quoted or not.
  expect(csv("two;=1+1; -2;3")).toContain(",two;'=1+1;' -2;3,");
  expect(csv("a, b\nc")).toContain(',"a, b\nc",');
});

test("JSON has settings, figures and trades, with null where nothing is known", () => {
  const parsed = JSON.parse(JSON.stringify(renderJson(record, figures)));
  expect(parsed.settings.seed).toBe(4);
  expect(parsed.figures.netProfit.value.asset).toBe("CHF");
  expect(parsed.trades).toHaveLength(record.fills.length);
  const [bought, sold] = [record.fills.bought[0], record.fills.sold[0]];
  const isBuy = record.fills.side[0] === 0;
  expect(parsed.trades[0]).toMatchObject({ quantity: isBuy ? bought : sold, value: isBuy ? sold : bought });
  expect(parsed.settings.traceHash).toBeNull();
  expect(parsed.ended).toBeNull();
});

test("JSON has equity and returns in full: what the Sharpe ratio is worked out from", () => {
  const stopped = { ...record, ended: { state: "HALTED", since: millis(T0), reason: "r" } } as const;
  const parsed = JSON.parse(JSON.stringify(renderJson(stopped, figures)));
  expect(parsed.ended).toEqual({ state: "HALTED", since: T0, reason: "r" });
  expect(parsed.equity.time).toHaveLength(record.samples.length);
  const { equity, holding, periodMs, perYear } = parsed.returns;
  expect([equity.length, holding.length, periodMs]).toEqual([31, 31, 24 * HOUR]);
  const mean = equity.reduce((sum: number, one: number) => sum + one, 0) / 31;
  const squares = equity.reduce((sum: number, one: number) => sum + (one - mean) ** 2, 0);
  expect(parsed.figures.sharpe.value).toBeCloseTo((mean / Math.sqrt(squares / 30)) * Math.sqrt(perYear), 9);
});

test("thinning keeps every column's lowest and highest, the ends, and the order", () => {
  const time = Float64Array.from({ length: 100_000 }, (_, row) => row);
  const quiet = new Float64Array(100_000).fill(1);
  const spiky = quiet.slice();
  [spiky[33_333], spiky[33_334], spiky[77_777]] = [9, -9, NaN];
  const rows = thinnedRows(time, [quiet, spiky], 100);
  expect(rows.length).toBeLessThanOrEqual(501);
  expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
  for (const row of [0, 33_333, 33_334, 99_999]) expect(rows).toContain(row);
  expect(thinnedRows(time.subarray(0, 5), [quiet.subarray(0, 5)], 100)).toEqual([0, 1, 2, 3, 4]);
});
