// `sweep`: many backtests over parameters, on all cores; what is done is kept, and the same command goes on from there.

import { cautionsOf } from "../../../backtest/caution.ts";
import { renderSweep, sweepFacts } from "../../../backtest/report/render-sweep.ts";
import { codeIdentity } from "../../../backtest/search/identity.ts";
import { overfitRows } from "../../../backtest/search/overfitting-checks.ts";
import type { Runner } from "../../../backtest/search/pool.ts";
import {
  chosenInSample,
  faultIn,
  type RankedRow,
  rankedRows,
  type Spans,
  tooShortText,
} from "../../../backtest/search/ranking.ts";
import { ResultStore } from "../../../backtest/search/result-store.ts";
import { inSample, outOfSample } from "../../../backtest/search/search-terms.ts";
import {
  type Explored,
  type Progress,
  runSweep,
  runsOf,
  type SweepChecks,
  sweepChecks,
} from "../../../backtest/search/sweep.ts";
import { rounds, type SweepPlan, specificationOf } from "../../../backtest/search/sweep-plan.ts";
import { lapsedIn } from "../../../backtest/search/trial-result.ts";
import { CommandFailure } from "../command-failure.ts";
import { requirePlace, writeResults } from "../data/result-file.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { openProgress } from "../terminal/progress.ts";
import { openRunner, type RunnerFlags, requireRunner } from "./many/open-runner.ts";
import { searchSettings } from "./many/search-settings.ts";
import { showGrounds } from "./many/show-grounds.ts";
import { sweepPage } from "./sweep/page.ts";
import { type PlannedSweep, type SearchFlags, sweepPlan } from "./sweep/plan.ts";
import { showRanking } from "./sweep/show.ts";

export type SweepFlags = SearchFlags &
  RunnerFlags & {
    readonly db: string;
    readonly out: string;
    readonly json?: true;
  };

export async function sweep(shell: Shell, flags: SweepFlags): Promise<ExitCode> {
  requirePlace("--out", flags.out, ".html");
  requirePlace("--db", flags.db, ".db");
  requireRunner(flags);
  const signal = shell.stopSignal();
  const planned = await sweepPlan(shell, flags);
  const { plan, base } = planned;
  const short = tooShortText(plan.objective, spansOf(plan));
  if (short !== undefined) shell.terminal.note(short);
  const code = codeIdentity();
  // Before the file: a search that cannot begin leaves none.
  const runner = await openRunner(shell, flags, base, code);
  let store: ResultStore | undefined;
  try {
    const opened = ResultStore.open(flags.db, specificationOf(plan, code));
    if (!opened.ok) throw new CommandFailure(exitCode.usage, opened.error, "--db names another file");
    store = opened.value;
    const explored = await explore(shell, plan, { store, runner, signal }, flags);
    if (explored === undefined) return exitCode.failed;
    const rows = rankedRows(plan, explored);
    const checks = await sweepChecks(plan, explored, base.ground);
    if (!checks.ok) throw new CommandFailure(exitCode.failed, checks.error);
    const lapsed = lapsedIn(explored.flatMap(({ inSample, outOfSample }) => [inSample, ...outOfSample]));
    const cautions = [...(checks.value?.ownWays ?? []), ...lapsed, ...cautionsOf(base.options)];
    return finish(shell, planned, { rows, checks: checks.value, cautions }, flags);
  } finally {
    await runner.close();
    store?.close();
  }
}

function spansOf(plan: SweepPlan): Spans {
  const { base, split } = plan;
  const [choosing, judging] = [inSample(base, split), outOfSample(base, split)];
  const all = choosing.to - choosing.from;
  const first = all * Math.min(...rounds(plan).map(({ share }) => share));
  return { first, inSample: all, outOfSample: Math.min(...judging.map(({ from, to }) => to - from)) };
}

type Parts = { readonly store: ResultStore; readonly runner: Runner; readonly signal: AbortSignal };

