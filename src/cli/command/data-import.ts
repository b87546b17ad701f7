// `data import`: converts tables of prices to a column file with a manifest. A bad row ends the import, with its line
// and reason.

import { basename, dirname } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseZone, TIME_UNITS, type TimeUnit, type Zone } from "../../../backtest/data/clock.ts";
import { importData } from "../../../backtest/data/import-data.ts";
import { manifestPath, removeStaged } from "../../../backtest/data/manifest.ts";
import { TOLERABLE, type Tolerable } from "../../../backtest/data/problem.ts";
import { COLUMN_NAMES, type ColumnName } from "../../../backtest/data/source.ts";
import { noteProblems, printSummary, requireNew, totalOf, usable, writingTo } from "../../app/data/data-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { readingProgress } from "../../app/terminal/progress.ts";
import { createFolder } from "../../disk/create-folder.ts";
import { type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { duration, parsed } from "../option/values.ts";
import { undoOnSignal } from "../stop.ts";

const EXAMPLE =
  "(for example: pegbot data import ticks.csv --pair GBP/CHF --columns time=Date,bid=Bid,ask=Ask --zone UTC --out GBP-CHF.columns)";

export function defineImport(command: Command, run: Run): void {
  command
    .argument("<file...>", "tables that end in .csv or .parquet, in order of time where there are several")
    .requiredOption("--pair <symbol>", "the pair, for example GBP/CHF", parsed(parseSymbol))
    .requiredOption("--out <file>", "a new file that ends in .columns")
    .option("--columns <list>", "time=NAME,bid=NAME: the file's names, or places from 1 without a header", columnList)
    .option("--zone <zone>", "of times without one: UTC, UTC-5", parsed(parseZone))
    .addOption(new Option("--time-unit <unit>", "of times that are numbers").choices(Object.keys(TIME_UNITS)))
    .option("--interval <time>", "length of bars, for example 1m; otherwise the smallest step", duration)
    .option("--jump-max <n>", "how many times larger or smaller a price may be than the one before (2)", jumpMax)
    .option("--tolerate <kinds>", `leave such rows out: ${TOLERABLE.join(", ")}`, tolerated)
    .option("--origin <text>", "where it came from, for the manifest")
    .option("--licence <text>", "under which licence, for the manifest", "not stated")
    .showHelpAfterError(EXAMPLE)
    .action((files: [string, ...string[]], flags: ImportFlags) => run((shell) => importFiles(shell, files, flags)));
}

type ImportFlags = {
  readonly pair: PairSymbol;
  readonly out: string;
  readonly columns?: Readonly<Partial<Record<ColumnName, string>>>;
  readonly zone?: Zone;
  readonly timeUnit?: TimeUnit;
  readonly interval?: number;
  readonly jumpMax?: number;
  readonly tolerate?: readonly Tolerable[];
  readonly origin?: string;
  readonly licence: string;
};

async function importFiles(
  shell: Shell,
  [path, ...more]: readonly [string, ...string[]],
  { pair: symbol, out, origin, licence, interval: intervalMs, ...flags }: ImportFlags,
): Promise<ExitCode> {
  if (!out.endsWith(".columns")) throw usageFailure(`--out must end in .columns, was ${out}`);
  requireNew(out);
  orFail(createFolder(dirname(out)));
  const named = more.length === 0 ? basename(path) : `${basename(path)} and ${more.length} more`;
  const declared = { ...flags, ...(intervalMs === undefined ? {} : { intervalMs }) };
  const provenance = { origin: origin ?? named, licence, at: shell.clock.now() };
  const progress = readingProgress(shell, path, more);
  const done = undoOnSignal(() => removeStaged(out));
  const original = { path, more, symbol, declared, watch: progress.at };
  const result = await writingTo(out, () => importData(original, out, provenance)).finally(done);
  progress.end();
  const { manifest, summary, leftOut } = usable(shell, named, result);
  const { terminal } = shell;
  if (totalOf(leftOut.counts) > 0) {
    terminal.note("left out, as tolerated:");
    noteProblems(terminal, leftOut);
  }
  if (terminal.wantsJson) terminal.json({ ...manifest, manifest: manifestPath(out) });
  else printSummary(terminal, out, manifest.sha256, summary, manifestPath(out));
  return exitCode.done;
}

function columnList(text: string): Partial<Record<ColumnName, string>> {
  const columns: Partial<Record<ColumnName, string>> = {};
  for (const one of text.split(",")) {
    const [name = "", column = ""] = one.split(/=(.*)/s);
    if (!(COLUMN_NAMES as readonly string[]).includes(name) || column === "" || Object.hasOwn(columns, name))
      throw new InvalidArgumentError(`must look like time=Date,bid=Bid, of ${COLUMN_NAMES.join(", ")}`);
    columns[name as ColumnName] = column;
  }
  return columns;
}

function jumpMax(text: string): number {
  const value = /^[0-9]{1,6}(?:\.[0-9]{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 1)) throw new InvalidArgumentError("must be a number above 1");
  return value;
}

function tolerated(text: string): Tolerable[] {
  const kinds = text.split(",");
  if (!kinds.every((kind) => (TOLERABLE as readonly string[]).includes(kind)))
    throw new InvalidArgumentError(`must be some of ${TOLERABLE.join(", ")}`);
  return kinds as Tolerable[];
}
