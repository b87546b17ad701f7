// The report of a walk-forward: the out-of-sample result first, its equity as one line, and the windows with the set
// chosen in each.

import { assumptionsOf } from "../assumption.ts";
import { known } from "../metric/figure.ts";
import type { BacktestOptions } from "../options.ts";
import { achievedText, setText } from "../search/ranking.ts";
import { SIGNIFICANT } from "../search/superior.ts";
import type { WalkForwardPlan, WindowTerms } from "../search/walk-forward.ts";
import type { WalkForwardOutcome, WindowRow } from "../search/walk-forward-outcome.ts";
import { depthChart, growthChart } from "./chart/worth.ts";
import { type Line, line } from "./figure-lines.ts";
import { counted, day, duration, minute, money, number, percent, signed } from "./format.ts";
import { columnsOf, type Report, type Setting, type Table } from "./report.ts";
import { chanceText, choiceText } from "./sweep-report.ts";

export type WalkForward = {
  readonly plan: WalkForwardPlan;
  readonly terms: WindowTerms;
  readonly options: BacktestOptions;
  readonly outcome: WalkForwardOutcome;
  readonly cautions: readonly string[];
};

const MISSING = "no window was traded";

export function walkForwardReport(walked: WalkForward): Report {
  const { plan, options, outcome, cautions } = walked;
  const { strategy, recordings, codeVersion, market } = options;
  const { rows, from, to, stitched } = outcome;
  const growth = "growth over all windows out-of-sample, beside the same account left alone";
  const depth = "how far stitched equity is under its highest so far";
  const failed = Math.max(0, ...rows.map(({ setsFailed }) => setsFailed));
  return {
    title: `${strategy.name}, walked forward`,
    facts: [
      counted(rows.length, "window"),
      `${minute(from)} to ${minute(to)} out-of-sample (${duration(to - from)})`,
      recordings.length === 0 ? `a synthetic market (${market.name})` : recordings.map(({ name }) => name).join(", "),
      `seed ${plan.search.base.seed}`,
      `pegbot ${codeVersion}`,
    ],
    notes: [
      ...(failed === 0 ? [] : [`up to ${counted(failed, "set")} of a window failed, and could not be chosen`]),
      ...cautions,
    ],
    parts: [
      { kind: "tiles", lines: outcomeLines(outcome) },
      {
        kind: "charts",
        title: "Out-of-sample",
        charts: [
          growthChart({ id: "equity", title: "Stitched equity", note: growth, size: "wide" }, stitched.series, MISSING),
          depthChart(
            { id: "underwater", title: "Below the peak", note: depth, size: "wide" },
            stitched.series,
            MISSING,
          ),
        ],
      },
      windowTable(outcome),
      { kind: "settings", title: "Settings", rows: settingsOf(walked) },
    ],
    footer: `In each window parameters were chosen over the time before it and run, once, over the window: only that is out-of-sample. Every window starts with the same account, so growth is stitched and inventory is not. Times are UTC. What the figures mean: docs/reference/figures.md; how a walk-forward works: docs/guides/sweep.md of pegbot ${codeVersion}.`,
  };
}

function outcomeLines(outcome: WalkForwardOutcome): readonly Line[] {
  const { figures, currency, profitOverHolding, fills, rows, gained } = outcome;
  const traded = rows.filter(({ values }) => values !== undefined).length;
  const part = (value: number): Pick<Line, "text"> => ({ text: signed(percent(value, 3)) });
  return [
    line("Sharpe over holding", figures.sharpeOverHolding, (value) => ({ text: number(value, 2), sign: value })),
    line("chance that it is above 0", figures.probabilisticSharpe, (value) => ({
      text: percent(value, 1),
      sign: value >= 1 - SIGNIFICANT ? 1 : 0,
    })),
    line("profit over holding", known(profitOverHolding), (value) => ({
      text: signed(money(value, currency)),
      note: `${gained} of ${counted(traded, "window")} gained`,
      sign: value,
    })),
    line("return", figures.totalReturn, (value) => ({ ...part(value), sign: value })),
    line("return of holding", figures.holdingReturn, part),
    line("deepest drawdown", figures.drawdown, ({ size }) => ({ text: percent(size, 3) })),
    { label: "fills", text: number(fills, 0) },
  ];
}

function windowTable(outcome: WalkForwardOutcome): Table {
  const { rows, objective, isPerDay } = outcome;
  return {
    ...{ kind: "table", title: "Windows", shown: rows.length },
    columns: columnsOf(
      ...["+>window", "+chosen over", "test", ">out-of-sample", ">in-sample", "chosen", ">p"],
      ...[">over holding", ">fills", "ended"],
    ),
    rows: rows.map((row, index) => windowCells(row, index, outcome)),
    notes: [
      `${objective}${isPerDay ? " a day" : ""}: out-of-sample of the set that was chosen, then what it was chosen by; p is the chance that the best of so many sets without an edge does as well (SPA).`,
    ],
  };
}

function settingsOf({ plan: { search }, terms, options }: WalkForward): readonly Setting[] {
  const { trainMs, testMs, purgeMs, anchored } = terms;
  const train = duration(trainMs);
  return [
    { name: "chosen over", value: anchored ? `all the time before, ${train} at least` : train },
    { name: "judged over", value: duration(testMs) },
    { name: "left out between", value: purgeMs === 0 ? "nothing" : duration(purgeMs) },
    {
      name: "every window",
      value: "starts afresh with the same account: growth is stitched, inventory is not handed over",
    },
    {
      name: "search",
      value: `${search.search}, ${search.points.length} parameter sets a window, by ${search.objective}`,
    },
    ...search.axes.map((axis) => ({ name: `searched ${axis.name}`, value: choiceText(axis) })),
    ...assumptionsOf(options),
  ];
}

function windowCells(row: WindowRow, index: number, { objective, currency }: WalkForwardOutcome): readonly string[] {
  const { window, values, outOfSample, inSample, superior, profitOverHolding, fills, state } = row;
  const begin = [String(index + 1), spanText(window.train), spanText(window.test)];
  if (values === undefined) return [...begin, "n/a", "n/a", "", "", "", "", state];
  return [
    ...begin,
    achievedText(objective, outOfSample),
    achievedText(objective, inSample),
    setText(values),
    superior?.kind === "known" ? chanceText(superior.value.p) : "n/a",
    profitOverHolding === null ? "n/a" : money(profitOverHolding, currency),
    number(fills, 0),
    state,
  ];
}

/** Dates only where both ends are midnights. */
function spanText({ from, to }: WindowRow["window"]["test"]): string {
  const text = from % 86_400_000 === 0 && to % 86_400_000 === 0 ? day : minute;
  return `${text(from)} to ${text(to)}`;
}
