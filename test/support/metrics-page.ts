// docs/METRICS.md from the headers of backtest/metric/ and backtest/many/overfit/: a figure's file says what it is and its formula, and the page says
// the same.

import { existsSync, readdirSync, readFileSync } from "node:fs";

const FOLDERS = ["backtest/metric", "backtest/many/overfit"];
const PAGE = "docs/METRICS.md";
const BEGIN = "<!-- figures: written by scripts/metrics-page.ts from the headers of backtest/metric -->";
const END = "<!-- end of figures -->";

const GROUPS: readonly (readonly [title: string, files: readonly string[]])[] = [
  [
    "Profit",
    ["net-profit", "profit-over-holding", "total-return", "cagr", "profit-bridge", "fees", "premium-captured"],
  ],
  [
    "Risk",
    [
      "volatility",
      "sharpe",
      "probabilistic-sharpe",
      "sharpe-over-holding",
      "sortino",
      "drawdown",
      "calmar",
      "exposure",
    ],
  ],
  ["Trades", ["trades", "win-rate", "profit-factor", "expectancy", "streaks", "turnover", "periods", "pairs"]],
  ["Execution", ["fill-rate", "edge-captured", "markout", "capacity"]],
  ["Budget and settlement", ["slots-used", "profit-per-request", "capital-hours"]],
  ["Overfitting", ["deflated-sharpe", "bootstrap", "trade-order", "neighbourhood"]],
];

/** The page as it is, and as the headers want it. */
export function metricsPage(): { readonly path: string; readonly found: string; readonly wanted: string } {
  const found = readFileSync(PAGE, "utf8");
  const [before, after] = [found.indexOf(BEGIN), found.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${PAGE} must have the two marks between which figures stand`);
  const sections = GROUPS.flatMap(([title, files]) => [`## ${title}`, ...files.map(section)]);
  const wanted = `${found.slice(0, before)}${BEGIN}\n\n${sections.join("\n\n")}\n\n${found.slice(after)}`;
  return { path: PAGE, found, wanted };
}

export function listedFigures(): string[] {
  return GROUPS.flatMap(([, files]) => files).sort();
}

export function figureFiles(): string[] {
  return FOLDERS.flatMap((folder) => readdirSync(folder))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => name.slice(0, -3))
    .sort();
}

function section(name: string): string {
  const path = FOLDERS.map((folder) => `${folder}/${name}.ts`).find((one) => existsSync(one));
  if (path === undefined) throw new Error(`${name} is on the page and has no file`);
  const lines = readFileSync(path, "utf8").split("\n");
  const header = lines
    .slice(
      0,
      lines.findIndex((line) => !line.startsWith("// ")),
    )
    .map((line) => line.slice(3));
  const at = header.findIndex((line) => line.startsWith("Formula: "));
  if (at < 1) throw new Error(`${path} must open with what the figure is and then its formula`);
  const formula = header.slice(at).join(" ").slice("Formula: ".length);
  return `### ${name}\n\n${header.slice(0, at).join(" ")}\n\n    ${formula.replaceAll("; ", "\n    ")}`;
}
