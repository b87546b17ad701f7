// The figures of a report, from the comments of the figures in backtest/metric/, superior.ts and overfit.ts of backtest/search/: each says what it is and
// its formula, and the page says the same.

import { readdirSync, readFileSync } from "node:fs";

const INTRODUCTION = `# Figures of a run

Every figure of a report with its formula, and the rules that hold for all of them. [Reading the result](../guides/backtest.md#reading-the-result) says how to read a result. The
code is in \`backtest/metric/\`, by subject.

- **Money is exact** to 18 decimals; ratios and statistics are floats.
- **n/a is a value**, with its reason: for too little data (fewer than 10 closing fills, 10 fills for Sharpe over holding, 20 period returns, 30 days for anything
  a year, 30 fills for impact), books that never opened, returns that do not vary, or a missing rate. It is never 0 and never infinite. Where a holding has no rate for more than 1 % of the time, or at the end, every figure of equity is n/a.
- **One equity**, the bot's own ([more](../guides/backtest.md#what-is-held-and-its-worth)), in one currency.
- **Orders and fills count at the \`rate\` of their decision**, as the limits do: at fair value, which is par for a coin with par.
- **Holding is the benchmark**: the opening inventory and later deposits without a trade. Figures over holding leave out what rates did.
- **Deposits are no profit.** Returns are time-weighted.
- **Times are the bot's.** Figures a day and a year count from the opening of the books.
- **Periods** are days from 20 days on, hours below that; a year has 365.25 days. The incomplete last period is left out.
- **A trade is a fill that closed something**, at average cost and after fees. Selling opening inventory opens a short position.`;

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
  ["Execution", ["fill-rate", "edge-captured", "arrival-cost", "markout", "impact"]],
  ["Budget and settlement", ["slots-used", "profit-per-request"]],
  ["Overfitting", ["superiority", "overfitting"]],
];

export function figuresPage(): string {
  const texts = figures();
  const sections = GROUPS.flatMap(([title, files]) => [
    `## ${title}`,
    ...files.map((name) => `### ${name}\n\n${texts.get(name)}`),
  ]);
  return [INTRODUCTION, ...sections].join("\n\n");
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
