// `backtest check`: whether a strategy's decisions rest on anything but what it was shown.

import { type CheckReport, checkStrategy, findingLines, verdictOf } from "../../../backtest/check/check-strategy.ts";
import type { Recording } from "../../../backtest/recording.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { isoText } from "../../domain/time-text.ts";
import { prepareStrategy } from "../../strategy/prepare.ts";
import { loadStrategy } from "../bot/load-strategy.ts";
import { CommandFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { openProgress } from "../terminal/progress.ts";
import { openRecordings } from "./backtest/open-recordings.ts";
import { configOf, coveredBy, FIRST_DAY, type PlanFlags, planOf, strategyNamed } from "./backtest/plan.ts";

export type CheckFlags = PlanFlags & {
  readonly cuts: number;
  readonly mayKnowDates?: true;
  readonly json?: true;
};

/** Some ten thousand calls are enough to see, and are run some thirty times. */
const SYNTHETIC_MS = 3_600_000;
const ROWS_MAX = 20_000;

export async function backtestCheck(shell: Shell, flags: CheckFlags): Promise<ExitCode> {
  const recordings = await openRecordings(shell, flags, "whole");
  const named = strategyNamed(flags, await configOf(shell));
  const options = await planOf(shell, { ...flags, ...spanOf(flags, recordings) }, recordings, undefined);
  const progress = openProgress(shell.terminal, shell.clock, {
    what: "check",
    total: 1,
    rateText: (perSecond) => `${(perSecond * 100).toPrecision(2)} %/s`,
  });
  const checked = await checkStrategy({
    options,
    load: (imported) => loadStrategy(named, imported),
    again: ({ definition }) => prepareStrategy(definition, named.params),
    cuts: flags.cuts,
    ...(flags.mayKnowDates === undefined ? {} : { mayKnowDates: true }),
    watch: (done, total) => progress.at(done / total),
  });
  progress.end();
  if (!checked.ok) throw new CommandFailure(exitCode.failed, `the bot did not start: ${checked.error}`);
  const report = checked.value;
  if (flags.json) shell.terminal.json({ verdict: verdictOf(report), ...report });
  else show(shell, report);
  return verdictOf(report) === "clean" ? exitCode.done : exitCode.failed;
}

/** Long data are checked at their beginning, unless somebody says how long. */
function spanOf(flags: CheckFlags, recordings: readonly Recording[]): { from?: Millis; to?: Millis } {
  if (flags.to !== undefined || flags.days !== undefined) return {};
  const covered = coveredBy(recordings);
  const from = flags.from ?? covered?.from ?? FIRST_DAY;
  if (covered === undefined) return { from, to: millis(from + SYNTHETIC_MS) };
  const rows = Math.max(...recordings.map(({ source }) => source.rows));
  const lengthMs = Math.floor((covered.to - covered.from) * Math.min(1, ROWS_MAX / rows));
  return { from, to: millis(Math.min(covered.to, from + lengthMs)) };
}

function show({ terminal }: Shell, report: CheckReport): void {
  const { strategy, from, to, calls, answered, runs, cuts, datesChecked } = report;
  const count = (number: number): string => number.toLocaleString("en-US");
  terminal.print(`${strategy}, ${isoText(from)} to ${isoText(to)}`);
  terminal.print(`${count(calls)} calls, ${count(answered)} of them with a proposal; ${count(runs)} runs`);
  const done = ["run again", "with views of its own", ...(datesChecked ? ["on another date"] : [])];
  if (cuts.length === 0) terminal.print("run again only: what does not repeat cannot be compared any further");
  else terminal.print(`${done.join(", ")}, and with the future changed after ${cuts.length} moments`);
  terminal.print();
  for (const line of findingLines(report)) terminal.print(`${terminal.style("red", "found")}  ${line}`);
  switch (verdictOf(report)) {
    case "clean":
      terminal.print(`${terminal.style("green", "clean")}  no decision rests on anything but what was shown before it`);
      break;
    case "nothing-decided":
      terminal.print("nothing was proposed in this time, so nothing is shown: choose another with --from and --days");
      break;
    case "found":
      break;
  }
}
