// `walk-forward`: searches window by window, on all cores; finished runs are stored, and the same command continues
// from there.

import type { Command } from "commander";
import { cautionsOf } from "../../../backtest/caution.ts";
import { worthSeries } from "../../../backtest/metric/worth.ts";
import { nullForMissing } from "../../../backtest/report/export.ts";
import { ownWaysTexts } from "../../../backtest/report/run-text.ts";
import { type WalkForward, walkForwardReport } from "../../../backtest/report/walk-forward-report.ts";
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
  outcomeOf,
  type Piece,
  type WalkForwardOutcome,
} from "../../../backtest/search/walk-forward-outcome.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import { orFail, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { pause } from "../../domain/pause.ts";
import { duration } from "../option/values.ts";
import { declarePlan } from "../research/plan.ts";
import { conclude, requireSearchPlaces, runSearch, type SearchPlaces } from "../research/runner.ts";
import { type BaseTrial, declareSearch, type SearchFlags, searchSettings, sweepPlan } from "../research/search.ts";

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
  if (short !== undefined) throw usageFailure(short);
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
      const { options } = base;
      const outcome = outcomeOf(plan, walked, judged.pieces, options.limits.currency);
      const cautions = [...judged.ownWays, ...cautionsOf(options)];
      const all = { plan, terms, options, outcome, cautions };
      return codeOf(
        outcome,
        conclude(shell, flags, walkForwardReport(all), () => walkForwardJson(all)),
      );
    },
  });
}

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

/** Everything but the curve's samples, of which there may be millions. */
function walkForwardJson({ plan: { search }, terms, options, outcome, cautions }: WalkForward): unknown {
  const { stitched, ...rest } = outcome;
  const settings = searchSettings(search.base, options);
  const outOfSampleReturns = [...stitched.returns];
  return nullForMissing({ search: search.search, settings, windows: terms, cautions, ...rest, outOfSampleReturns });
}
