// `data import`: converts prices from another format to a data file with a manifest. A bad row ends the import, with
// its line and reason.

import { basename, dirname } from "node:path";
import { type Command, Option } from "commander";
import {
  type Declaration,
  FORMAT_NAMES,
  type Format,
  type FormatName,
  notTaken,
  pairInName,
} from "../../../backtest/data/format/format.ts";
import { FORMATS } from "../../../backtest/data/format/formats.ts";
import { importData } from "../../../backtest/data/import-data.ts";
import { manifestPath, removeStage } from "../../../backtest/data/manifest.ts";
import { orFail, usageFailure } from "../../app/command-failure.ts";
import { isDataFile, noteTolerated, printSurvey, requireNew, usable, writingTo } from "../../app/data/data-file.ts";
import { type DataFlags, declarationOf } from "../../app/data/open-data-files.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { readingProgress } from "../../app/terminal/progress.ts";
import { createFolder } from "../../disk/create-folder.ts";
import { declareData } from "../option/data-options.ts";
import { undoOnSignal } from "../stop.ts";

const EXAMPLE =
  "(for example: pegbot data import eurofxref-hist.zip --format ecb --pair GBP/CHF --out GBP-CHF.columns; --help says more)";

export function defineImport(command: Command, run: Run): void {
  command
    .argument("<file...>", "what to read, in order of time where there are several; .gz and .zip are unpacked")
    .addOption(new Option("--format <name>", "its format").choices(FORMAT_NAMES).makeOptionMandatory())
    .requiredOption("--out <file>", "a new file that ends in .columns or .csv")
    .option("--origin <text>", "where it came from, for the manifest")
    .option("--licence <text>", "under which licence, for the manifest")
    .showHelpAfterError(EXAMPLE);
  declareData(command).action((files: [string, ...string[]], flags: ImportFlags) =>
    run((shell) => importFiles(shell, files, flags)),
  );
}

type ImportFlags = DataFlags & {
  readonly format: FormatName;
  readonly out: string;
  readonly origin?: string;
  readonly licence?: string;
};

/** The files in `more` continue the first. */
async function importFiles(
  shell: Shell,
  [path, ...more]: readonly [string, ...string[]],
  flags: ImportFlags,
): Promise<ExitCode> {
  const format = FORMATS[flags.format];
  const named = more.length === 0 ? basename(path) : `${basename(path)} and ${more.length} more`;
  const { out, origin = named, licence = "not stated" } = flags;
  // Other formats name pairs differently (EURUSDT).
  const symbol = flags.pair ?? (format.zone === "declared" ? pairInName(path) : undefined);
  if (symbol === undefined) throw usageFailure("--pair is needed: the file does not say what it is");
  const declared = { ...declarationOf(flags), symbol };
  for (const file of [path, ...more]) requireFitting(file, format, declared);
  if (!isDataFile(out)) throw usageFailure(`--out must end in .columns or .csv, was ${out}`);
  requireNew(out);
  orFail(createFolder(dirname(out)));
  const provenance = { origin, licence, at: shell.clock.now() };
  const progress = readingProgress(shell, path, more);
  const done = undoOnSignal(() => removeStage(out));
  const original = { path, more, format, declared, watch: progress.at };
  const result = await writingTo(out, () => importData(original, out, provenance)).finally(done);
  progress.end();
  const imported = usable(shell, named, result);
  const { terminal } = shell;
  noteTolerated(terminal, imported.tolerated);
  if (terminal.wantsJson) terminal.json({ ...imported.manifest, manifest: manifestPath(out) });
  else {
    printSurvey(terminal, out, imported.manifest.sha256, imported.survey);
    terminal.print(`manifest    ${manifestPath(out)}`);
  }
  return exitCode.done;
}

/** Properties that the format fixes must not be declared, and properties that it lacks must be. */
function requireFitting(path: string, format: Format, declared: Declaration): void {
  const { name, zone, halfSpread } = format;
  const fail = (message: string): never => {
    throw usageFailure(message);
  };
  if (zone === "own" && declared.zone !== undefined)
    fail(`--zone must not be given: the format ${name} fixes its zone`);
  if (halfSpread === "needed" && declared.halfSpreadBps === undefined)
    fail(`--half-spread-bps is needed: the format ${name} has no bid and ask, only one price`);
  if (halfSpread === "none" && declared.halfSpreadBps !== undefined)
    fail(`--half-spread-bps must not be given: the format ${name} has its own prices`);
  const [unused] = notTaken(declared, [{ path, format }]);
  if (unused === "--entry") fail(`--entry must not be given: only a .zip has files to choose from, was ${path}`);
  if (unused !== undefined) fail(`${unused} must not be given: the format ${name} leaves nothing of the kind open`);
}
