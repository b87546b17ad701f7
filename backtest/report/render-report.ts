// One offline page of a run: figures, charts, assumptions, trades. Everything is in the file; it asks nobody for anything,
// and its own policy forbids it to.

import { createHash } from "node:crypto";
import type { Figures } from "../figures.ts";
import type { RunRecord } from "../record/run-record.ts";
import { balanceCharts } from "./chart/balance.ts";
import { budgetChart, settlementChart } from "./chart/budget.ts";
import { markoutChart, waterfallChart } from "./chart/cost.ts";
import { equityChart, underwaterChart } from "./chart/equity.ts";
import { premiumCharts, priceCharts } from "./chart/price.ts";
import { histogramChart, rollingSharpeChart } from "./chart/returns.ts";
import type { Chart } from "./chart/spec.ts";
import type { Comparison } from "./comparison.ts";
import { type Html, html, jsonBlock } from "./html.ts";
import { pageAssets } from "./page-assets.ts";
import { chartFigure } from "./section/chart-figure.ts";
import { figureTables } from "./section/figure-tables.ts";
import { heatMaps } from "./section/heat-map.ts";
import { assumptions, headerOf, tiles } from "./section/overview.ts";
import { tradeTable } from "./section/trade-table.ts";

export function renderReport(record: RunRecord, figures: Figures, compared?: Comparison): string {
  const groups = chartGroups(record, figures, compared);
  const { script, style } = pageAssets();
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const body = html`${headerOf(record)}
${tiles(record, figures)}
${groups.map(({ title, charts }) => chartSection(title, charts))}
${heatMaps(figures)}
${figureTables(record, figures, compared)}
${assumptions(record, compared)}
${tradeTable(record)}
<footer>Charts are drawn from the lowest and highest value of each span, so that no spike is lost; drag to zoom, double-click to go back. Times are UTC. What the figures mean and how they are worked out: docs/METRICS.md of pegbot ${record.settings.codeVersion}. A backtest is a story about the past under the assumptions above.</footer>`;
  const charts = groups.flatMap((group) => group.charts);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
${html`<title>${record.settings.title}</title>`.markup}
<style>${style}</style>
</head>
<body>
${body.markup}
<script type="application/json" id="charts">${jsonBlock(charts).markup}</script>
<script>${script}</script>
</body>
</html>
`;
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

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
