// `walk-forward`: searches window by window, on all cores; finished runs are stored, and the same command continues
// from there.

import type { Command } from "commander";
import { assumptionsOf } from "../../../backtest/assumption.ts";
import { cautionsOf } from "../../../backtest/caution.ts";
import { worthSeries } from "../../../backtest/metric/worth.ts";
import { nullForMissing } from "../../../backtest/report/export.ts";
import { counted, duration as durationText } from "../../../backtest/report/format.ts";
import { renderWalkForward, walkForwardFacts } from "../../../backtest/report/render-walk-forward.ts";
import { ownWaysTexts } from "../../../backtest/report/run-text.ts";
import { type Spans, tooShortText } from "../../../backtest/search/ranking.ts";
import { specificationOf } from "../../../backtest/search/sweep-plan.ts";
import { repeated } from "../../../backtest/search/trial-result.ts";
import {
  runWalkForward,
  type WalkedWindow,
  type WalkForwardPlan,
  type WindowTerms,
  walkRuns,
  windowsOf,
} from "../../../backtest/search/walk-forward.ts";
import {
  idlePiece,
  outcomeLines,
  outcomeOf,
  type Piece,
  type WalkForwardOutcome,
  WINDOW_COLUMNS,
  windowCells,
  windowsNote,
} from "../../../backtest/search/walk-forward-outcome.ts";
import { orFail, plainFailure } from "../../app/command-failure.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import type { Column } from "../../app/terminal/table.ts";
import { pause } from "../../domain/pause.ts";
import { duration } from "../option/values.ts";
import { declarePlan } from "../research/plan.ts";
import { conclude, requireSearchPlaces, runSearch, type SearchPlaces } from "../research/runner.ts";
import {
  type BaseTrial,
  choiceText,
  declareSearch,
  type SearchFlags,
  searchSettings,
  showCautions,
  sweepPlan,
} from "../research/search.ts";

export function defineWalkForward(command: Command, run: Run): void {
  declareSearch(declarePlan(command), "walk-forward")
    .option("--train <time>", "how long parameters are chosen over, for example 20d", duration, 86_400_000 * 10)
    .option("--test <time>", "how long each choice is judged, right after", duration, 86_400_000 * 5)
    .option("--purge <time>", "left out between the two", duration)
    .option("--anchored", "every choice is made over all the time from the beginning, instead of the last --train")
    .action((flags: WalkForwardFlags) => run((shell) => walkForward(shell, flags)));
}

type WalkForwardFlags = Omit<SearchFlags, "outOfSample"> &
  SearchPlaces & {
    readonly train: number;
    readonly test: number;
    readonly purge?: number;
    readonly anchored?: true;
  };

async function walkForward(shell: Shell, flags: WalkForwardFlags): Promise<ExitCode> {
  requireSearchPlaces(flags);
  const signal = shell.stopSignal();
  // Windows replace the split.
  const { plan: search, base } = await sweepPlan(shell, { ...flags, outOfSample: { kind: "time", share: 0.5 } });
  const terms: WindowTerms = {
    trainMs: flags.train,
    testMs: flags.test,
    purgeMs: flags.purge ?? 0,
    anchored: flags.anchored === true,
  };
  const plan: WalkForwardPlan = { search, windows: orFail(windowsOf(search.base, terms)) };
  const short = tooShortText(search.objective, spansOf(plan));
  if (short !== undefined) shell.terminal.note(short);
  return runSearch(shell, flags, signal, {
    ...{ what: "walk-forward", base, total: walkRuns(plan) },
    specification(code) {
      const { "out-of-sample": _, ...specification } = specificationOf(search, code);
      return { ...specification, windows: terms };
    },
    explore: (parts) => runWalkForward(plan, parts),
    async finish(walked) {
      const judged = await piecesOf(walked, base, signal);
      if (judged === undefined) return exitCode.failed;
      const outcome = outcomeOf(plan, walked, judged.pieces, base.options.limits.currency);
      const cautions = [...judged.ownWays, ...cautionsOf(base.options)];
      const all = { plan, terms, base, cautions };
      const told = conclude(shell, flags, {
        page: pageOf(outcome, all),
        json: () => walkForwardJson(outcome, all),
        show: () => showOutcome(shell, outcome, all),
      });
      return codeOf(outcome, told);
    },
  });
}

