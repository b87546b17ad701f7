// Opens the configured journal or a named file for reading only: it blocks no writer and changes nothing.

import { restingSince, writtenAt } from "../../disk/open-to-read.ts";
import { saidBy } from "../../disk/sqlite-error.ts";
import { plainFailure } from "../../domain/command-failure.ts";
import type { Result } from "../../domain/result.ts";
import { isMachineFailure } from "../../journal/file/sqlite-failure.ts";
import { JournalReader, type StoredEntry } from "../../journal/journal-reader.ts";
import { type Problem, problemText, WAY_OUT } from "../../journal/verdict.ts";
import { botConfig } from "../config/bot-config.ts";
import { isJournalThere } from "../config/journal-there.ts";
import type { Shell } from "../shell.ts";

/**
 * The journal's path; fails if there is no journal. `file`: another file than the configured one, such as an archive,
 * which needs no configuration.
 */
export function journalPath(shell: Shell, file?: string): string {
  const path = file ?? botConfig(shell).journal.path;
  if (!isJournalThere(path)) throw plainFailure(`there is no journal at ${path}`, file === undefined ? NONE : NAMED);
  return path;
}

/** The help text of --journal. */
export const JOURNAL_FILE = "another one than the configured: the pegbot.db of an archive or a backup";
const NONE = "a first start makes one, and so does a first order, mint, rail or rebalance";
const NAMED = "--journal names the file itself, pegbot.db in the folder of a backup";

export function withReader<T>(shell: Shell, use: (reader: JournalReader) => T, file?: string): T {
  const path = journalPath(shell, file);
  return readingFile(path, () => {
    const opened = JournalReader.open(path);
    if (!opened.ok) throw plainFailure(problemLine(path, opened.error), WAY_OUT[opened.error.kind]);
    try {
      return use(opened.value);
    } finally {
      opened.value.close();
    }
  });
}

/** An error of SQLite or the system is a failure of the machine, not a bug. */
export function readingFile<T>(path: string, read: () => T): T {
  const rested = restingSince(path);
  // SQLite does not see a writer that comes to a file at rest, and a checkpoint changes the pages that it reads.
  const requireRest = (): void => {
    if (rested !== undefined && writtenAt(path) !== rested)
      throw plainFailure(`journal ${path}: a process wrote to it while it was read`, "start the same command again");
  };
  try {
    const value = read();
    requireRest();
    return value;
  } catch (error) {
    requireRest();
    if (!isMachineFailure(error)) throw error;
    throw plainFailure(`journal ${path} cannot be read: ${saidBy(error)}`, UNREADABLE);
  }
}

/** SQLite reports only that it cannot open the file. */
const UNREADABLE =
  "SQLite reads a journal only where it can write -wal and -shm next to it: do it as its owner, and where the file system is read-only copy the whole folder and read the copy; where its -wal file is gone and a bot runs with it, end that by SIGTERM, never by SIGKILL, which brings the records of the file back";

export function problemLine(path: string, found: Problem): string {
  return `journal ${path}: ${problemText(found)}`;
}

/** An unreadable record ends the command: it is never skipped. */
export function readable<T extends StoredEntry | undefined>(read: Result<T>): T {
  if (!read.ok) throw plainFailure(read.error, "pegbot journal verify says more");
  return read.value;
}
