// One offline page of a run: figures, charts, assumptions, trades. Another run, such as the live bot's, can be
// overlaid.

import type { Figures } from "../metric/figures.ts";
import type { Period } from "../metric/returns.ts";
import { pairFigures } from "../metric/trades.ts";
import type { RunRecord } from "../record/run-record.ts";
import { budgetChart, markoutChart, settlementChart, waterfallChart } from "./chart/cost.ts";
import { premiumCharts, priceCharts } from "./chart/price.ts";
import type { Chart, Comparison } from "./chart/spec.ts";
import { balanceCharts, equityChart, histogramChart, rollingSharpeChart, underwaterChart } from "./chart/worth.ts";
import { tradeRows } from "./export.ts";
import { type Group, type Line, summarise } from "./figure-lines.ts";
import { basisPoints, counted, day, duration, minute, money, number, percent, second, signed } from "./format.ts";
import { type Html, html, NOTHING, renderDocument } from "./html.ts";
import { chartFigure, dataTable, headNotes, pageHead, settingsTable, tilesOf } from "./page-parts.ts";
import { type SeedRuns, seedsSection } from "./render-seeds.ts";
import { cappedRows, endedText, figureCautions, holeText, refusedText, runNotes } from "./run-text.ts";

export function renderReport(record: RunRecord, figures: Figures, compared?: Comparison, seeds?: SeedRuns): string {
  const groups = chartGroups(record, figures, compared);
  const many = seeds && seedsSection(seeds, record.settings.currency);
  const body = html`${headerOf(record, figures, compared)}${many?.body ?? NOTHING}
${tiles(record, figures)}
${groups.map(({ title, charts }) => chartSection(title, charts))}
${heatMaps(figures)}
${figureTables(record, figures, compared)}
${pairTable(record)}
${assumptions(record, compared)}
${tradeTable(record)}
<footer>Charts are drawn from the lowest and highest value of each span, so that no spike is lost; drag to zoom, double-click to go back. Times are UTC. What the figures mean and how they are worked out: docs/METRICS.md of pegbot ${record.settings.codeVersion}. A backtest is a story about the past under the assumptions above.</footer>`;
  return renderDocument({
    title: record.settings.title,
    body,
    charts: [...(many?.charts ?? []), ...groups.flatMap((group) => group.charts)],
  });
}

function chartGroups(
  record: RunRecord,
  figures: Figures,
  compared: Comparison | undefined,
): { title: string; charts: Chart[] }[] {
  return [
    { title: "Worth", charts: [equityChart(record, compared), underwaterChart(record, compared)] },
    { title: "Prices and orders", charts: [...priceCharts(record, compared), ...premiumCharts(record)] },
    {
      title: "Where it came from",
      charts: [
        waterfallChart(figures, record.settings.currency),
        markoutChart(figures, compared),
        histogramChart(record),
        rollingSharpeChart(record),
      ],
    },
    { title: "Balances", charts: balanceCharts(record) },
    { title: "Budget and settlement", charts: [budgetChart(record), settlementChart(record)] },
  ];
}

function chartSection(title: string, charts: readonly Chart[]): Html {
  return html`<h2>${title}</h2>
<div class="grid">${charts.map(chartFigure)}</div>`;
}

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

function headerOf(record: RunRecord, figures: Figures, compared?: Comparison): Html {
  const { settings } = record;
  const { title, strategy, source, data, seed, traceHash, from, to, codeVersion } = settings;
  const facts = [
    `${source} of ${strategy}`,
    `${minute(from)} to ${minute(to)} (${duration(to - from)})`,
    data,
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(traceHash === undefined ? [] : [`trace ${traceHash.slice(0, 16)}`]),
    `pegbot ${codeVersion}`,
  ];
  const ended = endedText(record);
  const stopped = ended === undefined ? NOTHING : html`\n<p class="stopped">${ended}</p>`;
  const banner = settings.banner === undefined ? NOTHING : html`\n<p class="stopped banner">${settings.banner}</p>`;
  const own = [...(settings.cautions ?? []), ...figureCautions(figures)];
  const cautions = headNotes([...own, ...(compared?.record.settings.cautions ?? [])]);
  return pageHead(title, facts, [stopped, banner], cautions, headNotes(runNotes(record)));
}

