import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { computeFigures } from "../../../backtest/figures.ts";
import { duration, money, number, percent, signed } from "../../../backtest/report/format.ts";
import { renderCsv } from "../../../backtest/report/render-csv.ts";
import { renderJson } from "../../../backtest/report/render-json.ts";
import { renderTable, sparkline } from "../../../backtest/report/render-table.ts";
import { ruleMeaning } from "../../../backtest/report/rule-meaning.ts";
import { spreadRows, thinnedRows } from "../../../backtest/report/thin.ts";
import { syntheticRun } from "../../support/synthetic-run.ts";
import { HOUR, smallRun, T0 } from "../metric/small-run.ts";

const record = syntheticRun({ seed: 4, days: 31 });
const figures = computeFigures(record);

test("numbers read the same everywhere: grouped, with a real minus, no minus on zero", () => {
  expect(number(-1_234_567.891, 2)).toBe("\u22121,234,567.89");
  expect(number(-0.001, 2)).toBe("0.00");
  expect(money(0.000625, "CHF")).toBe("0.000625 CHF");
  expect(money(27_528_105.28, "CHF")).toBe("27,528,105 CHF");
  expect(signed(percent(0.0123))).toBe("+1.23 %");
  expect(signed(percent(0))).toBe("0.00 %");
  expect(signed(percent(-0.0123))).toBe("\u22121.23 %");
  expect([duration(500), duration(61_000), duration(3 * HOUR), duration(49.5 * HOUR)]).toEqual([
    "500 ms",
    "1 min 1 s",
    "3 h",
    "2 d 1 h",
  ]);
});

test("the terminal shows every figure on a line, not wider than told", () => {
  const lines = renderTable(record, figures, { width: 90 });
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(90);
  expect(lines[0]).toBe("synthetic example");
  expect(lines.filter((line) => /^(?:equity|holding) +[▁▂▃▄▅▆▇█]{45} /.test(line))).toHaveLength(2);
  for (const label of ["net profit", "Sharpe", "fill rate", "markout after 60 s", "profit per request", "capacity"])
    expect(lines.some((line) => line.startsWith(`  ${label} `))).toBe(true);
  const settlement = lines.find((line) => line.includes("capital in settlement"));
  expect(settlement).toMatch(/n\/a {2}the run has no treasury$/);
});

test("the terminal says how many proposals were refused, by which rules first, and what they are about", () => {
  const refusals = { PR03: 15_573, RC01: 1, RC02: 2, RC04: 9, RC12: 3, RC14: 1, RC99: 7 };
  const run = { ...smallRun({}), refusals };
  const lines = renderTable(run, computeFigures(run)).map((line) => line.trim().replace(/ {2,}/g, " | "));
  expect(lines.slice(lines.indexOf("Refused proposals") + 1)).toEqual([
    "by PR03 | 15,573 | limit price",
    "by RC04 | 9 | value held of all assets",
    "by RC99 | 7",
    "by RC12 | 3 | rejections in a row",
    "by RC02 | 2 | base units of one order",
    "by 2 other rules | 2",
  ]);
  const none = { ...run, refusals: {} };
  expect(renderTable(none, computeFigures(none))).not.toContain("Refused proposals");
});

test("every rule that refuses proposals has a meaning in words", () => {
  const gate = [...doc("RISK").matchAll(/^\| (RC\d+H?) \|/gm)];
  const reading = [...doc("STRATEGY").matchAll(/`(PR\d\d)` /g)];
  const codes = [...new Set([...gate, ...reading].map(([, code]) => code as string))];
  expect(codes.length).toBeGreaterThan(30);
  expect(codes.filter((code) => ruleMeaning(code) === undefined)).toEqual([]);
});

function doc(name: string): string {
  return readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), "utf8");
}

test("colours come from the caller and go around the value alone", () => {
  const painted = renderTable(record, figures, { paint: (text, tone) => `<${tone}>${text}</>` });
  expect(painted.find((line) => line.includes("deepest drawdown"))).toMatch(/<loss> *\u2212[\d.]+ %<\/>/);
  const plain = painted.map((line) => line.replace(/<(?:gain|loss)>|<\/>/g, ""));
  expect(plain).toEqual(renderTable(record, figures));
});

