// `backtest check`: tests whether a strategy's decisions depend on anything besides its view.

import type { Command } from "commander";
import {
  type CheckReport,
  checkStrategy,
  findingLines,
  powerText,
  verdictOf,
} from "../../../backtest/check/check-strategy.ts";
import type { Recording } from "../../../backtest/recording.ts";
import { loadStrategy } from "../../app/bot/load-strategy.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { callMsMax } from "../../app/system/time-scale.ts";
import { openProgress } from "../../app/terminal/progress.ts";
import { plainFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { isoText } from "../../domain/time-text.ts";
import { prepareStrategy } from "../../strategy/prepare.ts";
import { watchCalls } from "../../strategy/watchdog.ts";
import { wholeNumber } from "../option/values.ts";
import { configOf, coveredBy, FIRST_DAY, type PlanFlags, planOf, strategyNamed } from "../research/plan.ts";
import { openRecordings } from "../research/recordings.ts";

const CUTS = 6;
const CUTS_MAX = 1_000;
/** Flags of `backtest` for its own results, and the strategy, which `check` takes as its argument. */
const NOT_OF_CHECK = ["strategy", "out", "trades"];

/** Takes the run flags of `backtest`, before or after `check`. */
export function defineBacktestCheck(command: Command, run: Run): void {
  command
    .argument("<strategy>", "a built-in strategy or a .ts or .js file")
    .option("--cuts <n>", "change the future at so many moments, in two ways each", wholeNumber(1, CUTS_MAX), CUTS)
    .option("--may-know-dates", "a schedule or a calendar is its business: other dates may change its answers")
    .action((strategy: string) => {
      const foreign = NOT_OF_CHECK.find((name) => command.parent?.getOptionValueSource(name) === "cli");
      if (foreign !== undefined) command.error(`error: --${foreign} is not for check`);
      const flags = { ...command.optsWithGlobals<CheckFlags>(), strategy };
      return run((shell) => backtestCheck(shell, flags));
    });
}

type CheckFlags = PlanFlags & {
  readonly cuts: number;
  readonly mayKnowDates?: true;
};

/** About ten thousand calls are enough, and each check runs them about twenty times. */
const SYNTHETIC_MS = 3_600_000;
const ROWS_MAX = 20_000;

async function backtestCheck(shell: Shell, flags: CheckFlags): Promise<ExitCode> {
  const recordings = await openRecordings(shell, flags, "whole");
  const named = strategyNamed(flags, await configOf(shell));
  const options = await planOf(shell, { ...flags, ...spanOf(flags, recordings) }, recordings);
  const progress = openProgress(shell.terminal, shell.clock, {
    what: "check",
    total: 1,
    rateText: (perSecond) => `${(perSecond * 100).toPrecision(2)} %/s`,
  });
  const unwatch = watchCalls({ callMsMax: callMsMax() });
  const checked = await checkStrategy({
    options,
    load: (imported) => loadStrategy(named, imported),
    again: ({ definition }) => prepareStrategy(definition, named.params),
    cuts: flags.cuts,
    ...(flags.mayKnowDates === undefined ? {} : { mayKnowDates: true }),
    watch: (done, total) => progress.at(done / total),
  });
  unwatch();
  progress.end();
  if (!checked.ok) throw plainFailure(`the bot did not start: ${checked.error}`);
  const report = checked.value;
  if (shell.terminal.wantsJson) shell.terminal.json({ verdict: verdictOf(report), ...report });
  else show(shell, report);
  return verdictOf(report) === "clean" ? exitCode.done : exitCode.failed;
}

/** Long data are checked at their beginning, unless a flag sets the span. */
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
  const done = ["run again", ...(datesChecked ? ["on another date"] : []), "on other prices"];
  if (cuts.length === 0) terminal.print("run again only: what does not repeat cannot be compared any further");
  else terminal.print(`${done.join(", ")}, and with the future changed after ${cuts.length} moments`);
  terminal.print();
  for (const line of findingLines(report)) terminal.print(`${terminal.style("red", "found")}  ${line}`);
  switch (verdictOf(report)) {
    case "clean":
      terminal.print(
        `${terminal.style("green", "clean")}  no decision rests on anything but what was shown before it; foresight: ${powerText(report)}`,
      );
      break;
    case "nothing-decided":
      terminal.print("nothing was proposed in this time, so nothing is shown: choose another with --from and --days");
      break;
    case "found":
      break;
  }
}
