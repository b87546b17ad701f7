// Opens data for a backtest: a column file, a table with named columns (text, Parquet, Arrow), or a folder of them, one
// pair each. Tables are parsed once and cached as columns, then streamed in the memory of a block or loaded as a whole.

import { accessSync, constants, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { requireFolder } from "../../src/disk/create-folder.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { cacheEntry, digestOf } from "./file/cache.ts";
import { loadColumnFile, verifyColumnFile } from "./file/column-file.ts";
import { type Declaration, FORMAT_NAMES, notTaken, pairInName } from "./format/format.ts";
import { formatOf } from "./format/formats.ts";
import { identityOf } from "./input/file-bytes.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { DataRefused, ProblemLog, type Refusal } from "./problem.ts";
import { type Original, readData, readToColumns } from "./read-data.ts";
import { type DataSource, memorySink, summed } from "./source.ts";

export type OpenSettings = {
  /** Undefined: nothing is cached, and tables are in memory as a whole. */
  readonly cacheFolder: string | undefined;
  /** `whole` uses shared memory, for data that fits and for workers. */
  readonly memory: "stream" | "whole";
  /** Receives the number of bytes done of a table from time to time. */
  readonly watch?: (bytes: number) => void;
  /** For tables; the pair may also come from the manifest or the name (GBP-CHF.csv). */
  readonly declared?: Partial<Declaration>;
  /** The pair of a table that does not state one in any other way. */
  readonly otherwise?: PairSymbol | undefined;
};

export type OpenedData = {
  readonly path: string;
  readonly source: DataSource;
  /** SHA-256 of the file on disk. */
  readonly digest: string;
  readonly manifest: Manifest | undefined;
  /** The cache entry from which it is read. */
  readonly cached: string | undefined;
  /** Remarks, such as a cache entry that had to be rebuilt. */
  readonly notes: readonly string[];
};

/** The files of a folder are in the order of their names. */
export async function openData(path: string, settings: OpenSettings): Promise<Result<readonly OpenedData[], Refusal>> {
  const log = new ProblemLog(path);
  const cacheFolder = writable(settings.cacheFolder);
  try {
    if (!existsSync(path)) log.refuse("missing", "there is no such file");
    const files = statSync(path).isDirectory() ? filesBelow(path) : [path];
    if (files.length === 0) log.refuse("empty", "there is no data file in this folder");
    const unused = notTaken(
      settings.declared ?? {},
      files.map((file) => ({ path: file, format: isColumnFile(file) ? undefined : formatOf(file) })),
    );
    if (unused.length > 0) log.refuse("format", `${unused.join(", ")} must not be given: ${whyNot(files)}`);
    const opened: OpenedData[] = [];
    for (const file of files) opened.push(await openFile(file, { ...settings, cacheFolder }));
    if (settings.declared?.intervalMs !== undefined && opened.every(({ source }) => source.kind === "quotes"))
      log.refuse("format", "--interval must not be given: there are quotes here, and no bars");
    const places = opened.map(({ path: file, source }) => `${dirname(file)} ${source.symbol}`);
    const twice = opened.find((_, i) => places.indexOf(places[i] as string) !== i)?.source.symbol;
    if (twice !== undefined)
      log.refuse(
        "format",
        `a folder must have one file of a pair, ${twice} has two: data import brings files of months together (docs/DATA.md)`,
      );
    return ok(opened);
  } catch (error) {
    if (error instanceof DataRefused) return err(error.refusal);
    throw error;
  }
}

function whyNot(files: readonly string[]): string {
  return files.every(isColumnFile) ? "a column file says everything itself" : "nothing here is read with it";
}

/** Without write access to the cache nothing is cached, which is no reason to fail. */
function writable(folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  try {
    requireFolder(folder);
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return undefined;
  }
}

/** A recording has a folder per source. */
function filesBelow(folder: string): string[] {
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = inner.map(({ name }) => join(folder, name)).sort();
  return [folder, ...folders].flatMap(filesIn);
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => isColumnFile(name) || formatOf(name) !== undefined)
    .sort()
    .map((name) => join(folder, name));
}

function isColumnFile(path: string): boolean {
  return path.endsWith(".columns");
}

const plain = { notes: [], cached: undefined };

