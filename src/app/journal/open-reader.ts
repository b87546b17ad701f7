// Opens the configured journal or a named file for reading only: it blocks no writer and changes nothing.

import { restingSince, writtenAt } from "../../disk/open-to-read.ts";
import { saidBy } from "../../disk/sqlite-error.ts";
import { type CommandFailure, plainFailure, usageFailure } from "../../domain/command-failure.ts";
import type { Result } from "../../domain/result.ts";
import { anchorOf } from "../../journal/file/files.ts";
import { isMachineFailure } from "../../journal/file/sqlite-failure.ts";
import { JournalReader, type StoredEntry } from "../../journal/journal-reader.ts";
import type { Opening } from "../../journal/record.ts";
import { type Problem, problemText, WAY_OUT } from "../../journal/verdict.ts";
import { FRESH, type TradingState, transition } from "../../risk/trading-state.ts";
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
  return readAt(journalPath(shell, file), use);
}

/** The opening of the journal at the path; fails if there is none, because then it is the wrong folder. */
export function requireOpening(path: string): { readonly opening: Opening } {
  if (!isJournalThere(path)) throw noJournal(path);
  return readAt(path, ({ opening }) => ({ opening }));
}

/**
 * With its anchor still there, the journal existed, and a bot that runs on it does not end because the file's name is
 * gone.
 */
function noJournal(path: string): CommandFailure {
  const anchor = anchorOf(path);
  if (isJournalThere(anchor))
    return usageFailure(
      `the journal ${path} is gone, and ${anchor} is there: it was moved or deleted, and a bot may still run with it`,
      "end that bot (not by SIGKILL) and bring the journal back",
    );
  return usageFailure(
    `there is no journal at ${path}, so no bot of this configuration`,
    "name the bot's own configuration with --config, or run this in the folder it was started in",
  );
}

/** The trading state alone, folded from the records that change it: it is seen even if nothing else can be read. */
export function standingIn(reader: JournalReader): TradingState {
  let standing = FRESH;
  for (const read of reader.telling(0)) {
    const { record } = readable(read).entry;
    if (record.kind === "control") standing = transition(standing, record.control, record.at);
    if (record.kind !== "step") continue;
    const { event, commands, at } = record.step;
    if (event.kind === "control") standing = transition(standing, event.control, at);
    for (const command of commands) if (command.kind === "state") standing = transition(standing, command, at);
  }
  return standing;
}

function readAt<T>(path: string, use: (reader: JournalReader) => T): T {
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
