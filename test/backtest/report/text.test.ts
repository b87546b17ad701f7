import { expect, test } from "vitest";
import { computeFigures } from "../../../backtest/metric/figures.ts";
import { priceCharts } from "../../../backtest/report/chart/price.ts";
import { spreadRows, thinnedRows } from "../../../backtest/report/chart/spec.ts";
import { renderCsv, renderJson } from "../../../backtest/report/export.ts";
import { duration, money, number, percent, signed } from "../../../backtest/report/format.ts";
import { runReport } from "../../../backtest/report/run-report.ts";
import { mostlyRefusedText } from "../../../backtest/report/run-text.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";
import { shownRun } from "../../support/report-text.ts";
import { syntheticRun } from "../../support/synthetic-run.ts";
import { HOUR, smallRun, T0 } from "../metric/small-run.ts";

const record = syntheticRun({ seed: 4, days: 31 });
const figures = computeFigures(record);

test("numbers read the same everywhere: grouped, with a real minus, no minus on zero", () => {
  expect(number(-1_234_567.891, 2)).toBe("-1,234,567.89");
  expect(number(-0.001, 2)).toBe("0.00");
  expect(money(0.000625, "CHF")).toBe("0.000625 CHF");
  expect(money(27_528_105.28, "CHF")).toBe("27,528,105 CHF");
  expect(signed(percent(0.0123))).toBe("+1.23 %");
  expect(signed(percent(0))).toBe("0.00 %");
  expect(signed(percent(-0.0123))).toBe("-1.23 %");
  expect([duration(500), duration(61_000), duration(3 * HOUR), duration(49.5 * HOUR)]).toEqual([
    "500 ms",
    "1 min 1 s",
    "3 h",
    "2 d 1 h",
  ]);
});

test("the terminal shows every figure on a line, not wider than told", () => {
  const lines = shownRun(record, figures, 90);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(90);
  expect(lines[0]).toBe("synthetic example");
  expect(lines.filter((line) => /^(?:equity|holding) +[▁▂▃▄▅▆▇█]{45} /.test(line))).toHaveLength(2);
  for (const label of ["net profit", "Sharpe", "fill rate", "markout after 60 s", "profit per request", "capacity"])
    expect(lines.some((line) => line.startsWith(`  ${label} `))).toBe(true);
  const settlement = lines.find((line) => line.includes("capital in settlement"));
  expect(settlement).toMatch(/n\/a {2}the run has no treasury$/);
});

test("an equity that is not known at the end ends in n/a", () => {
  const equity = [100, 101, Number.NaN].map((worth, hour): [number, number, number] => [T0 + hour * HOUR, worth, 100]);
  const unknown = smallRun({ equity });
  const lines = shownRun(unknown, computeFigures(unknown));
  expect(lines).toContain("equity   ▁█  100.00 CHF to n/a");
  expect(lines).toContain("holding  ▄▄▄  100.00 CHF to 100.00 CHF");
});

test("nothing is cut: a note goes on below itself, below its figure where that is narrow, and on its line in a pipe", () => {
  const named = smallRun({ settings: { data: `file ${"word ".repeat(40)} and all else` } });
  const few = computeFigures(named);
  const reason = "needs at least 30 fills with a fair value, was 0";
  expect(shownRun(named, few)).toContainEqual(expect.stringMatching(new RegExp(`^  capacity +n/a  ${reason}$`)));
  for (const width of [100, 64, 50]) {
    const lines = shownRun(named, few, width);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    const text = lines.join("").replace(/\s/g, "");
    for (const said of [reason, named.settings.data]) expect(text).toContain(said.replaceAll(" ", ""));
    expect(text).not.toContain("…");
  }
});

test("a bot that did not trade to the end is the first line", () => {
  const ended = { state: "HALTED", since: millis(T0 + 2 * HOUR), reason: "somebody\nstopped it" } as const;
  const run = { ...smallRun({}), ended };
  const lines = shownRun(run, computeFigures(run));
  expect(lines[0]).toMatch(/HALTED since 2026-01-01 02:00:00 UTC, after 2 h of 1 d .*: somebody\\nstopped it$/);
  expect(lines[1]).toBe("a small run");
});

test("the terminal says how many proposals each rule refused, most first", () => {
  const refusals = { PR03: 15_573, RC01: 1, RC02: 2, RC04: 9 };
  const run = { ...smallRun({}), refusals };
  const lines = shownRun(run, computeFigures(run)).map((line) => line.trim().split(/ {2,}/).slice(0, 2));
  const from = lines.findIndex(([head]) => head === "Refused proposals");
  expect(lines.slice(from + 1)).toEqual([
    ["by PR03", "15,573"],
    ["by RC04", "9"],
    ["by RC02", "2"],
    ["by RC01", "1"],
  ]);
  const none = { ...run, refusals: {} };
  expect(shownRun(none, computeFigures(none))).not.toContain("Refused proposals");
});

test("the terminal counts the orders that each rule made smaller, with the sizes of the first", () => {
  const message = "order is worth 60000 CHF, limit is 5000 CHF; size cut from 60000 to 5000";
  const run = {
    ...smallRun({}),
    caps: { RC01: { orders: 7, at: millis(T0), symbol: "VCHF/CHF" as PairSymbol, message } },
  };
  const lines = shownRun(run, computeFigures(run)).map((line) => line.trim().replace(/ {2,}/g, " | "));
  expect(lines.slice(lines.indexOf("Orders made smaller") + 1)).toEqual([
    `by RC01 | 7 | first at 2026-01-01 00:00: ${message}`,
  ]);
});

