// The configured journal, or a file that is named, opened for reading only: it locks no writer out and changes nothing.

import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { saidBy } from "../../disk/sqlite-error.ts";
import type { Result } from "../../domain/result.ts";
import { lookBeside } from "../../journal/file/inspect.ts";
import { isMachineFailure } from "../../journal/file/sqlite-failure.ts";
import { JournalReader, type StoredEntry } from "../../journal/journal-reader.ts";
import type { Problem } from "../../journal/verdict.ts";
import { WAY_OUT } from "../../journal/verdict.ts";
import { plainFailure } from "../command-failure.ts";
import { botConfig } from "../config/bot-config.ts";
import type { Shell } from "../shell.ts";
import { isJournalThere } from "./journal-there.ts";

/** Where it is; a failure when it is not there. `file`: another than the configured one, as of an archive, for which no configuration is needed. */
export function journalPath(shell: Shell, file?: string): string {
  const path = file ?? botConfig(shell).journal.path;
  if (!isJournalThere(path)) throw plainFailure(`there is no journal at ${path}`, file === undefined ? NONE : NAMED);
  return path;
}

/** What --journal names. */
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

/** What SQLite or the system refuses is a failure of the machine, not a bug. */
export function readingFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isMachineFailure(error)) throw error;
    const next = hasLostItsWal(path) ? LOST_WAL : readOnlyPlace(path);
    throw plainFailure(`journal ${path} cannot be read: ${saidBy(error)}`, next);
  }
}

/** SQLite says only that it cannot open the file: it wants to make a `-shm` beside it, also for reading. */
export function readOnlyPlace(path: string, access: typeof accessSync = accessSync): string | undefined {
  try {
    access(path, constants.R_OK);
    access(dirname(path), constants.W_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EROFS")
      return `its file system is mounted read-only, as some are after an error of the disk (dmesg), and SQLite reads a journal only where it can write -wal and -shm beside it: mount it writable (mount -o remount,rw), or copy the whole folder elsewhere and read the copy`;
    if (code === "EACCES" || code === "EPERM")
      return `this user may not read it, or not write beside it (${code}): do it as its owner`;
    return undefined;
  }
}

/** A writer has not closed in order, and what it wrote last is not where it must be. */
function hasLostItsWal(path: string): boolean {
  const { anchor, walBytes } = lookBeside(path);
  return typeof anchor !== "string" && !anchor.settled && walBytes === 0;
}

const LOST_WAL =
  "its -wal file is gone: if a bot runs with it, end that by SIGTERM, never by SIGKILL, which brings the records of the file back";

export function problemLine(path: string, { kind, message }: Problem): string {
  return `journal ${path}: ${kind}: ${message}`;
}

/** A record that cannot be read ends a command: it is never skipped. */
export function readable<T extends StoredEntry | undefined>(read: Result<T>): T {
  if (!read.ok) throw plainFailure(read.error, "pegbot journal verify says more");
  return read.value;
}