/** Undefined when it was stopped. */
async function explore(
  { terminal, clock }: Shell,
  plan: SweepPlan,
  parts: Parts,
  { db }: SweepFlags,
): Promise<readonly Explored[] | undefined> {
  const progress = openProgress(terminal, clock, {
    what: "sweep",
    total: runsOf(plan),
    rateText: (perSecond) => `${perSecond.toPrecision(2)} runs/s`,
  });
  let last: Progress = { done: 0, kept: 0, total: runsOf(plan) };
  const watch = (now: Progress): void => {
    last = now;
    progress.at(now.done, now.kept);
  };
  const kept = (): string =>
    `${last.done} of ${last.total} runs are kept in ${db}; the same command goes on from there`;
  try {
    const explored = await runSweep(plan, { ...parts, watch });
    progress.end();
    if (explored === undefined) terminal.note(`stopped: ${kept()}`);
    else if (last.kept > 0) terminal.note(`${last.total} runs, ${last.kept} of them kept in ${db} from before`);
    return explored;
  } catch (error) {
    progress.end();
    throw new CommandFailure(exitCode.failed, error instanceof Error ? error.message : String(error), kept());
  }
}

type Found = {
  readonly rows: readonly RankedRow[];
  readonly checks: SweepChecks | undefined;
  readonly cautions: readonly string[];
};

/** Where the choice itself failed, or failures left none, there is no result, as in a backtest that was halted. */
function codeOf({ objective }: SweepPlan, rows: readonly RankedRow[], told: ExitCode): ExitCode {
  if (told !== exitCode.done) return told;
  const chosen = chosenInSample(objective, rows);
  const looked = chosen === undefined ? rows.map((row) => row.chosen) : [chosen.judged];
  return looked.some((side) => faultIn(side) !== undefined) ? exitCode.halted : exitCode.done;
}

function finish(shell: Shell, planned: PlannedSweep, result: Found, flags: SweepFlags): ExitCode {
  const { terminal } = shell;
  const { rows, checks: found, cautions } = result;
  const { plan, base, leftOut, noMarket } = planned;
  const { overfitting, judge } = found ?? {};
  const checks = overfitting === undefined ? [] : overfitRows(overfitting, currencyOf(plan));
  const page = sweepPage(planned, { rows, checks, judge, cautions });
  const text = renderSweep(page);
  const files = writeResults([{ what: "report", flag: "--out", path: flags.out, text }]);
  if (flags.json) {
    const references = judge?.references ?? [];
    const { objective, search } = plan;
    terminal.json({
      objective,
      currency: currencyOf(plan),
      search,
      settings: { ...searchSettings(plan.base, base.options), ...partsOf(plan) },
      cautions,
      checks,
      overfitting,
      references,
      leftOut: [...leftOut, ...noMarket],
      rows,
    });
    return codeOf(plan, rows, files.tell(terminal));
  }
  terminal.print(page.title);
  terminal.print(sweepFacts(page).join(", "));
  showGrounds(shell, cautions, judge?.references ?? []);
  terminal.print();
  showRanking(shell, { ...plan, currency: currencyOf(plan) }, rows);
  for (const { label, text, note } of checks)
    terminal.print(`${label.padEnd(16)}${text}${note === undefined ? "" : `; ${note}`}`);
  terminal.print();
  terminal.print(`report   ${files.placeOf(flags.out)}`);
  terminal.print(`results  ${flags.db}`);
  return codeOf(plan, rows, files.tell(terminal));
}

/** Which runs choose, and which judge. */
function partsOf({ base, split }: SweepPlan): object {
  const { seed, from, to } = base;
  const whole = { seed, from, to };
  return { inSample: inSample(whole, split), outOfSample: outOfSample(whole, split) };
}

function currencyOf({ base }: SweepPlan): string {
  return String(base.limits.currency);
}
