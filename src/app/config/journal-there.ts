// Whether a journal exists. If this user may not read the path, the command reports that instead of a missing journal.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { isThere } from "../../disk/is-there.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { anchorOf } from "../../journal/file/files.ts";

export function isJournalThere(path: string, stat?: (path: string) => unknown): boolean {
  try {
    return isThere(path, stat);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isBarred = code === "EACCES" || code === "EPERM";
    throw usageFailure(
      `journal ${path} cannot be looked at (${code}): whether there is one is not known`,
      isBarred
        ? "do this as the user whom the bot runs as (runuser -u USER, sudo -u USER); where that is this user, it must be allowed to enter every folder of the path"
        : "every folder and link of the path must lead to it",
    );
  }
}

/**
 * A folder is not a journal, and SQLite's error for one reads like a broken disk. With an anchor next to it there was a
 * journal: other checks report that, and a stop must not fail here.
 */
export function requireFilePlace(path: string): void {
  if (!isFolder(path) || existsSync(anchorOf(path))) return;
  const cause = `journal.path is ${path}, which is a folder, and no file`;
  throw usageFailure(cause, `name a file in it, ${join(path, "pegbot.db")}`);
}

/** Unreadable paths are left to other checks. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
