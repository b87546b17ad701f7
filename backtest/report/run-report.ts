// The report of a run: figures, charts, assumptions, trades.

import type { Figures } from "../metric/figures.ts";
import type { Period } from "../metric/returns.ts";
import { pairFigures } from "../metric/trades.ts";
import type { RunRecord } from "../record/run-record.ts";
import { valueText } from "../search/ranking.ts";
import { priceCharts } from "./chart/price.ts";
import { balanceCharts, equityChart, histogramCharts, overHoldingCharts } from "./chart/worth.ts";
import { tradeRows } from "./export.ts";
import { type Group, type Line, NOT_AVAILABLE, summarise } from "./figure-lines.ts";
import { basisPoints, counted, day, duration, minute, money, number, percent, second, signed } from "./format.ts";
import { columnsOf, type HeatMap, type Part, type Report, type Setting, type Table } from "./report.ts";
import { cappedRows, endedText, figureCautions, holeText, refusedText, runNotes } from "./run-text.ts";

export function runReport(record: RunRecord, figures: Figures): Report {
  const { settings, holes = [] } = record;
  const { title, strategy, data, seed, traceHash, from, to, codeVersion, banner, cadence } = settings;
  return {
    ...{ title, banner },
    facts: [
      `backtest of ${strategy}`,
      `${minute(from)} to ${minute(to)} (${duration(to - from)})`,
      data,
      ...(seed === undefined ? [] : [`seed ${seed}`]),
      ...(traceHash === undefined ? [] : [`trace ${traceHash.slice(0, 16)}`]),
      `pegbot ${codeVersion}`,
    ],
    stopped: endedText(record),
    notes: [
      ...(settings.cautions ?? []),
      ...(isIdle(record) ? [IDLE] : figureCautions(figures)),
      ...(cadence === undefined ? [] : [cadence]),
      ...holes.map((one) => `holes in ${one.name}: ${holeText(one)}`),
      ...runNotes(record),
    ],
    parts: partsOf(record, figures),
    footer: `Charts are drawn from the lowest and highest value of each span, so that no spike is lost; drag to zoom, double-click to go back. Times are UTC. What the figures mean and how they are worked out: docs/reference/figures.md of pegbot ${codeVersion}. A backtest is a story about the past under the assumptions above.`,
  };
}

function isIdle({ fills, unfilled }: RunRecord): boolean {
  return fills.length + unfilled.length === 0;
}

const IDLE =
  "nothing was ordered: the account is that of holding, and only its figures are shown. Another market (--market), more time, or what refused it below";

function partsOf(record: RunRecord, figures: Figures): readonly Part[] {
  const { currency } = record.settings;
  const all = summarise(figures, currency);
  // Without an order the account is that of holding, and nothing else is known of the strategy.
  const groups = isIdle(record) ? all.filter(({ title }) => !OF_ORDERS.has(title)) : all;
  const figuresPart = { kind: "figures", title: "Figures", groups: [...groups, ...ruleGroups(record)] } as const;
  const settings = { kind: "settings", title: "Assumptions and settings", rows: settingRows(record) } as const;
  if (isIdle(record)) return [tilesOf(groups), figuresPart, ...settlementTable(record), settings];
  return [
    tilesOf(groups),
    { kind: "charts", title: "Worth", charts: [...overHoldingCharts(record), equityChart(record)] },
    { kind: "charts", title: "Prices and orders", charts: priceCharts(record) },
    { kind: "charts", title: "Returns and balances", charts: [...histogramCharts(record), ...balanceCharts(record)] },
    calendarOf(figures),
    figuresPart,
    ...pairTable(record),
    ...settlementTable(record),
    settings,
    tradeTable(record),
  ];
}

const OF_ORDERS = new Set(["Risk", "Trades", "Execution"]);

const FIRST = [
  "net profit",
  "profit over holding",
  "return",
  "deepest drawdown",
  "Sharpe over holding",
  "fill rate",
  "profit per request",
  "fees",
];

function tilesOf(groups: readonly Group[]): Part {
  const lines = groups.flatMap((group) => group.lines);
  return { kind: "tiles", lines: FIRST.flatMap((label) => lines.filter((line) => line.label === label)) };
}

/** Refused proposals never became orders, so no other figure shows them. */
function ruleGroups(record: RunRecord): readonly Group[] {
  const refused = Object.entries(record.refusals)
    .sort(([, one], [, other]) => other - one)
    .map(([rule, count]): Line => ({ label: `by ${rule}`, text: number(count, 0), note: refusedText(record, rule) }));
  const capped = cappedRows(record).map(
    ({ rule, orders, text }): Line => ({ label: `by ${rule}`, text: number(orders, 0), note: text }),
  );
  return [
    { title: "Refused proposals", lines: refused },
    { title: "Orders made smaller", lines: capped },
  ].filter(({ lines }) => lines.length > 0);
}

