// `backtest`: one run, its table on the terminal and its report in a file.

import { join } from "node:path";
import type { Command } from "commander";
import { hearingStrays } from "../../../backtest/check/outside-world.ts";
import { computeFigures, type Figures } from "../../../backtest/metric/figures.ts";
import type { BacktestOptions } from "../../../backtest/options.ts";
import type { RunRecord } from "../../../backtest/record/run-record.ts";
import { renderCsv, renderJson } from "../../../backtest/report/export.ts";
import { exportFiles, SeenQuotes } from "../../../backtest/report/export-folder.ts";
import { reportPage } from "../../../backtest/report/report.ts";
import { runReport } from "../../../backtest/report/run-report.ts";
import { endedText } from "../../../backtest/report/run-text.ts";
import { type Backtest, runBacktest } from "../../../backtest/run-backtest.ts";
import { type ResultFile, requirePlace, type WrittenFiles, writeResults } from "../../app/data/result-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { callMsMax } from "../../app/system/time-scale.ts";
import { openProgress } from "../../app/terminal/progress.ts";
import { createFolder } from "../../disk/create-folder.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import type { Step } from "../../domain/step.ts";
import { DAY_MS, type Millis } from "../../domain/time.ts";
import { isStricter } from "../../risk/trading-state.ts";
import { STRAY_NEXT, strayText } from "../../strategy/guest.ts";
import { saveState } from "../../strategy/state.ts";
import { watchCalls } from "../../strategy/watchdog.ts";
import { collected, wholeNumber } from "../option/values.ts";
import { byEpisode, type EpisodeFlags, isByEpisode } from "../research/episodes.ts";
import { declarePlan, planOf } from "../research/plan.ts";
import { openRecordings } from "../research/recordings.ts";
import { showReport } from "../research/show-report.ts";

export function defineBacktest(command: Command, run: Run): void {
  declarePlan(command)
    .option("--out <file>", "the report, a name that ends in .html", "report.html")
    .option("--trades <file>", "all trades too, a name that ends in .csv")
    .option("--export <folder>", "fills, unfilled orders, samples, quotes and requests as CSV tables, with a schema")
    .option("--compare <journal>", "its orders over those of a journal of the same days, a pegbot.db")
    .option("--seeds <n>", "by episode: runs of each kind of event, from --seed on (3)", wholeNumber(2, SEEDS_MAX))
    .option("--rate <kind=n>", "by episode: so many of this event a year; may be repeated", collected, [])
    .option(
      "--against <what>",
      "by episode: another strategy, or name=value of its parameters; repeated",
      collected,
      [],
    )
    .option("--policy-rate <currency=n>", "by episode: what cash pays, in % a year; may be repeated", collected, [])
    .option("--db <file>", "by episode: where runs are kept, a name that ends in .db", "backtest.db")
    .action((flags: BacktestFlags) =>
      run(async (shell) => ((await isByEpisode(shell, flags)) ? byEpisode(shell, flags) : backtest(shell, flags))),
    );
}

type BacktestFlags = EpisodeFlags & {
  readonly trades?: string;
  readonly export?: string;
  readonly compare?: string;
};

const PROGRESS_STEPS = 1_000;
const SEEDS_MAX = 1_000;