async function openFile(path: string, settings: OpenSettings): Promise<OpenedData> {
  const log = new ProblemLog(path);
  const read = readManifest(path);
  const manifest = read.ok ? read.value : log.refuse("manifest", read.error);
  const identity = identityOf(path, log);
  const digest = digestOf(path, identity, log, settings.cacheFolder);
  if (manifest !== undefined && manifest.sha256 !== digest)
    log.refuse("manifest", `its sha256 must be ${manifest.sha256}, as its manifest says, was ${digest}`);
  if (isColumnFile(path)) {
    const source = openColumns(path, settings.memory);
    const wrong = manifest === undefined ? undefined : contradiction(manifest, source);
    if (wrong !== undefined) log.refuse("manifest", wrong);
    const { symbol = source.symbol } = settings.declared ?? {};
    if (symbol !== source.symbol) log.refuse("format", `it is of ${source.symbol}, declared is ${symbol}`);
    return { path, digest, manifest, ...plain, source };
  }
  const format = formatOf(path);
  if (format === undefined)
    return log.refuse(
      "format",
      `the name must end in .columns, .csv, .parquet or .arrow; others are imported first (${FORMAT_NAMES.join(", ")})`,
    );
  const symbol =
    settings.declared?.symbol ?? (manifest?.symbol as PairSymbol | undefined) ?? pairInName(path) ?? settings.otherwise;
  if (symbol === undefined)
    return log.refuse("format", "the pair must be declared (--pair does), or stand in the name as in GBP-CHF.csv");
  const declared = { ...(manifest && saidBy(manifest, settings.declared, log)), ...settings.declared, symbol };
  const { watch } = settings;
  const original = { path, format, declared, identity, ...(watch === undefined ? {} : { watch }) };
  const table = await openTable(original, digest, settings);
  const leftOut = summed(manifest?.leftOut ?? {}, table.source.leftOut);
  return { path, digest, manifest, ...table, source: { ...table.source, leftOut } };
}

/** A table written by pegbot does not contain the length of its bars and the allowed jumps: its manifest does. */
function saidBy(manifest: Manifest, wanted: Partial<Declaration> = {}, log: ProblemLog): Partial<Declaration> {
  const { intervalMs, source } = manifest;
  if (intervalMs !== undefined && (wanted.intervalMs ?? intervalMs) !== intervalMs)
    log.refuse(
      "manifest",
      `its manifest says that its bars are ${intervalMs} ms long, declared are ${wanted.intervalMs} ms`,
    );
  const jumpMax = source.kind === "import" ? source.declared.jumpMax : undefined;
  return {
    ...(intervalMs === undefined ? {} : { intervalMs }),
    ...(jumpMax === undefined ? {} : { jumpMax }),
  };
}

/** A column file and its manifest must agree. */
function contradiction(manifest: Manifest, source: DataSource): string | undefined {
  const name = (["symbol", "kind", "rows"] as const).find((field) => manifest[field] !== source[field]);
  return name && `its manifest says that its ${name} is ${manifest[name]}, the file has ${source[name]}`;
}

/**
 * Checked as a whole before the first row is returned, so that damage is a refusal and does not surface during the run.
 */
function openColumns(path: string, memory: OpenSettings["memory"]): DataSource {
  return memory === "whole" ? loadColumnFile(path) : verifyColumnFile(path);
}

async function openTable(
  original: Original,
  digest: string,
  { cacheFolder, memory }: OpenSettings,
): Promise<Pick<OpenedData, "source" | "notes" | "cached">> {
  const { path, format, declared } = original;
  if (cacheFolder === undefined) return { ...plain, source: await readToMemory(original) };
  const entry = cacheEntry(cacheFolder, digest, format.name, declared);
  const notes: string[] = [];
  if (existsSync(entry)) {
    try {
      return { notes, cached: entry, source: openColumns(entry, memory) };
    } catch (error) {
      if (!(error instanceof DataRefused)) throw error;
      notes.push(`${error.message}; read again from ${path}`);
      rmSync(entry, { force: true });
    }
  }
  await readToColumns(original, { path: entry, isDurable: false });
  return { notes, cached: entry, source: openColumns(entry, memory) };
}

async function readToMemory(original: Original): Promise<DataSource> {
  const memory = memorySink();
  const { subject, leftOut } = await readData(original, () => memory.sink);
  return memory.source(subject, leftOut);
}
