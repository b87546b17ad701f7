// A data file and its manifest appear together when both are whole and on disk, or not at all. Until then they stand beside
// their place under names of this process, in which the next one that writes the same file finds what was left.

import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { threadId } from "node:worker_threads";
import { requireFolder } from "../../../src/disk/create-folder.ts";
import { freshPath, placeNew, removeLeftovers } from "../../../src/disk/fresh-file.ts";
import { syncFolderOf, writeNew } from "../../../src/disk/new-file.ts";
import { type Manifest, manifestPath } from "../manifest.ts";

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
  writeNew(staged, `${JSON.stringify(manifest, undefined, 2)}\n`);
  // In this order, and nothing in between: a file that can be seen has its manifest. Whoever has the manifest's name has both.
  placeNew(staged, manifestPath(out));
  try {
    placeNew(stageOf(out).file, out);
  } catch (error) {
    rmSync(manifestPath(out), { force: true });
    throw error;
  }
  syncFolderOf(out);
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
