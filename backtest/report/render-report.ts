// One offline page of a run: figures, charts, assumptions, trades.

import type { Figures } from "../metric/figures.ts";
import type { RunRecord } from "../record/run-record.ts";
import { balanceCharts } from "./chart/balance.ts";
import { budgetChart, settlementChart } from "./chart/budget.ts";
import { markoutChart, waterfallChart } from "./chart/cost.ts";
import { equityChart, underwaterChart } from "./chart/equity.ts";
import { premiumCharts, priceCharts } from "./chart/price.ts";
import { histogramChart, rollingSharpeChart } from "./chart/returns.ts";
import type { Chart } from "./chart/spec.ts";
import type { Comparison } from "./comparison.ts";
import { renderDocument } from "./document.ts";
import { type Html, html } from "./html.ts";
import { chartFigure } from "./section/chart-figure.ts";
import { figureTables } from "./section/figure-tables.ts";
import { heatMaps } from "./section/heat-map.ts";
import { assumptions, headerOf, tiles } from "./section/overview.ts";
import { pairTable } from "./section/pair-table.ts";
import { tradeTable } from "./section/trade-table.ts";

export function renderReport(record: RunRecord, figures: Figures, compared?: Comparison): string {
  const groups = chartGroups(record, figures, compared);
  const body = html`${headerOf(record, compared)}
${tiles(record, figures)}
${groups.map(({ title, charts }) => chartSection(title, charts))}
${heatMaps(figures)}
${figureTables(record, figures, compared)}
${pairTable(record)}
${assumptions(record, compared)}
${tradeTable(record)}
<footer>Charts are drawn from the lowest and highest value of each span, so that no spike is lost; drag to zoom, double-click to go back. Times are UTC. What the figures mean and how they are worked out: docs/METRICS.md of pegbot ${record.settings.codeVersion}. A backtest is a story about the past under the assumptions above.</footer>`;
  return renderDocument({ title: record.settings.title, body, charts: groups.flatMap((group) => group.charts) });
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
