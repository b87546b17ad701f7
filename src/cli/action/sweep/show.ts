// The table of a search on the terminal: the best by out-of-sample, and what the one that would have been chosen came to.

import {
  achievedText,
  chosenInSample,
  countText,
  faultIn,
  figureText,
  meanText,
  type RankedRow,
  rankText,
  setText,
  unjudgedText,
  valueText,
} from "../../../../backtest/search/ranking.ts";
import type { SweepPlan } from "../../../../backtest/search/sweep-plan.ts";
import type { Shell } from "../../shell.ts";
import type { Column } from "../../terminal/table.ts";

const ROWS_SHOWN = 20;
const ACTIVE = "ACTIVE";

type Sought = Pick<SweepPlan, "axes" | "objective"> & { readonly currency: string };

export function showRanking({ terminal }: Pick<Shell, "terminal">, plan: Sought, rows: readonly RankedRow[]): void {
  const { axes, objective, currency } = plan;
  const names = axes.map(({ name }) => name);
  const right = (title: string): Column => ({ title, align: "right" });
  const columns: Column[] = [
    right("rank"),
    ...names.map(right),
    right(`${objective} out-of-sample`),
    right("in-sample"),
    right("over holding"),
    right("drawdown"),
    right("fills"),
    { title: "ended" },
  ];
  const shown = rows.filter(({ judged }) => judged !== null).slice(0, ROWS_SHOWN);
  terminal.table(
    columns,
    shown.map((row) => [
      String(row.rank),
      ...names.map((name) => valueText(row.values[name])),
      achievedText(objective, row.outOfSample, currency),
      achievedText(objective, row.inSample, currency),
      figureText("profitOverHolding", row.judged?.figures.profitOverHolding, currency),
      figureText("drawdown", row.judged?.figures.drawdown),
      countText(row.judged?.fills ?? 0),
      endText(row),
    ]),
  );
  if (rows.length > shown.length) terminal.print(`and ${rows.length - shown.length} more`);
  const mean = meanText(rows);
  if (mean !== undefined) terminal.note(mean);
  const unjudged = unjudgedText(objective, rows);
  if (unjudged !== undefined) terminal.note(unjudged);
  if (isOneRun(rows))
    terminal.note(`all ${rows.length} sets came to the very same result: no parameter had any effect in this time`);
  tellFaults(terminal, rows);
  const stopped = rows.filter((row) => endText(row) !== ACTIVE).length;
  if (stopped > 0)
    terminal.note(`${stopped} of ${rows.length} did not trade to the end: their figures are of a bot that stopped`);
  const chosen = chosenInSample(objective, rows);
  if (chosen === undefined && rows.some(({ chosen: side }) => faultIn(side) !== undefined)) {
    terminal.print("no set can be chosen");
    return;
  }
  if (chosen === undefined) {
    terminal.print(`no run has a figure for ${objective}: give it more time, or another --objective`);
    return;
  }
  const rank = rankText(chosen, rows);
  terminal.print();
  terminal.print(
    `best in-sample  ${setText(chosen.values)}: ${achievedText(objective, chosen.inSample, currency)} in-sample, ${achievedText(objective, chosen.outOfSample, currency)} out-of-sample${rank === undefined ? "" : ` (rank ${rank})`}${endText(chosen) === ACTIVE ? "" : `, ended ${endText(chosen)}`}`,
  );
}

/** A set whose strategy failed must not look like a poor one: it is a bug of the strategy, with its reason. */
function tellFaults(terminal: Shell["terminal"], rows: readonly RankedRow[]): void {
  const failed = rows.filter(({ chosen, judged }) => (faultIn(chosen) ?? faultIn(judged)) !== undefined);
  const [first] = failed;
  if (first === undefined) return;
  const why = faultIn(first.chosen) ?? faultIn(first.judged);
  terminal.note(
    `${failed.length} of ${rows.length} sets have a run that failed, which has no figure: it chooses nothing and ranks last; ${setText(first.values)} ${why}`,
  );
}

/** By every figure: one that is the same may be so by chance. */
function isOneRun(rows: readonly RankedRow[]): boolean {
  const sides = rows.map(({ chosen, judged }) =>
    JSON.stringify([chosen, judged], (key, value) => (key === "traces" ? null : value)),
  );
  return rows.length > 1 && new Set(sides).size === 1;
}

/** A bot that stopped did nothing from then on, whatever its figures are. */
function endText({ judged, chosen }: RankedRow): string {
  const ended = stoppedIn(judged?.states ?? []);
  if (ended !== "") return ended;
  const before = stoppedIn(chosen.states);
  return before === "" ? ACTIVE : `${before} in-sample`;
}

function stoppedIn(states: readonly string[]): string {
  return [...new Set(states.filter((state) => state !== ACTIVE))].join(", ");
}