async function backtest(shell: Shell, given: BacktestFlags): Promise<ExitCode> {
  const { terminal } = shell;
  const { compare } = given;
  requirePlace("--out", given.out, ".html");
  if (given.trades !== undefined) requirePlace("--trades", given.trades, ".csv");
  if (given.export !== undefined) requireExportPlace(given.export);
  const recordings = await openRecordings(shell, given);
  const research = compare && (await import("../research/compare.ts"));
  const comparison = research ? research.openComparison(shell, compare, recordings) : undefined;
  const { from, to } = comparison?.span ?? given;
  const flags = { ...(from && { from }), ...(to && given.days === undefined && { to }), ...given };
  const options = await planOf(shell, flags, recordings);
  const strays: unknown[] = [];
  const seen = given.export === undefined ? undefined : new SeenQuotes();
  const step = (one: Step): void => {
    seen?.step(one);
    comparison?.step(one);
  };
  const { record, standing, traceHash, tradingCore } = await hearingStrays(
    (error) => strays.push(error),
    () => ran(shell, options, seen || comparison ? step : undefined),
  );
  if (strays.length > 0)
    throw plainFailure(`${strayText(options.strategy.name, strays[0])}: a running bot is ended by that`, STRAY_NEXT);
  const figures = computeFigures(record);
  const files = writeResults(filesOf({ record, figures }, flags, seen));
  const ended = endedText(record);
  // On a shared screen the table already begins with that line.
  if (ended !== undefined && (terminal.wantsJson || !terminal.isScreen || !terminal.notesAreSeen)) terminal.note(ended);
  if (terminal.wantsJson)
    terminal.json({
      ...renderJson(record, figures),
      ...(comparison && { compared: comparison.compared(options) }),
      strategyState: lastState(tradingCore),
    });
  else show(shell, { record, figures, traceHash, files }, flags);
  if (research && comparison && !terminal.wantsJson) research.showCompared(shell, comparison.compared(options));
  const written = files.tell(terminal);
  return written === exitCode.done && isStricter(standing.state, "REDUCED") ? exitCode.halted : written;
}

function requireExportPlace(folder: string): void {
  const made = createFolder(folder);
  if (!made.ok) throw usageFailure(`--export: ${made.error}`, "name another folder");
  requirePlace("--export", join(folder, "fills.csv"), ".csv");
}

/** As in a journal; null if the strategy has no state or it cannot be saved. */
function lastState({ strategy }: Pick<Backtest["tradingCore"], "strategy">): unknown {
  const saved = saveState(strategy.state);
  return saved.ok && Object.keys(strategy.state).length > 0 ? saved.value : null;
}

function filesOf({ record, figures }: Found, flags: BacktestFlags, seen?: SeenQuotes): readonly ResultFile[] {
  const { out, trades, export: folder = "" } = flags;
  const report = {
    what: "report",
    flag: "--out",
    path: out,
    text: reportPage(runReport(record, figures)),
  };
  const exported = seen === undefined ? [] : exportFiles(record, seen);
  return [
    report,
    ...(trades === undefined
      ? []
      : [{ what: "list of trades", flag: "--trades", path: trades, text: renderCsv(record) }]),
    ...exported.map(({ name, text }) => ({ what: "export", flag: "--export", path: join(folder, name), text })),
  ];
}

function ran({ terminal, clock }: Shell, options: BacktestOptions, step?: (one: Step) => void): Backtest {
  const { from, to } = options;
  const progress = openProgress(terminal, clock, {
    what: "backtest",
    total: to - from,
    rateText: (perSecond) => `${(perSecond / DAY_MS).toPrecision(2)} days/s`,
  });
  // Not at every sample: reading the clock takes as long as the sample.
  let nextAt: number = from;
  const reached = (at: Millis): void => {
    if (at < nextAt) return;
    nextAt = at + (to - from) / PROGRESS_STEPS;
    progress.at(at - from);
  };
  const unwatch = watchCalls({ callMsMax: callMsMax() });
  const result = runBacktest({ ...options, watch: { reached, ...(step && { step }) } });
  unwatch();
  progress.end();
  if (!result.ok) throw plainFailure(`the bot did not start: ${result.error}`);
  return result.value;
}

type Found = {
  readonly record: RunRecord;
  readonly figures: Figures;
};

type Shown = Found & { readonly traceHash: string; readonly files: WrittenFiles };

function show({ terminal }: Shell, found: Shown, flags: BacktestFlags): void {
  const { record, figures, traceHash, files } = found;
  showReport(terminal, runReport(record, figures));
  terminal.print();
  terminal.print(`trace   ${traceHash}`);
  terminal.print(`report  ${files.placeOf(flags.out)}`);
  if (flags.trades !== undefined) terminal.print(`trades  ${files.placeOf(flags.trades)}`);
  if (flags.export !== undefined) terminal.print(`export  ${flags.export}`);
}
