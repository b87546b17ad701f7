// A data file and its manifest appear together when both are whole and on disk, or not at all. Until then they stand beside
// their place under names of this process, in which the next one that writes the same file finds what was left.

import { linkSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { threadId } from "node:worker_threads";
import { requireFolder } from "../../../src/disk/create-folder.ts";
import { freshPath, removeLeftovers } from "../../../src/disk/fresh-file.ts";
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
  place(staged, manifestPath(out));
  try {
    place(stageOf(out).file, out);
  } catch (error) {
    rmSync(manifestPath(out), { force: true });
    throw error;
  }
  syncFolderOf(out);
}

/** Looks to whoever catches it like what the system throws. */
class PlaceTaken extends Error {
  override readonly name = "PlaceTaken";
  readonly syscall = "link";
  readonly code = "EEXIST";

  constructor(path: string) {
    super(`${path} was written by another process meanwhile, and is never overwritten: nothing was written here`);
  }
}

/** A link, because a rename takes the place of what is there. */
function place(staged: string, path: string): void {
  try {
    linkSync(staged, path);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === "EEXIST" ? new PlaceTaken(path) : error;
  }
  rmSync(staged, { force: true });
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
