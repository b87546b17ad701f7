// `sweep`: many backtests over parameters, on all cores; finished runs are stored, and the same command continues from
// there.

import { type Command, Option } from "commander";
import { assumptionsOf } from "../../../backtest/assumption.ts";
import { cautionsOf } from "../../../backtest/caution.ts";
import { worthSeries } from "../../../backtest/metric/worth.ts";
import type { RunRecord } from "../../../backtest/record/run-record.ts";
import { renderSweep, type SweepPage, sweepFacts } from "../../../backtest/report/render-sweep.ts";
import { ownWaysTexts } from "../../../backtest/report/run-text.ts";
import {
  achievedText,
  chosenInSample,
  countText,
  faultIn,
  figureText,
  meanText,
  type RankedRow,
  rankedRows,
  rankText,
  type Spans,
  setText,
  tooShortText,
  unjudgedText,
  valueText,
} from "../../../backtest/search/ranking.ts";
import { inSample, outOfSample, parseSplit, type Split } from "../../../backtest/search/search-terms.ts";
import { superiority, superiorityText } from "../../../backtest/search/superior.ts";
import { bestInSample, type Explored, runSweep, runsOf } from "../../../backtest/search/sweep.ts";
import { judgingTrials, type SweepPlan, specificationOf } from "../../../backtest/search/sweep-plan.ts";
import type { Trial } from "../../../backtest/search/trial.ts";
import { repeated } from "../../../backtest/search/trial-result.ts";
import { plainFailure } from "../../app/command-failure.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { versionText } from "../../app/version.ts";
import { columns } from "../columns.ts";
import { parsed } from "../option/values.ts";
import { declarePlan } from "../research/plan.ts";
import { conclude, requireSearchPlaces, runSearch, type SearchPlaces } from "../research/runner.ts";
import {
  choiceText,
  declareSearch,
  leftOutText,
  type PlannedSweep,
  type SearchFlags,
  searchSettings,
  showCautions,
  sweepPlan,
} from "../research/search.ts";

const SPLIT = { kind: "time", share: 0.3 } as const satisfies Split;

export function defineSweep(command: Command, run: Run): void {
  declareSearch(declarePlan(command), "sweep")
    .addOption(
      new Option("--out-of-sample <what>", "the last part of the time, or other seeds (seeds:3)")
        .argParser(parsed(parseSplit))
        .default(SPLIT, String(SPLIT.share)),
    )
    .action((flags: SweepFlags) => run((shell) => sweep(shell, flags)));
}

type SweepFlags = SearchFlags & SearchPlaces;

async function sweep(shell: Shell, flags: SweepFlags): Promise<ExitCode> {
  requireSearchPlaces(flags);
  const signal = shell.stopSignal();
  const planned = await sweepPlan(shell, flags);
  const { plan, base } = planned;
  const short = tooShortText(plan.objective, spansOf(plan));
  if (short !== undefined) shell.terminal.note(short);
  return runSearch(shell, flags, signal, {
    ...{ what: "sweep", base, total: runsOf(plan) },
    specification: (code) => specificationOf(plan, code),
    explore: (parts) => runSweep(plan, parts),
    async finish(explored) {
      const rows = rankedRows(plan, explored);
      const record = await judgedAgain(planned, explored);
      const cautions = [...(record === undefined ? [] : ownWaysTexts(record)), ...cautionsOf(base.options)];
      const superior = superiority(
        explored.map(({ inSample }) => inSample),
        plan.base.seed,
      );
      return finish(shell, planned, { rows, superior, series: record && worthSeries(record), cautions }, flags);
    },
  });
}

function spansOf(plan: SweepPlan): Spans {
  const { base, split } = plan;
  const [choosing, judging] = [inSample(base, split), outOfSample(base, split)];
  const outOfSampleMs = Math.min(...judging.map(({ from, to }) => to - from));
  return { inSampleMs: choosing.to - choosing.from, outOfSampleMs };
}

/** The run that judges the choice, once more for its whole record; undefined where nothing was chosen or judged. */
async function judgedAgain(
  { plan, base }: PlannedSweep,
  explored: readonly Explored[],
): Promise<RunRecord | undefined> {
  const chosen = bestInSample(plan.objective, explored);
  const judge = chosen?.outOfSample[0];
  if (chosen === undefined || judge?.kind !== "ran") return undefined;
  const [trial] = judgingTrials(plan, chosen.point);
  const again = await repeated(trial as Trial, judge, base.ground);
  if (!again.ok) throw plainFailure(again.error);
  return again.value.record;
}

type Found = Pick<SweepPage, "rows" | "superior" | "series" | "cautions">;

/** If the chosen set failed, or failures left none to choose, there is no result, as in a halted backtest. */
function codeOf({ objective }: SweepPlan, rows: readonly RankedRow[], told: ExitCode): ExitCode {
  if (told !== exitCode.done) return told;
  const chosen = chosenInSample(objective, rows);
  const looked = chosen === undefined ? rows.map((row) => row.chosen) : [chosen.judged];
  return looked.some((side) => faultIn(side) !== undefined) ? exitCode.halted : exitCode.done;
}

