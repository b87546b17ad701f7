// A data file and its manifest appear together when both are whole and on disk, or not at all. Until then they stand beside
// their place under names of this process, in which the next one that writes the same file finds what was left.

import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { threadId } from "node:worker_threads";
import { requireFolder } from "../../../src/disk/create-folder.ts";
import { type Manifest, manifestPath } from "../manifest.ts";
import { freshPath, removeLeftovers, syncFolder } from "./fresh-file.ts";

export type Stage = {
  /** What becomes the file. */
  readonly file: string;
  /** Columns that its text is made from; the file itself where it is columns. */
  readonly columns: string;
};

/** `out` ends in .columns or .csv. */
export function openStage(out: string): Stage {
  requireFolder(dirname(out));
  removeLeftovers(out);
  return stageOf(out);
}

export function publish(out: string, manifest: Manifest): void {
  const staged = `${stageOf(out).file}.json`;
  writeFileSync(staged, `${JSON.stringify(manifest, undefined, 2)}\n`, { flush: true });
  // In this order, and nothing in between: a file that can be seen has its manifest.
  renameSync(staged, manifestPath(out));
  try {
    renameSync(stageOf(out).file, out);
  } catch (error) {
    rmSync(manifestPath(out), { force: true });
    throw error;
  }
  syncFolder(dirname(out));
}

/** What this thread has of it and was not published. */
export function removeStage(out: string): void {
  const { file, columns } = stageOf(out);
  for (const path of [file, freshPath(file), columns, freshPath(columns), `${file}.json`])
    rmSync(path, { force: true });
}

function stageOf(out: string): Stage {
  const columns = `${out}.${process.pid}-${threadId}.part`;
  return { columns, file: out.endsWith(".csv") ? `${out}.${process.pid}-${threadId}.text` : columns };
}