test("a run in which nothing happened has a table as well, and hostile names stay on their line", () => {
  const empty = smallRun({ settings: { title: "a\nb\u001b[31m" } });
  const lines = renderTable(empty, computeFigures(empty));
  expect(lines[0]).toBe("a\\nb\\x1b[31m");
  expect(lines.join("\n")).not.toMatch(/NaN|undefined|Infinity/);
});

test("a sparkline spans from its lowest to its highest", () => {
  expect(sparkline(Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7), 8)).toBe("▁▂▃▄▅▆▇█");
  expect(sparkline(Float64Array.of(0, 0, 7, 7), 2)).toBe("▁█");
  expect(sparkline(Float64Array.of(5, 5), 8)).toBe("▄▄");
});

test("the CSV has every fill with exact amounts; what is not known is empty", () => {
  const run = smallRun({
    fills: [
      { base: "100", quote: "99.900000000000000001", fee: ["0.01", "CHF"], touch: 0.9991, realised: "-0.1" },
      { side: "sell", base: "50", quote: "50.5", fair: 1 },
    ],
  });
  const [head, first, second, end] = renderCsv(run).split("\n");
  expect(head?.split(",")).toHaveLength(20);
  expect(first).toBe(
    `2026-01-01T00:00:00.000Z,${T0},${T0},F-0,VCHF/CHF,buy,100,99.900000000000000001,0.999,1,0.9991,,0.01,CHF,1,-0.1,,,,`,
  );
  expect(second).toBe(`2026-01-01T00:00:00.000Z,${T0},${T0},F-1,VCHF/CHF,sell,50,50.5,1.01,1,,1,0,CHF,1,,,,,`);
  expect(end).toBe("");
});

test("a reason that a spreadsheet would run is text in the CSV, and commas and quotes are kept", () => {
  const run = smallRun({ fills: [{ base: "1", quote: "1" }] });
  const csv = (reason: string) => renderCsv({ ...run, fills: { ...run.fills, reason: [reason] } });
  expect(csv('=HYPERLINK("x")')).toContain(`,"'=HYPERLINK(""x"")",`);
  expect(csv("a, b\nc")).toContain(',"a, b\nc",');
});

test("JSON has settings, figures and trades, with null where nothing is known", () => {
  const parsed = JSON.parse(JSON.stringify(renderJson(record, figures)));
  expect(parsed.settings.seed).toBe(4);
  expect(parsed.figures.netProfit.value.asset).toBe("CHF");
  expect(parsed.figures.capitalHours).toEqual({ kind: "n/a", reason: "the run has no treasury" });
  expect(parsed.trades).toHaveLength(record.fills.length);
  const [bought, sold] = [record.fills.bought[0], record.fills.sold[0]];
  const isBuy = record.fills.side[0] === 0;
  expect(parsed.trades[0]).toMatchObject({ quantity: isBuy ? bought : sold, value: isBuy ? sold : bought });
  expect(parsed.settings.traceHash).toBeNull();
  expect(parsed.equity.time.length).toBeLessThan(4_000);
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

test("thinning survives samples of one moment, gaps in time, and nothing at all", () => {
  expect(thinnedRows(new Float64Array(), [], 10)).toEqual([]);
  const same = new Float64Array(1_000);
  expect(thinnedRows(same, [same], 10).length).toBeGreaterThan(0);
  const gap = Float64Array.from({ length: 1_000 }, (_, row) => (row < 500 ? row : 1e9 + row));
  const rows = thinnedRows(gap, [gap], 10);
  for (const row of [0, 499, 500, 999]) expect(rows).toContain(row);
});

test("spread rows are even and keep both ends", () => {
  expect(spreadRows(5, 10)).toEqual([0, 1, 2, 3, 4]);
  expect(spreadRows(101, 5)).toEqual([0, 25, 50, 75, 100]);
});
