// A snapshot's text on disk, complete and unchanged or not at all: its last line is a digest of everything before it,
// and the file is put in place in one step. Losing it only makes the next start slower.

import { hash } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { freshPath, removeFresh, removeLeftovers } from "../../disk/fresh-file.ts";
import { syncFolderOf, writeNew } from "../../disk/new-file.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { snapshotOf } from "./files.ts";

const DIGEST_LENGTH = 64;

/** Removes the half-written file of a killed process first. */
export function writeSnapshotFile(path: string, text: string): void {
  const file = snapshotOf(path);
  removeLeftovers(file);
  try {
    writeNew(freshPath(file), `${text}\n${hash("sha256", text, "hex")}`, 0o600);
    renameSync(freshPath(file), file);
    syncFolderOf(path);
  } finally {
    removeFresh(file);
  }
}

/** Undefined if there is no snapshot. */
export function readSnapshotFile(path: string): Result<string> | undefined {
  const file = snapshotOf(path);
  if (!existsSync(file)) return undefined;
  const whole = readFileSync(file, "utf8");
  const end = whole.length - DIGEST_LENGTH - 1;
  const text = whole.slice(0, Math.max(0, end));
  if (whole[end] !== "\n" || hash("sha256", text, "hex") !== whole.slice(end + 1))
    return err("it is not as it was written");
  return ok(text);
}
