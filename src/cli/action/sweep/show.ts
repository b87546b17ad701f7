// The table of a search on the terminal: the best by out-of-sample, and what the one that would have been chosen came to.

import { figureOf, type Objective } from "../../../../backtest/many/sweep/objective.ts";
import type { SweepPlan } from "../../../../backtest/many/sweep/plan.ts";
import { chosenInSample, type RankedRow } from "../../../../backtest/many/sweep/ranking.ts";
import { money, number, percent } from "../../../../backtest/report/format.ts";
import type { Shell } from "../../shell.ts";
import type { Column } from "../../table.ts";

const ROWS_SHOWN = 20;

export function showRanking({ terminal }: Pick<Shell, "terminal">, plan: SweepPlan, rows: readonly RankedRow[]): void {
  const { axes, objective } = plan;
  const names = axes.map(({ name }) => name);
  const right = (title: string): Column => ({ title, align: "right" });
  const columns: Column[] = [
    right("rank"),
    ...names.map(right),
    right(`${objective} out-of-sample`),
    right("in-sample"),
    right("profit"),
    right("drawdown"),
    right("fills"),
  ];
  const shown = rows.filter(({ judged }) => judged !== null).slice(0, ROWS_SHOWN);
  terminal.table(
    columns,
    shown.map((row) => [
      String(row.rank),
      ...names.map((name) => valueText(row.values[name])),
      achievedText(objective, row.outOfSample),
      achievedText(objective, row.inSample),
      row.judged?.figures.netProfit == null ? "n/a" : number(row.judged.figures.netProfit, 2),
      row.judged?.figures.drawdown == null ? "n/a" : percent(row.judged.figures.drawdown, 3),
      number(row.judged?.fills ?? 0, 0),
    ]),
  );
  if (rows.length > shown.length) terminal.print(`and ${rows.length - shown.length} more`);
  const chosen = chosenInSample(objective, rows);
  if (chosen === undefined) {
    terminal.print(`no run has a figure for ${objective}: give it more time, or another --objective`);
    return;
  }
  terminal.print();
  terminal.print(
    `best in-sample  ${names.map((name) => `${name}=${valueText(chosen.values[name])}`).join(" ")}: ${achievedText(objective, chosen.inSample)} in-sample, ${achievedText(objective, chosen.outOfSample)} out-of-sample (rank ${chosen.rank} of ${rows.length})`,
  );
}

export function valueText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** As the figure reads to people; money is in the currency of the limits. */
export function achievedText(objective: Objective, value: number | null): string {
  if (value === null) return "n/a";
  switch (figureOf(objective)) {
    case "netProfit":
    case "profitOverHolding":
    case "profitPerRequest":
      return money(value, "").trim();
    case "totalReturn":
    case "drawdown":
    case "edgeCaptured":
      return percent(value, 3);
    default:
      return number(value, 2);
  }
}
