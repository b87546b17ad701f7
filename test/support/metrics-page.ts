// docs/reference/figures.md from the comments of the figures in backtest/metric/, superior.ts and overfit.ts of backtest/search/: each says what it is and
// its formula, and the page says the same.

import { readdirSync, readFileSync } from "node:fs";

const PAGE = "docs/reference/figures.md";
const BEGIN = "<!-- figures: written by scripts/metrics-page.ts from the comments in backtest/metric -->";
const END = "<!-- end of figures -->";

const GROUPS: readonly (readonly [title: string, files: readonly string[]])[] = [
  ["Profit", ["net-profit", "profit-over-holding", "total-return", "cagr", "profit-parts", "fees"]],
  [
    "Risk",
    [
      "volatility",
      "sharpe",
      "sharpe-error",
      "probabilistic-sharpe",
      "sharpe-over-holding",
      "sortino",
      "drawdown",
      "drawdown-over-holding",
      "tail-loss",
      "calmar",
      "exposure",
    ],
  ],
  ["Trades", ["trades", "round-trips", "turnover", "periods", "pairs"]],
  ["Execution", ["fill-rate", "edge-captured", "markout", "impact"]],
  ["Budget and settlement", ["slots-used", "profit-per-request"]],
  ["Overfitting", ["superiority", "overfitting"]],
];

/** The page as it is, and as the headers want it. */
export function metricsPage(): { readonly path: string; readonly found: string; readonly wanted: string } {
  const found = readFileSync(PAGE, "utf8");
  const [before, after] = [found.indexOf(BEGIN), found.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${PAGE} must have the two marks between which figures stand`);
  const texts = figures();
  const sections = GROUPS.flatMap(([title, files]) => [
    `## ${title}`,
    ...files.map((name) => `### ${name}\n\n${texts.get(name)}`),
  ]);
  const wanted = `${found.slice(0, before)}${BEGIN}\n\n${sections.join("\n\n")}\n\n${found.slice(after)}`;
  return { path: PAGE, found, wanted };
}

export function listedFigures(): string[] {
  return GROUPS.flatMap(([, files]) => files).sort();
}

/** Every function with a formula, by its name in the documentation. */
export function figures(): ReadonlyMap<string, string> {
  const files = readdirSync("backtest/metric").map((name) => `backtest/metric/${name}`);
  const found = new Map<string, string>();
  for (const path of [...files, "backtest/search/superior.ts", "backtest/search/overfit.ts"])
    for (const [, comment = "", name = ""] of readFileSync(path, "utf8").matchAll(FIGURE))
      if (comment.includes("Formula: ")) found.set(kebab(name), sectionOf(comment));
  return found;
}

const FIGURE = /\/\*\*\n((?: \*[^\n]*\n)+?) \*\/\nexport function (\w+)/g;

function kebab(name: string): string {
  return name.replace(/Figures$/, "s").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** What follows an empty line of the comment is for readers of the code. */
function sectionOf(comment: string): string {
  const text = comment.replace(/\n \*\n[\s\S]*/, "").replace(/^ \* /gm, "");
  const [what = "", formula = ""] = text.trim().replaceAll("\n", " ").split(" Formula: ");
  return `${what}\n\n    ${formula.replaceAll("; ", "\n    ")}`;
}
