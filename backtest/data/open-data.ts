// Opens what a run reads: a column file, or a folder of them with one file of a pair, streamed in the memory of a block
// or loaded as a whole.

import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { loadColumnFile, verifyColumnFile } from "./column-file.ts";
import { sha256Of } from "./digest.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { DataRefused, ProblemLog, type Refusal } from "./problem.ts";
import type { DataSource } from "./source.ts";

/** `whole` uses shared memory, for data that fits and for workers. */
export type Memory = "stream" | "whole";

export type OpenedData = {
  readonly path: string;
  readonly source: DataSource;
  /** SHA-256 of the file on disk. */
  readonly digest: string;
  readonly manifest: Manifest | undefined;
};

/** The files of a folder are in the order of their names. */
export function openData(path: string, memory: Memory): Result<readonly OpenedData[], Refusal> {
  const log = new ProblemLog(path);
  try {
    if (!existsSync(path)) log.refuse("missing", "there is no such file");
    const isFolder = statSync(path).isDirectory();
    if (!isFolder && !path.endsWith(".columns"))
      log.refuse("format", "a run reads files that end in .columns: pegbot data import makes one of a table");
    const files = isFolder ? filesBelow(path) : [path];
    if (files.length === 0)
      log.refuse("empty", "there is no file in it that ends in .columns: pegbot data import makes one of a table");
    const opened = files.map((file) => openFile(file, memory));
    const places = opened.map(({ path: file, source }) => `${dirname(file)} ${source.symbol}`);
    const twice = places.findIndex((place, i) => places.indexOf(place) !== i);
    if (twice !== -1)
      log.refuse(
        "format",
        `a folder must have one file of a pair, ${opened[twice]?.source.symbol} has two: data import joins files of months`,
      );
    return ok(opened);
  } catch (error) {
    if (error instanceof DataRefused) return err(error.refusal);
    throw error;
  }
}

/** A recording has a folder per source. */
function filesBelow(folder: string): string[] {
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = inner.map(({ name }) => join(folder, name)).sort();
  return [folder, ...folders].flatMap((one) =>
    readdirSync(one)
      .filter((name) => name.endsWith(".columns"))
      .sort()
      .map((name) => join(one, name)),
  );
}

/** Checked as a whole before the first row is returned, so that damage is a refusal and does not surface in the run. */
function openFile(path: string, memory: Memory): OpenedData {
  const log = new ProblemLog(path);
  const read = readManifest(path);
  const manifest = read.ok ? read.value : log.refuse("manifest", read.error);
  const digest = sha256Of(path);
  const source = memory === "whole" ? loadColumnFile(path) : verifyColumnFile(path);
  const found = { sha256: digest, symbol: source.symbol, kind: source.kind, rows: source.rows };
  const other = (Object.keys(found) as (keyof typeof found)[]).find((one) => manifest && manifest[one] !== found[one]);
  if (other !== undefined)
    log.refuse("manifest", `its manifest says that its ${other} is ${manifest?.[other]}, the file has ${found[other]}`);
  return { path, digest, manifest, source };
}
