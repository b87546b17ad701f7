// `data generate|import|inspect|record`: prices for backtests.

import { type Command, InvalidArgumentError, Option } from "commander";
import { FORMAT_NAMES } from "../../../backtest/data/format/format.ts";
import { type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import { millis } from "../../domain/time.ts";
import type { GenerateFlags } from "../action/data/generate.ts";
import type { ImportFlags } from "../action/data/import.ts";
import type { InspectFlags } from "../action/data/inspect.ts";
import type { RecordFlags } from "../action/data/record.ts";
import { group } from "../command-group.ts";
import { declareData, duration, parsed } from "../option/data-options.ts";
import { day } from "../option/moment.ts";
import { wholeNumber } from "../option/whole-number.ts";
import type { Run } from "../shell.ts";

const DAYS = 30;
const DAYS_MAX = 3_660;
const SEED_MAX = 2 ** 31 - 1;

export function registerData(program: Command, run: Run): void {
  const data = program
    .command("data")
    .helpGroup(group.research)
    .description("prices for backtests: generate, import, inspect, record");
  data
    .command("generate")
    .description("synthetic prices of the simulator's market as data files")
    .option("--pair <symbols>", "one or more pairs, separated by commas", pairs, ["VCHF/CHF"] as PairSymbol[])
    .option("--days <n>", "how long", wholeNumber(1, DAYS_MAX), DAYS)
    .option("--from <date>", "first day, UTC", day, millis(Date.UTC(2026, 0, 1)))
    .option("--seed <n>", "the same seed gives the same prices", wholeNumber(0, SEED_MAX), 1)
    .option("--interval <time>", "one quote every so often", duration, 1_000)
    .option("--param <name=value>", "set a parameter of the market, for example stress.chancePerDay=1", collected, [])
    .option("--no-edge", "nothing to earn: no peg deviation, no stress, no noise")
    .option("--weekends", "currency markets close from Friday to Sunday")
    .requiredOption("--out <path>", "a folder, or a file that ends in .columns or .csv")
    .option("--json", "print the manifests as JSON")
    .action((flags: GenerateFlags) =>
      run(async (shell) => (await import("../action/data/generate.ts")).generate(shell, flags)),
    );
  declareData(
    data
      .command("import")
      .description("prices in another format as a data file with a manifest; exit code 2 at a bad row")
      .argument("<file...>", "what to read, in order of time where there are several; .gz and .zip are unpacked")
      .addOption(new Option("--format <name>", "its format").choices(FORMAT_NAMES).makeOptionMandatory())
      .requiredOption("--out <file>", "a new file that ends in .columns or .csv")
      .option("--origin <text>", "where it came from, for the manifest")
      .option("--licence <text>", "under which licence, for the manifest")
      .option("--json", "print the manifest as JSON")
      .showHelpAfterError(
        "(for example: pegbot data import eurofxref-hist.zip --format ecb --pair GBP/CHF --out GBP-CHF.columns; --help says more)",
      ),
  ).action((files: [string, ...string[]], flags: ImportFlags) =>
    run(async (shell) => (await import("../action/data/import.ts")).importFiles(shell, files, flags)),
  );
  declareData(
    data
      .command("inspect")
      .description("what is in a data file or a folder of them, with a plot; exit code 2 at a bad row")
      .argument("<path>", "a .columns, .csv, .parquet or .arrow file, or a folder")
      .option("--no-plot", "figures only")
      .option("--no-cache", "read tables anew and keep nothing")
      .option("--json", "print the figures as JSON"),
  ).action((path: string, flags: InspectFlags) =>
    run(async (shell) => (await import("../action/data/inspect.ts")).inspect(shell, path, flags)),
  );
  data
    .command("record")
    .description("write down what the configuration's feeds say and its venue quotes, for later backtests")
    .requiredOption("--out <folder>", "a new or empty folder; one folder in it per source, one file per pair")
    .option("--duration <time>", "end after this long, for example 8h; otherwise with Ctrl-C", duration)
    .option(
      "--every <time>",
      "pause between two readings of the venue's quotes, each of which costs a slot",
      duration,
      1_000,
    )
    .option("--no-venue", "reference feeds only: no key is opened and no slot is spent")
    .option("--json", "print what was recorded as JSON")
    .action((flags: RecordFlags) =>
      run(async (shell) => (await import("../action/data/record.ts")).record(shell, flags)),
    );
}

function pairs(text: string): PairSymbol[] {
  const symbols = text.split(",").map(parsed(parseSymbol));
  const twice = symbols.find((symbol, i) => symbols.indexOf(symbol) !== i);
  if (twice !== undefined) throw new InvalidArgumentError(`must name a pair once, ${twice} is there twice`);
  return symbols;
}

function collected(text: string, before: readonly string[]): string[] {
  return [...before, text];
}