/** With anchored windows the last one trains longest; the test windows are stitched and count as a whole. */
function spansOf({ windows }: WalkForwardPlan): Spans {
  const inSampleMs = Math.max(...windows.map(({ train }) => train.to - train.from));
  return { inSampleMs, outOfSampleMs: windows.reduce((sum, { test }) => sum + test.to - test.from, 0) };
}

/** `ownWays`: whether the strategy uses its own timer, clock or randomness. */
type Judged = { readonly pieces: readonly Piece[]; readonly ownWays: readonly string[] };

/**
 * Repeats the judging runs with their whole records: the store has only figures, and the curve needs more. Undefined if
 * stopped.
 */
async function piecesOf(
  walked: readonly WalkedWindow[],
  base: BaseTrial,
  signal: AbortSignal,
): Promise<Judged | undefined> {
  const { ground } = base;
  const pieces: Piece[] = [];
  const ownWays = new Set<string>();
  for (const { window, chosen } of walked) {
    if (chosen === undefined || chosen.outOfSample.kind !== "ran") {
      pieces.push(idlePiece(window.test));
      continue;
    }
    // A run blocks the thread: pending signals are handled here.
    await pause(systemTimers, 0);
    if (signal.aborted) return undefined;
    const again = await repeated(chosen.trial, chosen.outOfSample, ground);
    if (!again.ok) throw plainFailure(again.error);
    const { record } = again.value;
    for (const text of ownWaysTexts(record)) ownWays.add(text);
    pieces.push({ result: chosen.outOfSample, series: worthSeries(record) });
  }
  return { pieces, ownWays: [...ownWays] };
}

/** A window whose choice failed, or that failures left without one, has no result, as a halted backtest. */
function codeOf({ rows }: WalkForwardOutcome, told: ExitCode): ExitCode {
  const failed = rows.some(({ fault }) => fault !== undefined);
  return told === exitCode.done && failed ? exitCode.halted : told;
}

type Walked = {
  readonly plan: WalkForwardPlan;
  readonly terms: WindowTerms;
  readonly base: BaseTrial;
  readonly cautions: readonly string[];
};

const LABEL = 26;

function showOutcome(
  { terminal }: Pick<Shell, "terminal">,
  outcome: WalkForwardOutcome,
  { cautions }: Pick<Walked, "cautions">,
): void {
  const { rows, objective, isPerDay } = outcome;
  const coloured = (text: string, tone: "gain" | "loss" | undefined): string =>
    tone === undefined ? text : terminal.style(tone === "gain" ? "green" : "red", text);
  showCautions({ terminal }, cautions);
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
}

/** Everything but the curve's samples, of which there may be millions. */
function walkForwardJson(outcome: WalkForwardOutcome, { plan, terms, base, cautions }: Walked): unknown {
  const { stitched, ...rest } = outcome;
  const outOfSampleReturns = [...stitched.returns];
  const { search } = plan;
  const settings = searchSettings(search.base, base.options);
  return nullForMissing({ search: search.search, settings, windows: terms, cautions, ...rest, outOfSampleReturns });
}

function pageOf(outcome: WalkForwardOutcome, { plan, terms, base, cautions }: Walked): string {
  const { search } = plan;
  const { strategy, recordings, codeVersion, market } = base.options;
  const data =
    recordings.length === 0 ? `a synthetic market (${market.name})` : recordings.map(({ name }) => name).join(", ");
  const searched = search.axes.map((axis) => ({ name: `searched ${axis.name}`, value: choiceText(axis) }));
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
    {
      name: "chosen over",
      value: anchored ? `all the time before, ${durationText(trainMs)} at least` : durationText(trainMs),
    },
    { name: "judged over", value: durationText(testMs) },
    { name: "left out between", value: purgeMs === 0 ? "nothing" : durationText(purgeMs) },
    {
      name: "every window",
      value: "starts afresh with the same account: growth is stitched, inventory is not handed over",
    },
  ];
}
