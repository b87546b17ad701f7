// The text of a checkpoint on disk: whole and as it was written, or not at all. Its last line is a digest of all before it; it
// appears under its name in one step. Losing it costs time and nothing else.

import { hash } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { freshPath, removeFresh } from "../../disk/fresh-file.ts";
import { syncFolderOf, writeNew } from "../../disk/new-file.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { checkpointOf, exposureOf } from "./files.ts";

const DIGEST_LENGTH = 64;

export function writeCheckpointFile(path: string, text: string): void {
  const file = checkpointOf(path);
  try {
    writeNew(freshPath(file), `${text}\n${hash("sha256", text, "hex")}`, 0o600);
    renameSync(freshPath(file), file);
    syncFolderOf(path);
  } finally {
    removeFresh(file);
  }
}

/** Undefined where there is none. */
export function readCheckpointFile(path: string): Result<string> | undefined {
  const file = checkpointOf(path);
  if (!existsSync(file)) return undefined;
  const exposed = exposureOf(file);
  if (exposed !== undefined) return err(`its mode must be 600, was ${exposed}`);
  const whole = readFileSync(file, "utf8");
  const end = whole.length - DIGEST_LENGTH - 1;
  const text = whole.slice(0, Math.max(0, end));
  if (whole[end] !== "\n" || hash("sha256", text, "hex") !== whole.slice(end + 1))
    return err("it is not as it was written");
  return ok(text);
}
