// Creates a folder and its missing parents, one by one from the nearest existing one. Not with the runtime's recursive
// mkdir, which never returns if an existing folder accepts no entries, as in /proc. Nothing else creates folders.

import { accessSync, constants, mkdirSync, rmdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { err, ok, type Result } from "../domain/result.ts";
import { systemError } from "./new-file.ts";

export function createFolder(path: string, mode?: number): Result<void> {
  const made = createFolders(path, mode);
  return made.ok ? ok(undefined) : made;
}

/** Returns the created folders, the uppermost first. */
export function createFolders(path: string, mode?: number): Result<readonly string[]> {
  const made = attempt(path, mode);
  return made instanceof Error ? err(made.message) : ok(made);
}

/** Throws, for callers that cannot handle a result. */
export function requireFolder(path: string, mode?: number): void {
  const made = attempt(path, mode);
  if (made instanceof Error) throw made;
}

/** Why a file cannot be written there; undefined if it can. Leaves nothing behind, and does not check free space. */
export function whyNoPlace(file: string): string | undefined {
  const kind = kindOf(file);
  if (kind === "folder") return `${file} is a folder, and no file`;
  if (kind === "other") return refusalOf(file, () => accessSync(file, constants.W_OK));
  let place = dirname(resolve(file));
  while (kindOf(place) === "missing" && place !== dirname(place)) place = dirname(place);
  const trial = join(place, `.pegbot-trial-${process.pid}`);
  return refusalOf(place, () => {
    mkdirSync(trial);
    rmdirSync(trial);
  });
}

function refusalOf(place: string, write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    return `${place} cannot be written (${codeOf(error)})`;
  }
}

function attempt(path: string, mode = 0o777): Error | readonly string[] {
  const missing: string[] = [];
  let place = resolve(path);
  for (; kindOf(place) === "missing" && place !== dirname(place); place = dirname(place)) missing.unshift(place);
  if (kindOf(place) !== "folder") return systemError(`${place} must be a folder, and is none`, "mkdir", "ENOTDIR");
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // It may have been created in the meantime.
      if (kindOf(folder) === "folder") continue;
      const code = codeOf(error);
      return systemError(`${dirname(folder)} must take new folders, and does not (${code})`, "mkdir", code);
    }
  }
  return missing;
}

/** An inaccessible path counts as missing: creating it gives the reason. */
function kindOf(path: string): "missing" | "folder" | "other" {
  try {
    return statSync(path).isDirectory() ? "folder" : "other";
  } catch {
    return "missing";
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