function finish(shell: Shell, planned: PlannedSweep, result: Found, flags: SweepFlags): ExitCode {
  const { terminal } = shell;
  const { rows, superior, cautions } = result;
  const { plan, base, leftOut } = planned;
  const page = sweepPage(planned, result);
  const { objective, search } = plan;
  const currency = currencyOf(plan);
  const settings = { ...searchSettings(plan.base, base.options), ...partsOf(plan) };
  const told = conclude(shell, flags, {
    page: renderSweep(page),
    json: () => ({
      ...{ objective, currency, search, settings, cautions, superior, leftOut, rows },
    }),
    show() {
      terminal.print(page.title);
      terminal.print(sweepFacts(page).join(", "));
      showCautions(shell, cautions);
      terminal.print();
      showRanking(shell, { ...plan, currency }, rows);
      terminal.print(`the best beats holding: ${superiorityText(superior)}`);
    },
  });
  return codeOf(plan, rows, told);
}

/** The runs that choose, and the runs that judge. */
function partsOf({ base, split }: SweepPlan): object {
  const { seed, from, to } = base;
  const whole = { seed, from, to };
  return { inSample: inSample(whole, split), outOfSample: outOfSample(whole, split) };
}

function currencyOf({ base }: SweepPlan): string {
  return String(base.limits.currency);
}

const ROWS_SHOWN = 20;
const ACTIVE = "ACTIVE";

type Sought = Pick<SweepPlan, "axes" | "objective"> & { readonly currency: string };

export function showRanking({ terminal }: Pick<Shell, "terminal">, plan: Sought, rows: readonly RankedRow[]): void {
  const { axes, objective, currency } = plan;
  const names = axes.map(({ name }) => name);
  const searched = names.map((name) => `>${name}`);
  const figures = [`>${objective} out-of-sample`, ">in-sample", ">over holding", ">drawdown", ">fills"];
  const shown = rows.slice(0, ROWS_SHOWN);
  terminal.table(
    columns(">rank", ...searched, ...figures, "ended"),
    shown.map((row) => [
      String(row.rank),
      ...names.map((name) => valueText(row.values[name])),
      achievedText(objective, row.outOfSample, currency),
      achievedText(objective, row.inSample, currency),
      figureText("profitOverHolding", row.judged.figures.profitOverHolding, currency),
      figureText("drawdown", row.judged.figures.drawdown),
      countText(row.judged.fills),
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

/**
 * A set whose strategy failed must not look like a poor one: the failure is a bug of the strategy, and is printed with
 * its reason.
 */
function tellFaults(terminal: Shell["terminal"], rows: readonly RankedRow[]): void {
  const failed = rows.filter(({ chosen, judged }) => (faultIn(chosen) ?? faultIn(judged)) !== undefined);
  const [first] = failed;
  if (first === undefined) return;
  const why = faultIn(first.chosen) ?? faultIn(first.judged);
  terminal.note(
    `${failed.length} of ${rows.length} sets have a run that failed, which has no figure: it chooses nothing and ranks last; ${setText(first.values)} ${why}`,
  );
}

/** Compares every figure: a single equal one may be chance. */
function isOneRun(rows: readonly RankedRow[]): boolean {
  const sides = rows.map(({ chosen, judged }) =>
    JSON.stringify([chosen, judged], (key, value) => (key === "traces" ? null : value)),
  );
  return rows.length > 1 && new Set(sides).size === 1;
}

/** A stopped bot did nothing from then on, whatever its figures are. */
function endText({ judged, chosen }: RankedRow): string {
  const ended = stoppedIn(judged.states);
  if (ended !== "") return ended;
  const before = stoppedIn(chosen.states);
  return before === "" ? ACTIVE : `${before} in-sample`;
}

function stoppedIn(states: readonly string[]): string {
  return [...new Set(states.filter((state) => state !== ACTIVE))].join(", ");
}

/** `options` are those of the base backtest, with the first of the searched values. */
export function sweepPage({ plan, base: { options }, leftOut }: PlannedSweep, found: Found): SweepPage {
  const { base, axes } = plan;
  return {
    title: `Sweep of ${options.strategy.name} over ${axes.map(({ name }) => name).join(", ")}`,
    plan,
    ...found,
    runs: runsOf(plan),
    settings: [
      ...axes.map((axis) => ({ name: `${axis.target} ${axis.name}`, value: choiceText(axis) })),
      { name: "search", value: plan.search },
      ...(leftOut.length === 0
        ? []
        : [{ name: "sets left out", value: `${leftOut.length} that are refused: ${leftOutText(leftOut)}` }]),
      { name: "objective", value: plan.objective },
      { name: "currency of amounts", value: String(base.limits.currency) },
      { name: "seed", value: String(base.seed) },
      {
        name: "data",
        value:
          base.data.map(({ name, role, digest }) => `${name} as ${role}, columns ${digest.slice(0, 12)}`).join("; ") ||
          "synthetic",
      },
      ...Object.entries(base.params).map(([name, value]) => ({ name: `parameter ${name}`, value: valueText(value) })),
      ...assumptionsOf(options),
    ],
    codeVersion: versionText(),
  };
}
