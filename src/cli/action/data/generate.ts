// `data generate`: the simulator's market as data files, one per pair, with manifests that name seed and parameters.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeCsv } from "../../../../backtest/data/csv/write-csv.ts";
import { ColumnWriter, openColumnFile } from "../../../../backtest/data/file/column-file.ts";
import { type Synthesis, syntheticSource } from "../../../../backtest/data/generate.ts";
import { describe } from "../../../../backtest/data/import-data.ts";
import { sha256Of } from "../../../../backtest/data/input/file-bytes.ts";
import { type Manifest, manifestPath, openStage, publish, removeStage } from "../../../../backtest/data/manifest.ts";
import type { DataSource, QuoteSource } from "../../../../backtest/data/source.ts";
import { type Survey, survey } from "../../../../backtest/data/survey/survey.ts";
import { nextTurn } from "../../../../backtest/next-turn.ts";
import { createFolder } from "../../../disk/create-folder.ts";
import type { PairSymbol } from "../../../domain/asset.ts";
import { DAY_MS, type Millis, millis } from "../../../domain/time.ts";
import { CommandFailure, orFail } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { type MarketFlags, marketParameters } from "../../option/market-parameters.ts";
import type { Shell } from "../../shell.ts";
import { undoOnSignal } from "../../stop.ts";
import { isDataFile, requireNew, writingTo } from "./new-path.ts";
import { printSurvey } from "./survey-lines.ts";

export type GenerateFlags = MarketFlags & {
  readonly pair: readonly PairSymbol[];
  readonly days: number;
  readonly from: Millis;
  readonly seed: number;
  readonly interval: number;
  readonly param: readonly string[];
  readonly out: string;
  readonly json?: true;
};

type Generated = { readonly out: string; readonly manifest: Manifest; readonly survey: Survey };

export async function generate(shell: Shell, flags: GenerateFlags): Promise<ExitCode> {
  const { terminal } = shell;
  const synthesis = synthesisOf(flags);
  const unknown = flags.pair.find((symbol) => !Object.hasOwn(synthesis.parameters.pairs, symbol));
  if (unknown !== undefined) {
    const known = Object.keys(synthesis.parameters.pairs).join(", ");
    throw new CommandFailure(exitCode.usage, `the synthetic market has no pair ${unknown}, only ${known}`);
  }
  const files = flags.pair.map((symbol) => ({ symbol, out: placeOf(symbol, flags) }));
  for (const { out } of files) requireNew(out);
  const made: Generated[] = [];
  for (const { symbol, out } of files) made.push(await writingTo(out, () => generateOne(symbol, out, synthesis)));
  if (flags.json) terminal.json(made.map(({ manifest, out }) => ({ ...manifest, manifest: manifestPath(out) })));
  else
    for (const [i, { out, manifest, survey: seen }] of made.entries()) {
      if (i > 0) terminal.print();
      printSurvey(terminal, out, manifest.sha256, seen);
      terminal.print(`manifest    ${manifestPath(out)}`);
    }
  return exitCode.done;
}

function synthesisOf(flags: GenerateFlags): Synthesis {
  const { seed, from, days, interval: intervalMs } = flags;
  const to = millis(from + days * DAY_MS);
  const parameters = marketParameters("--param", flags.param, flags, to);
  if (intervalMs % parameters.gridMs !== 0)
    throw new CommandFailure(
      exitCode.usage,
      `--interval must be whole steps of ${parameters.gridMs} ms, was ${intervalMs} ms`,
    );
  return { seed, parameters, from, to, intervalMs };
}

/** A file as named, or one per pair in a folder. */
function placeOf(symbol: PairSymbol, { out, pair }: GenerateFlags): string {
  if (!isDataFile(out)) {
    if (existsSync(out) || !/\.[A-Za-z0-9]+$/.test(out)) return join(out, `${symbol.replace("/", "-")}.columns`);
    throw new CommandFailure(exitCode.usage, `--out must be a folder, or end in .columns or .csv, was ${out}`);
  }
  if (pair.length > 1)
    throw new CommandFailure(exitCode.usage, `--out must be a folder for ${pair.length} pairs, was ${out}`);
  return out;
}

async function generateOne(symbol: PairSymbol, out: string, synthesis: Synthesis): Promise<Generated> {
  const source = syntheticSource(symbol, synthesis);
  if (source.rows === 0) throw new CommandFailure(exitCode.usage, `${symbol} has no price in all that time`);
  orFail(createFolder(dirname(out)));
  // A signal leaves no half of it behind.
  const done = undoOnSignal(() => removeStage(out));
  try {
    const stage = openStage(out);
    const written = await (out.endsWith(".csv") ? asCsv : asColumns)(source, stage.file);
    const seen = survey(written);
    const { seed, parameters, intervalMs } = synthesis;
    const origin = { kind: "generated" as const, seed, parameters: { ...parameters, intervalMs } };
    const manifest = { ...describe(out, sha256Of(stage.file), written, seen), source: origin };
    await nextTurn();
    publish(out, manifest);
    return { out, manifest, survey: seen };
  } finally {
    removeStage(out);
    done();
  }
}

async function asCsv(source: QuoteSource, path: string): Promise<DataSource> {
  await writeCsv(path, source);
  return source;
}

async function asColumns(source: QuoteSource, path: string): Promise<DataSource> {
  const writer = new ColumnWriter(path, "quotes");
  try {
    for (const { time, bid, ask, bidSize, askSize, length } of source.chunks()) {
      writer.write([time, bid, ask, bidSize, askSize], length);
      await nextTurn();
    }
    writer.finish({ kind: "quotes", symbol: source.symbol });
  } catch (error) {
    writer.abandon();
    throw error;
  }
  return openColumnFile(path);
}