function tiles({ settings }: RunRecord, figures: Figures): Html {
  const lines = summarise(figures, settings.currency).flatMap((group) => group.lines);
  return tilesOf(FIRST.flatMap((label) => lines.filter((line) => line.label === label)));
}

function assumptions(record: RunRecord, compared: Comparison | undefined): Html {
  const { settings, ended, refusals, holes = [] } = record;
  const params = Object.entries(settings.params).map(([name, value]) => ({
    name: `parameter ${name}`,
    value: typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)),
  }));
  const rest = [
    { name: "risk-free rate", value: `${settings.riskFreeRate * 100} % a year` },
    ...(settings.traceHash === undefined ? [] : [{ name: "trace hash", value: settings.traceHash }]),
    ...(compared === undefined
      ? []
      : [
          { name: "compared with", value: `${compared.label}: ${compared.record.settings.title}` },
          ...compared.record.settings.assumptions,
        ]),
  ];
  const refused = Object.entries(refusals).map(([rule, count]) => ({
    name: `refused by ${rule}`,
    value: [counted(count, "proposal"), refusedText(record, rule)].join(": "),
  }));
  const capped = cappedRows(record).map(({ rule, orders, text }) => ({
    name: `capped by ${rule}`,
    value: `${counted(orders, "order")}: ${text}`,
  }));
  const closed = holes.map((one) => ({ name: `holes in ${one.name}`, value: holeText(one) }));
  const end = ended === undefined ? [] : [{ name: "state at the end", value: endedText(record) ?? ended.state }];
  const rows = [...end, ...closed, ...settings.assumptions, ...params, ...rest, ...refused, ...capped];
  return settingsTable("Assumptions and settings", rows);
}

function figureTables({ settings }: RunRecord, figures: Figures, compared: Comparison | undefined): Html {
  const groups = summarise(figures, settings.currency);
  const others = compared && summarise(compared.figures, compared.record.settings.currency);
  const section = ({ title, lines }: Group, index: number): Html =>
    html`<section><h3>${title}</h3><table>${head(compared)}<tbody>${lines.map((line, row) => rowOf(line, others?.[index]?.lines[row]))}</tbody></table></section>
`;
  return html`<h2>Figures</h2>
<div class="figures ${compared === undefined ? "" : "compared"}">${groups.map(section)}</div>`;
}

function head(compared: Comparison | undefined): Html {
  if (compared === undefined) return NOTHING;
  return html`<thead><tr><th></th><th class="n">this run</th><th class="n">${compared.label}</th><th class="more"></th></tr></thead>`;
}

function rowOf({ label, text, note, tone }: Line, other: Line | undefined): Html {
  const second = other === undefined ? NOTHING : html`<td class="n ${other.tone ?? ""}">${other.text}</td>`;
  return html`<tr><th scope="row">${label}</th><td class="n ${tone ?? ""}">${text}</td>${second}<td class="more">${note ?? ""}</td></tr>`;
}

const NOT_AVAILABLE = "n/a";

function pairTable(record: RunRecord): Html {
  const pairs = pairFigures(record);
  if (pairs.length === 0) return NOTHING;
  const { currency } = record.settings;
  const titles = [
    "pair",
    "venue's prices",
    "fills",
    "buys",
    "sells",
    "not filled",
    "turnover",
    "edge",
    "edge captured",
  ];
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
  return html`<h2>Pairs</h2>
<div class="scroll flat">${dataTable([...titles, "realised", "profit over holding"], rows, titles.slice(0, 2))}</div>`;
}

const ROWS_MAX = 500;

