// A folder with all that is missing above it, one by one from the nearest that is there. Not by the runtime's own way, which
// goes on for ever where a folder is there and takes none, as in /proc.

import { mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { err, ok, type Result } from "../../domain/result.ts";

export function createFolder(path: string, mode = 0o777): Result<void> {
  const missing: string[] = [];
  let place = resolve(path);
  for (; kindOf(place) === "missing" && place !== dirname(place); place = dirname(place)) missing.unshift(place);
  if (kindOf(place) !== "folder") return err(`${place} must be a folder, and is none`);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // Another process may have made it meanwhile.
      if (kindOf(folder) !== "folder")
        return err(`${dirname(folder)} must take new folders, and does not (${codeOf(error)})`);
    }
  }
  return ok(undefined);
}

/** What may not be looked at is taken for missing: making it says why. */
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
