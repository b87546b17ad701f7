// What a walk forward came to, on the terminal, as JSON and as a page.

import { assumptionsOf } from "../../../../backtest/assumption.ts";
import { nullForMissing } from "../../../../backtest/report/export.ts";
import { counted, duration } from "../../../../backtest/report/format.ts";
import { checkRows, renderWalkForward, walkForwardFacts } from "../../../../backtest/report/render-walk-forward.ts";
import type { CheckRow } from "../../../../backtest/search/overfitting-checks.ts";
import type { WalkForwardPlan, WindowTerms } from "../../../../backtest/search/walk-forward.ts";
import {
  outcomeLines,
  type WalkForwardOutcome,
  WINDOW_COLUMNS,
  windowCells,
  windowsNote,
} from "../../../../backtest/search/walk-forward-outcome.ts";
import type { Shell } from "../../shell.ts";
import type { Column } from "../../terminal/table.ts";
import type { BaseTrial } from "../many/base-trial.ts";
import { searchSettings } from "../many/search-settings.ts";
import { showGrounds } from "../many/show-grounds.ts";

export type Walked = {
  readonly plan: WalkForwardPlan;
  readonly terms: WindowTerms;
  readonly base: BaseTrial;
  readonly cautions: readonly string[];
};

const LABEL = 26;

export function showOutcome(
  { terminal }: Pick<Shell, "terminal">,
  outcome: WalkForwardOutcome,
  { cautions }: Pick<Walked, "cautions">,
): void {
  const { rows, objective, isPerDay } = outcome;
  const coloured = (text: string, tone: "gain" | "loss" | undefined): string =>
    tone === undefined ? text : terminal.style(tone === "gain" ? "green" : "red", text);
  showGrounds({ terminal }, cautions, outcome.references);
  terminal.print(`out-of-sample, ${counted(rows.length, "window")}`);
  for (const { label, text, note, tone } of outcomeLines(outcome))
    terminal.print(`  ${label.padEnd(LABEL)}${coloured(text, tone)}${note === undefined ? "" : `  ${note}`}`);
  terminal.print();
  const columns = WINDOW_COLUMNS.map(
    (title): Column => (title === "test" || title === "chosen" ? { title } : { title, align: "right" }),
  );
  terminal.table(
    columns,
    rows.map((row) => windowCells(row, outcome)),
  );
  const [failed] = [...rows].sort((one, other) => other.setsFailed - one.setsFailed);
  if (failed !== undefined && failed.setsFailed > 0)
    terminal.note(`up to ${counted(failed.setsFailed, "set")} of a window failed, and could not be chosen`);
  terminal.print(`looked for: ${objective}${isPerDay ? " a day" : ""}`);
  const note = windowsNote(outcome);
  if (note !== undefined) terminal.print(note);
  terminal.print();
  for (const row of checkRows(outcome)) showCheck(terminal, row, coloured);
}

function showCheck(
  terminal: Shell["terminal"],
  { label, text, note, meaning, tone }: CheckRow,
  coloured: (text: string, tone: CheckRow["tone"]) => string,
): void {
  terminal.print(`${label.padEnd(LABEL)}${coloured(text, tone)}${note === undefined ? "" : `  ${note}`}`);
  terminal.print(`  ${meaning}`);
}

/** Everything but the curve's samples, of which there may be millions. */
export function walkForwardJson(outcome: WalkForwardOutcome, { plan, terms, base, cautions }: Walked): unknown {
  const { stitched, ...rest } = outcome;
  const outOfSampleReturns = [...stitched.returns.returns];
  const { search } = plan;
  const settings = searchSettings(search.base, base.options);
  return nullForMissing({ search: search.search, settings, windows: terms, cautions, ...rest, outOfSampleReturns });
}

export function pageOf(outcome: WalkForwardOutcome, { plan, terms, base, cautions }: Walked): string {
  const { search } = plan;
  const { strategy, recordings, codeVersion } = base.options;
  const data = recordings.length === 0 ? "a synthetic market" : recordings.map(({ name }) => name).join(", ");
  const searched = search.axes.map(({ name, choice }) => ({
    name: `searched ${name}`,
    value:
      choice.kind === "list"
        ? choice.values.map((value) => JSON.stringify(value)).join(", ")
        : `${choice.from} to ${choice.to}`,
  }));
  return renderWalkForward({
    title: `${strategy.name}, walked forward`,
    facts: [...walkForwardFacts(outcome), data, `seed ${search.base.seed}`],
    outcome,
    cautions,
    settings: [
      ...termRows(terms),
      {
        name: "search",
        value: `${search.search}, ${search.points.length} parameter sets a window, by ${search.objective}`,
      },
      ...searched,
      ...assumptionsOf(base.options),
    ],
    codeVersion,
  });
}

function termRows({ trainMs, testMs, purgeMs, anchored }: WindowTerms): { name: string; value: string }[] {
  return [
    { name: "chosen over", value: anchored ? `all the time before, ${duration(trainMs)} at least` : duration(trainMs) },
    { name: "judged over", value: duration(testMs) },
    { name: "left out between", value: purgeMs === 0 ? "nothing" : duration(purgeMs) },
    {
      name: "every window",
      value: "starts afresh with the same account: growth is stitched, inventory is not handed over",
    },
  ];
}