function tradeTable(record: RunRecord): Html {
  const { fills } = record;
  const rows = tradeRows(record, Math.max(0, fills.length - ROWS_MAX)).reverse();
  const cut =
    fills.length > ROWS_MAX
      ? html`<p class="note">The last ${number(ROWS_MAX, 0)} of ${number(fills.length, 0)} fills; the CSV of trades has all of them.</p>`
      : html``;
  if (fills.length === 0) return html`<h2>Trades</h2><p class="missing">nothing was traded</p>`;
  const titles = ["filled", "pair", "side", "size", "price", "quoted", "fair", "fee", "realised", "reason"];
  const cells = rows.map((row) => [
    ...[second(row.time), row.symbol, row.side, row.quantity, price(row.price), price(row.touch), price(row.fair)],
    `${amount(row.fee)} ${row.feeAsset}`,
    row.realised === undefined ? "" : amount(row.realised),
    row.reason,
  ]);
  return html`<h2>Trades</h2>
${cut}<div class="scroll">${dataTable(titles, cells, ["filled", "pair", "side", "reason"])}</div>`;
}

/** Rounded for display; the CSV is exact. */
function amount(text: string): string {
  return number(Number(text), 4);
}

function price(value: number): string {
  return Number.isFinite(value) ? value.toFixed(5) : "";
}

// Returns by calendar: months of each year, and days of each month where there are not too many. Plain tables, readable
// without a script.

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTHS_BY_DAY_MAX = 13;

function heatMaps({ periods }: Figures): Html {
  if (periods.kind === "n/a") return html`<h2>Returns by calendar</h2><p class="missing">n/a: ${periods.reason}</p>`;
  const { months, days } = periods.value;
  const byYear = heatMap(
    months,
    (date) => `${date.getUTCFullYear()}`,
    (date) => date.getUTCMonth(),
    MONTHS,
  );
  const byMonth = heatMap(
    days,
    (date) => `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`,
    (date) => date.getUTCDate() - 1,
    Array.from({ length: 31 }, (_, index) => `${index + 1}`),
  );
  const daily = months.length <= MONTHS_BY_DAY_MAX ? box("days", byMonth) : html``;
  return html`<h2>Returns by calendar, in %</h2>
${box("months", byYear)}
${daily}`;
}

/** The table is wider than a phone, so it scrolls separately, also by keyboard, and its row names stay in place. */
function box(name: string, table: Html): Html {
  return html`<div class="scroll flat" data-heat="${name}" tabindex="0" role="region" aria-label="returns by ${name}">${table}</div>`;
}

function heatMap(
  periods: readonly Period[],
  rowOf: (date: Date) => string,
  columnOf: (date: Date) => number,
  columns: readonly string[],
): Html {
  const largest = Math.max(...periods.map((period) => Math.abs(period.return)), 1e-9);
  const rows = new Map<string, Map<number, Period>>();
  for (const period of periods) {
    const date = new Date(period.from);
    const row = rows.get(rowOf(date)) ?? new Map<number, Period>();
    rows.set(rowOf(date), row.set(columnOf(date), period));
  }
  const cells = (row: Map<number, Period>): Html[] => columns.map((_, index) => cell(row.get(index), largest));
  const body = [...rows].map(([name, row]) => html`<tr><th scope="row">${name}</th>${cells(row)}</tr>`);
  const titles = columns.map((name) => html`<th class="n" scope="col">${name}</th>`);
  return html`<table class="heat"><thead><tr><th></th>${titles}</tr></thead><tbody>${body}</tbody></table>`;
}

function cell(period: Period | undefined, largest: number): Html {
  if (period === undefined) return html`<td></td>`;
  const level = Math.ceil((Math.abs(period.return) / largest) * 3);
  const shade = level === 0 ? "" : `${period.return > 0 ? "g" : "l"}${level}`;
  const more = `${day(period.from)}: ${signed(percent(period.return, 3))}, holding ${signed(percent(period.holding, 3))}, ${number(period.fills, 0)} fills`;
  return html`<td class="${shade}" title="${more}">${number(period.return * 100, 2)}</td>`;
}