function settingRows({ settings, ended }: RunRecord): readonly Setting[] {
  return [
    ...(ended === undefined ? [] : [{ name: "state at the end", value: ended.state }]),
    ...settings.assumptions,
    ...Object.entries(settings.params).map(([name, value]) => ({ name: `parameter ${name}`, value: valueText(value) })),
    { name: "risk-free rate", value: `${settings.riskFreeRate * 100} % a year` },
    ...(settings.traceHash === undefined ? [] : [{ name: "trace hash", value: settings.traceHash }]),
  ];
}

function pairTable(record: RunRecord): readonly Table[] {
  const pairs = pairFigures(record);
  const { currency } = record.settings;
  const rows = pairs.map((one) => [
    one.symbol,
    one.prices ?? "",
    ...[one.fills, one.buys, one.sells, one.unfilled].map((count) => number(count, 0)),
    money(one.turnover, currency),
    one.capturedBps === undefined ? NOT_AVAILABLE : basisPoints(one.capturedBps),
    one.capturedBps === undefined ? NOT_AVAILABLE : money(one.captured, currency),
    one.realised === undefined ? NOT_AVAILABLE : money(one.realised, currency),
    one.profit === undefined ? NOT_AVAILABLE : money(one.profit, currency),
  ]);
  const columns = columnsOf(
    ...["pair", "venue's prices", ">fills", "+>buys", "+>sells", ">not filled", "+>turnover", ">edge"],
    ...[">edge captured", "+>realised", ">profit over holding"],
  );
  return pairs.length === 0 ? [] : [{ kind: "table", title: "Pairs", columns, rows, shown: rows.length }];
}

function settlementTable({ settlements = [] }: RunRecord): readonly Table[] {
  const rows = settlements.map(({ id, kind, amount, asset, from, to, state }) => [
    ...[second(from), to === undefined ? "" : second(to), kind, `${number(Number(amount), 2)} ${asset}`, state, id],
  ]);
  const columns = columnsOf("left", "arrived", "kind", ">amount", "state", "+id");
  return rows.length === 0 ? [] : [{ kind: "table", title: "Mints and payments", columns, rows, shown: rows.length }];
}

const ROWS_MAX = 500;

/** Rounded for display; the CSV is exact. */
function tradeTable(record: RunRecord): Table {
  const { length } = record.fills;
  const amount = (text: string): string => number(Number(text), 4);
  const price = (value: number): string => (Number.isFinite(value) ? value.toFixed(5) : "");
  const rows = tradeRows(record, Math.max(0, length - ROWS_MAX)).map((row) => [
    ...[second(row.time), row.symbol, row.side, row.quantity, price(row.price), price(row.touch), price(row.fair)],
    `${amount(row.fee)} ${row.feeAsset}`,
    row.realised === undefined ? "" : amount(row.realised),
    row.reason,
  ]);
  const last = `The last ${number(ROWS_MAX, 0)} of ${counted(length, "fill")}; the CSV of trades has all of them.`;
  return {
    ...{ kind: "table", title: "Trades", rows: rows.reverse() },
    columns: columnsOf("filled", "pair", "side", ">size", ">price", ">quoted", ">fair", ">fee", ">realised", "reason"),
    notes: length === 0 ? ["nothing was traded"] : length > ROWS_MAX ? [last] : [],
  };
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTHS_BY_DAY_MAX = 13;

/** Months of each year, and days of each month where there are not too many. */
function calendarOf({ periods }: Figures): Part {
  const head = { kind: "calendar", title: "Returns by calendar, in %, shaded by what they are over holding" } as const;
  if (periods.kind === "n/a") return { ...head, maps: [], missing: periods.reason };
  const { months, days } = periods.value;
  const byYear = heatMap(
    ...(["months", months, MONTHS] as const),
    (date) => `${date.getUTCFullYear()}`,
    (date) => date.getUTCMonth(),
  );
  const dayNames = Array.from({ length: 31 }, (_, index) => `${index + 1}`);
  const byMonth = heatMap(
    ...(["days", days, dayNames] as const),
    (date) => `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`,
    (date) => date.getUTCDate() - 1,
  );
  return { ...head, maps: months.length <= MONTHS_BY_DAY_MAX ? [byYear, byMonth] : [byYear] };
}

function heatMap(
  name: string,
  periods: readonly Period[],
  columns: readonly string[],
  rowOf: (date: Date) => string,
  columnOf: (date: Date) => number,
): HeatMap {
  const over = (period: Period): number => period.return - period.holding;
  const largest = Math.max(...periods.map((period) => Math.abs(over(period))), 1e-9);
  const rows = new Map<string, HeatMap["rows"][number]["cells"][number][]>();
  for (const period of periods) {
    const date = new Date(period.from);
    const cells = rows.get(rowOf(date)) ?? columns.map(() => null);
    rows.set(rowOf(date), cells);
    cells[columnOf(date)] = {
      text: number(period.return * 100, 2),
      shade: [over(period) < 0 ? "loss" : "gain", Math.round((Math.abs(over(period)) / largest) * 46)],
      more: `${day(period.from)}: ${signed(percent(period.return, 3))}, holding ${signed(percent(period.holding, 3))}, ${number(period.fills, 0)} fills`,
    };
  }
  return { name, columns, rows: [...rows].map(([row, cells]) => ({ name: row, cells })) };
}
