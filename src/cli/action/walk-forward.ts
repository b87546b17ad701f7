// `walk-forward`: searches window by window, on all cores; what is done is kept, and the same command goes on from there.

import { cautionsOf } from "../../../backtest/caution.ts";
import { worthSeries } from "../../../backtest/metric/worth.ts";
import { ownWaysTexts } from "../../../backtest/report/run-text.ts";
import { codeIdentity } from "../../../backtest/search/identity.ts";
import { closedResults } from "../../../backtest/search/overfitting-checks.ts";
import { type Spans, tooShortText } from "../../../backtest/search/ranking.ts";
import { ResultStore } from "../../../backtest/search/result-store.ts";
import type { Progress, SweepParts } from "../../../backtest/search/sweep.ts";
import { rounds, specificationOf } from "../../../backtest/search/sweep-plan.ts";
import { lapsedIn, repeated, type TrialResult } from "../../../backtest/search/trial-result.ts";
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
  outcomeOf,
  type Piece,
  type WalkForwardOutcome,
} from "../../../backtest/search/walk-forward-outcome.ts";
import { pause } from "../../domain/pause.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { requirePlace, writeResults } from "../data/result-file.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { openProgress } from "../terminal/progress.ts";
import type { BaseTrial } from "./many/base-trial.ts";
import { openRunner, type RunnerFlags, requireRunner } from "./many/open-runner.ts";
import { type SearchFlags, sweepPlan } from "./sweep/plan.ts";
import { pageOf, showOutcome, type Walked, walkForwardJson } from "./walk-forward/show.ts";

export type WalkForwardFlags = Omit<SearchFlags, "outOfSample"> &
  RunnerFlags & {
    readonly train: number;
    readonly test: number;
    readonly purge?: number;
    readonly anchored?: true;
    readonly db: string;
    readonly out: string;
    readonly json?: true;
  };

export async function walkForward(shell: Shell, flags: WalkForwardFlags): Promise<ExitCode> {
  requirePlace("--out", flags.out, ".html");
  requirePlace("--db", flags.db, ".db");
  requireRunner(flags);
  const signal = shell.stopSignal();
  // Windows take the place of its split.
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
  const code = codeIdentity();
  const { "out-of-sample": _, ...specification } = specificationOf(search, code);
  // Before the file: a search that cannot begin leaves none.
  const runner = await openRunner(shell, flags, base, code);
  let store: ResultStore | undefined;
  try {
    const opened = ResultStore.open(flags.db, { ...specification, windows: terms });
    if (!opened.ok) throw new CommandFailure(exitCode.usage, opened.error, "--db names another file");
    store = opened.value;
    const walked = await walk(shell, plan, { store, runner, signal }, flags.db);
    const judged = walked && (await piecesOf(walked, base, signal));
    if (walked === undefined || judged === undefined) return exitCode.failed;
    const outcome = outcomeOf(plan, walked, judged.pieces, base.options.limits.currency);
    const cautions = [...judged.ownWays, ...lapsedIn(walked.flatMap(resultsOf)), ...cautionsOf(base.options)];
    return finish(shell, outcome, { plan, terms, base, cautions }, flags);
  } finally {
    await runner.close();
    store?.close();
  }
}

/** Where choices are anchored the last has the longest time; what judges is stitched, and counts as a whole. */
function spansOf({ search, windows }: WalkForwardPlan): Spans {
  const inSample = Math.max(...windows.map(({ train }) => train.to - train.from));
  const first = inSample * Math.min(...rounds(search).map(({ share }) => share));
  const tests = windows.map(({ test }) => test.to - test.from);
  return { first, inSample, outOfSample: tests.reduce((sum, one) => sum + one, 0) };
}

function resultsOf({ explored, chosen }: WalkedWindow): readonly TrialResult[] {
  return [...explored.map(({ inSample }) => inSample), ...(chosen === undefined ? [] : [chosen.outOfSample])];
}

/** Undefined when it was stopped. */
async function walk(
  { terminal, clock }: Shell,
  plan: WalkForwardPlan,
  parts: SweepParts,
  db: string,
): Promise<readonly WalkedWindow[] | undefined> {
  const total = walkRuns(plan);
  const progress = openProgress(terminal, clock, {
    what: "walk-forward",
    total,
    rateText: (perSecond) => `${perSecond.toPrecision(2)} runs/s`,
  });
  let last: Progress = { done: 0, kept: 0, total };
  const watch = (now: Progress): void => {
    last = now;
    progress.at(now.done, now.kept);
  };
  const kept = (): string => `${last.done} of ${total} runs are kept in ${db}; the same command goes on from there`;
  try {
    const walked = await runWalkForward(plan, { ...parts, watch });
    progress.end();
    if (walked === undefined) terminal.note(`stopped: ${kept()}`);
    else if (last.kept > 0) terminal.note(`${last.done} runs, ${last.kept} of them kept in ${db} from before`);
    return walked;
  } catch (error) {
    progress.end();
    throw new CommandFailure(exitCode.failed, error instanceof Error ? error.message : String(error), kept());
  }
}

/** `ownWays`: that the strategy has a timer, a clock or a chance of its own. */
type Judged = { readonly pieces: readonly Piece[]; readonly ownWays: readonly string[] };

/**
 * The runs that judge once more, each with its whole record: results are kept as figures, and the curve needs more. Undefined
 * when it was stopped.
 */
async function piecesOf(
  walked: readonly WalkedWindow[],
  base: BaseTrial,
  signal: AbortSignal,
): Promise<Judged | undefined> {
  const ground = base.ground;
  const pieces: Piece[] = [];
  const ownWays = new Set<string>();
  for (const { window, chosen } of walked) {
    if (chosen === undefined || chosen.outOfSample.kind !== "ran") {
      pieces.push(idlePiece(window.test));
      continue;
    }
    // A run takes the thread: what came in meanwhile is heard here.
    await pause(systemTimers, 0);
    if (signal.aborted) return undefined;
    const again = await repeated(chosen.trial, chosen.outOfSample, ground);
    if (!again.ok) throw new CommandFailure(exitCode.failed, again.error);
    const { record } = again.value;
    for (const text of ownWaysTexts(record)) ownWays.add(text);
    pieces.push({
      result: chosen.outOfSample,
      series: worthSeries(record),
      closed: closedResults(record),
      references: record.references ?? [],
    });
  }
  return { pieces, ownWays: [...ownWays] };
}

/** A window whose choice failed, or that failures left without one, is no result, as a backtest that was halted. */
function codeOf({ rows }: WalkForwardOutcome, told: ExitCode): ExitCode {
  const failed = rows.some(({ fault }) => fault !== undefined);
  return told === exitCode.done && failed ? exitCode.halted : told;
}

function finish(shell: Shell, outcome: WalkForwardOutcome, walked: Walked, flags: WalkForwardFlags): ExitCode {
  const { terminal } = shell;
  const files = writeResults([{ what: "report", flag: "--out", path: flags.out, text: pageOf(outcome, walked) }]);
  if (flags.json) {
    terminal.json(walkForwardJson(outcome, walked));
    return codeOf(outcome, files.tell(terminal));
  }
  showOutcome(shell, outcome, walked);
  terminal.print();
  terminal.print(`report   ${files.placeOf(flags.out)}`);
  terminal.print(`results  ${flags.db}`);
  return codeOf(outcome, files.tell(terminal));
}
