// `data generate`: the simulator's market as data files, one per pair, with manifests that name seed and parameters.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { ColumnWriter, openColumnFile } from "../../../backtest/data/column-file.ts";
import { type Manifest, manifestPath, prepare, publish, removeStaged } from "../../../backtest/data/manifest.ts";
import { type Summary, summaryOf } from "../../../backtest/data/summary.ts";
import { type Synthesis, syntheticBlocks } from "../../../backtest/data/synthetic.ts";
import { nextTurn } from "../../../backtest/next-turn.ts";
import { printSummary, requireNew, writingTo } from "../../app/data/data-file.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { createFolder } from "../../disk/create-folder.ts";
import { freshPath } from "../../disk/fresh-file.ts";
import { type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { DAY_MS, type Millis, millis } from "../../domain/time.ts";
import { MARKET_HELP, type MarketFlags, marketParameters, marketSettings } from "../option/market-parameters.ts";
import { collected, day, days, duration, parsed, seed } from "../option/values.ts";
import { undoOnSignal } from "../stop.ts";

const DAYS = 30;

export function defineGenerate(command: Command, run: Run): void {
  command
    .option("--pair <symbols>", "one or more pairs, separated by commas", pairs, ["VCHF/CHF"] as PairSymbol[])
    .option("--days <n>", "how long", days, DAYS)
    .option("--from <date>", "first day, UTC", day, millis(Date.UTC(2026, 0, 1)))
    .option("--seed <n>", "the same seed gives the same prices", seed, 1)
    .option("--interval <time>", "one quote every so often", duration, 1_000)
    .option("--market <name>", MARKET_HELP, marketSettings, ["demo"])
    .option("--param <name=value>", "set a parameter of the market, for example stress.chancePerDay=1", collected, [])
    .option("--no-edge", "nothing to earn: no peg deviation, no stress, no noise")
    .option("--weekends", "currency markets close from Friday to Sunday")
    .requiredOption("--out <path>", "a folder, or a file that ends in .columns")
    .action((flags: GenerateFlags) => run((shell) => generate(shell, flags)));
}

function pairs(text: string): PairSymbol[] {
  const symbols = text.split(",").map(parsed(parseSymbol));
  const twice = symbols.find((symbol, i) => symbols.indexOf(symbol) !== i);
  if (twice !== undefined) throw new InvalidArgumentError(`must name a pair once, ${twice} is there twice`);
  return symbols;
}

type GenerateFlags = MarketFlags & {
  readonly pair: readonly PairSymbol[];
  readonly days: number;
  readonly from: Millis;
  readonly seed: number;
  readonly interval: number;
  readonly market: readonly string[];
  readonly param: readonly string[];
  readonly out: string;
};

type Generated = { readonly out: string; readonly manifest: Manifest; readonly summary: Summary };

async function generate(shell: Shell, flags: GenerateFlags): Promise<ExitCode> {
  const { terminal } = shell;
  const synthesis = synthesisOf(flags);
  const unknown = flags.pair.find((symbol) => !Object.hasOwn(synthesis.parameters.pairs, symbol));
  if (unknown !== undefined) {
    const known = Object.keys(synthesis.parameters.pairs).join(", ");
    throw usageFailure(`the synthetic market has no pair ${unknown}, only ${known}`);
  }
  const files = flags.pair.map((symbol) => ({ symbol, out: placeOf(symbol, flags) }));
  for (const { out } of files) requireNew(out);
  const made: Generated[] = [];
  for (const { symbol, out } of files) made.push(await writingTo(out, () => generateOne(symbol, out, synthesis)));
  if (terminal.wantsJson)
    terminal.json(made.map(({ manifest, out }) => ({ ...manifest, manifest: manifestPath(out) })));
  else
    for (const [i, { out, manifest, summary }] of made.entries()) {
      if (i > 0) terminal.print();
      printSummary(terminal, out, manifest.sha256, summary, manifestPath(out));
    }
  return exitCode.done;
}

function synthesisOf(flags: GenerateFlags): Synthesis {
  const { seed, from, days, interval: intervalMs } = flags;
  const to = millis(from + days * DAY_MS);
  const parameters = marketParameters("--param", [...flags.market, ...flags.param], flags, to);
  if (intervalMs % parameters.gridMs !== 0)
    throw usageFailure(`--interval must be whole steps of ${parameters.gridMs} ms, was ${intervalMs} ms`);
  return { seed, parameters, from, to, intervalMs };
}

/** The named file, or one file per pair in a folder. */
function placeOf(symbol: PairSymbol, { out, pair }: GenerateFlags): string {
  if (!out.endsWith(".columns")) {
    if (existsSync(out) || !/\.[A-Za-z0-9]+$/.test(out)) return join(out, `${symbol.replace("/", "-")}.columns`);
    throw usageFailure(`--out must be a folder, or end in .columns, was ${out}`);
  }
  if (pair.length > 1) throw usageFailure(`--out must be a folder for ${pair.length} pairs, was ${out}`);
  return out;
}

async function generateOne(symbol: PairSymbol, out: string, synthesis: Synthesis): Promise<Generated> {
  orFail(createFolder(dirname(out)));
  prepare(out);
  // A signal removes the partial output.
  const done = undoOnSignal(() => removeStaged(out));
  try {
    await writeColumns(symbol, freshPath(out), synthesis);
    const summary = summaryOf(openColumnFile(freshPath(out)));
    const { seed, parameters, intervalMs } = synthesis;
    const manifest = publish(out, summary, { kind: "generated", seed, parameters: { ...parameters, intervalMs } });
    return { out, manifest, summary };
  } finally {
    removeStaged(out);
    done();
  }
}

async function writeColumns(symbol: PairSymbol, path: string, synthesis: Synthesis): Promise<void> {
  const writer = new ColumnWriter(path, "quotes");
  let rows = 0;
  try {
    for (const { columns, count } of syntheticBlocks(symbol, synthesis)) {
      writer.write(columns, count);
      rows += count;
      await nextTurn();
    }
    if (rows === 0) throw usageFailure(`${symbol} has no price in all that time`);
    writer.finish({ kind: "quotes", symbol });
  } catch (error) {
    writer.abandon();
    throw error;
  }
}