test("proposals for pairs without data are told once, by pair, and stay in the count", () => {
  const small = smallRun({});
  const [missing, other] = ["VGBP/GBP", "VGBP/VCHF"] as PairSymbol[] as [PairSymbol, PairSymbol];
  const settings = { ...small.settings, pairsWithoutData: [missing] };
  const run = { ...small, settings, refusals: { RC19: 8_440 }, refusedPairs: { [missing]: 8_437, [other]: 3 } };
  const said =
    "not recorded, which is no finding about the strategy: VGBP/GBP (8,437); --synthetic-too trades such pairs";
  const lines = shownRun(run, computeFigures(run)).map((line) => line.trim().replace(/ {2,}/g, " | "));
  expect(lines.slice(lines.indexOf("Refused proposals") + 1)).toEqual([`by RC19 | 8,440 | ${said}`]);
  const { refusals, refusedPairs } = JSON.parse(JSON.stringify(renderJson(run, computeFigures(run))));
  expect([refusals, refusedPairs]).toEqual([{ RC19: 8_440 }, { "VGBP/GBP": 8_437, "VGBP/VCHF": 3 }]);
  const plain = { ...run, settings: small.settings };
  expect(shownRun(plain, computeFigures(plain)).join()).not.toContain("not recorded");
});

test("the first refusal of each rule is told in full, and at the head where hardly anything went through", () => {
  const small = smallRun({});
  const pair = "VGBP/GBP" as PairSymbol;
  const message = "loss of the day is unknown (USDC has no price), so not provably inside the limit of 500";
  const firstRefusals = { RC05: { at: millis(T0), symbol: undefined, message } };
  const run = { ...small, refusals: { RC05: 22_652 }, firstRefusals };
  const first = `first at 2026-01-01 00:00: ${message}`;
  const head = `refused: all of 22,652 proposals by RC05, ${first}`;
  const lines = shownRun(run, computeFigures(run));
  expect(runReport(run, computeFigures(run)).notes).toContain(head);
  expect(lines.at(-1)).toContain(first);
  expect(JSON.parse(JSON.stringify(renderJson(run, computeFigures(run)))).firstRefusals.RC05.message).toBe(message);
  const beside = (length: number) => mostlyRefusedText({ ...run, unfilled: { ...run.unfilled, length } });
  expect(beside(100)).toBe(`refused: 22,652 of 22,752 proposals by RC05, ${first}`);
  expect(beside(3_000)).toBeUndefined();
  const missing = { refusals: { RC19: 9_000 }, refusedPairs: { [pair]: 9_000 } };
  const settings = { ...small.settings, pairsWithoutData: [pair] };
  expect(mostlyRefusedText({ ...small, ...missing, settings })).toBeUndefined();
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
  const [chart] = priceCharts(drawn, undefined);
  const marks = chart?.drawn?.kind === "time" ? chart.drawn.marks : [];
  expect(marks.map(({ label, of }) => [label, of])).toEqual([
    ["not filled", 1],
    ["not sent", 2],
  ]);
  const killed = Array.from({ length: 10 }, () => ({ end: "unfilled" as const }));
  const few = smallRun({ unfilled: [{ end: "not-sent" }, ...killed] });
  expect(shownRun(few, computeFigures(few)).join()).not.toContain("not sent: 1 of");
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
  expect(parsed.figures.capitalHours).toEqual({ kind: "n/a", reason: "the run has no treasury" });
  expect(parsed.trades).toHaveLength(record.fills.length);
  const [bought, sold] = [record.fills.bought[0], record.fills.sold[0]];
  const isBuy = record.fills.side[0] === 0;
  expect(parsed.trades[0]).toMatchObject({ quantity: isBuy ? bought : sold, value: isBuy ? sold : bought });
  expect(parsed.settings.traceHash).toBeNull();
  expect(parsed.ended).toBeNull();
  expect(parsed.compared).toBeNull();
});

test("JSON has equity and returns in full: what the Sharpe ratio is worked out from", () => {
  const stopped = { ...record, ended: { state: "HALTED", since: millis(T0), reason: "r" } } as const;
  const parsed = JSON.parse(JSON.stringify(renderJson(stopped, figures, { label: "other", record, figures })));
  expect(parsed.ended).toEqual({ state: "HALTED", since: T0, reason: "r" });
  expect(parsed.equity.time).toHaveLength(record.samples.length);
  const { equity, holding, periodMs, perYear } = parsed.returns;
  expect([equity.length, holding.length, periodMs]).toEqual([31, 31, 24 * HOUR]);
  const mean = equity.reduce((sum: number, one: number) => sum + one, 0) / 31;
  const squares = equity.reduce((sum: number, one: number) => sum + (one - mean) ** 2, 0);
  expect(parsed.figures.sharpe.value).toBeCloseTo((mean / Math.sqrt(squares / 30)) * Math.sqrt(perYear), 9);
  // The run that was laid beside it, with all of its own.
  const { compared } = parsed;
  expect(compared.label).toBe("other");
  expect(Object.keys(compared)).toEqual(["label", ...Object.keys(parsed).filter((key) => key !== "compared")]);
  expect(compared.trades).toHaveLength(record.fills.length);
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
