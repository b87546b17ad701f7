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
import { type SeedRuns, seedsJson } from "../../../backtest/report/seed-parts.ts";
import { type Backtest, runBacktest } from "../../../backtest/run-backtest.ts";
import { type ResultFile, requirePlace, type WrittenFiles, writeResults } from "../../app/data/result-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { paceRuntime } from "../../app/system/runtime-pace.ts";
import { callMsMax } from "../../app/system/time-scale.ts";
import { openProgress } from "../../app/terminal/progress.ts";
import { createFolder } from "../../disk/create-folder.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { DAY_MS, type Millis } from "../../domain/time.ts";
import { isStricter } from "../../risk/trading-state.ts";
import { STRAY_NEXT, strayText } from "../../strategy/guest.ts";
import { saveState } from "../../strategy/state.ts";
import { watchCalls } from "../../strategy/watchdog.ts";
import { wholeNumber } from "../option/values.ts";
import { declarePlan, type PlanFlags, planOf } from "../research/plan.ts";
import { openRecordings } from "../research/recordings.ts";
import { showReport } from "../research/show-report.ts";

export function defineBacktest(command: Command, run: Run): void {
  declarePlan(command)
    .option("--out <file>", "the report, a name that ends in .html", "report.html")
    .option("--trades <file>", "all trades too, a name that ends in .csv")
    .option("--export <folder>", "fills, unfilled orders, samples, quotes and requests as CSV tables, with a schema")
    .option("--seeds <n>", "the run over so many seeds from --seed on, with quantiles", wholeNumber(2, SEEDS_MAX))
    .action((flags: BacktestFlags) => run((shell) => backtest(shell, flags)));
}

type BacktestFlags = PlanFlags & {
  readonly out: string;
  readonly trades?: string;
  readonly export?: string;
  readonly seeds?: number;
};

const PROGRESS_STEPS = 1_000;
const SEEDS_MAX = 1_000;

async function backtest(shell: Shell, flags: BacktestFlags): Promise<ExitCode> {
  const { terminal } = shell;
  paceRuntime();
  requirePlace("--out", flags.out, ".html");
  if (flags.trades !== undefined) requirePlace("--trades", flags.trades, ".csv");
  if (flags.export !== undefined) requireExportPlace(flags.export);
  if (flags.seeds !== undefined && flags.data !== "synthetic")
    throw usageFailure("--seeds needs synthetic prices: recorded ones have no seed");
  const recordings = await openRecordings(shell, flags);
  const isMany = flags.seeds !== undefined;
  const base = isMany ? await (await import("../research/search.ts")).baseTrial(shell, flags) : undefined;
  const options = base?.options ?? (await planOf(shell, flags, recordings));
  const strays: unknown[] = [];
  const seen = flags.export === undefined ? undefined : new SeenQuotes();
  const { record, standing, traceHash, tradingCore } = await hearingStrays(
    (error) => strays.push(error),
    () => ran(shell, options, seen),
  );
  if (strays.length > 0)
    throw plainFailure(`${strayText(options.strategy.name, strays[0])}: a running bot is ended by that`, STRAY_NEXT);
  const figures = computeFigures(record);
  const seeds = base && (await (await import("../research/seeds.ts")).overSeeds(shell, base, flags.seeds as number));
  const files = writeResults(filesOf({ record, figures, seeds }, flags, seen));
  const ended = endedText(record);
  // On a shared screen the table already begins with that line.
  if (ended !== undefined && (terminal.wantsJson || !terminal.isScreen || !terminal.notesAreSeen)) terminal.note(ended);
  if (terminal.wantsJson)
    terminal.json({
      ...renderJson(record, figures),
      seeds: seeds === undefined ? null : seedsJson(seeds),
      strategyState: lastState(tradingCore),
    });
  else show(shell, { record, figures, seeds, traceHash, files }, flags);
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

function filesOf({ record, figures, seeds }: Found, flags: BacktestFlags, seen?: SeenQuotes): readonly ResultFile[] {
  const { out, trades, export: folder = "" } = flags;
  const report = {
    what: "report",
    flag: "--out",
    path: out,
    text: reportPage(runReport(record, figures, seeds)),
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

function ran({ terminal, clock }: Shell, options: BacktestOptions, seen?: SeenQuotes): Backtest {
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
  const result = runBacktest({ ...options, watch: { reached, ...(seen && { step: (step) => seen.step(step) }) } });
  unwatch();
  progress.end();
  if (!result.ok) throw plainFailure(`the bot did not start: ${result.error}`);
  return result.value;
}

type Found = {
  readonly record: RunRecord;
  readonly figures: Figures;
  readonly seeds: SeedRuns | undefined;
};

type Shown = Found & { readonly traceHash: string; readonly files: WrittenFiles };

function show({ terminal }: Shell, found: Shown, flags: BacktestFlags): void {
  const { record, figures, seeds, traceHash, files } = found;
  showReport(terminal, runReport(record, figures, seeds));
  terminal.print();
  terminal.print(`trace   ${traceHash}`);
  terminal.print(`report  ${files.placeOf(flags.out)}`);
  if (flags.trades !== undefined) terminal.print(`trades  ${files.placeOf(flags.trades)}`);
  if (flags.export !== undefined) terminal.print(`export  ${flags.export}`);
}
