// Sorts failures of SQLite and the file system by their meaning for the journal.

import { isBusy, SQLITE, saidBy, sqliteCode } from "../../disk/sqlite-error.ts";
import type { JournalCode, JournalError } from "../journal.ts";

/** Carries a journal error out of the middle of a transaction. */
export class JournalFault extends Error {
  override readonly name = "JournalFault";
  readonly error: JournalError;

  constructor(error: JournalError) {
    super(error.message);
    this.error = error;
  }
}

export function isFull(error: unknown): boolean {
  return sqliteCode(error) === SQLITE.full || systemCode(error) === "ENOSPC" || systemCode(error) === "EDQUOT";
}

export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE.corrupt || code === SQLITE.notADatabase;
}

/** A failure of SQLite or the system, and so not a bug in pegbot. */
export function isMachineFailure(error: unknown): error is Error {
  return sqliteCode(error) !== undefined || systemCode(error) !== undefined;
}

/** The error of a failed write. An error from neither SQLite nor the system is a bug and is rethrown. */
export function writeError(error: unknown, path: string): JournalError {
  if (error instanceof JournalFault) return error.error;
  const code = codeOf(error);
  if (code === undefined) throw error;
  return { code, message: `journal ${path}: ${saidBy(error)}; ${advice[code]}` };
}

function codeOf(error: unknown): keyof typeof advice | undefined {
  if (isBusy(error)) return "journal-locked";
  if (isFull(error)) return "journal-full";
  if (isCorrupt(error)) return "journal-damaged";
  const code = sqliteCode(error);
  if (code === SQLITE.readOnly || code === SQLITE.cannotOpen) return "journal-unwritable";
  const system = systemCode(error);
  if (system === "EACCES" || system === "EPERM" || system === "EROFS") return "journal-unwritable";
  // A failed sync may have lost data, and a second sync would still report success.
  return isMachineFailure(error) ? "journal-suspect" : undefined;
}

const advice = {
  "journal-locked": "it is locked by its owner: pegbot journal list still reads it; end that one",
  "journal-full": "nothing was written: free some disk space",
  "journal-damaged": "run pegbot journal verify",
  "journal-unwritable": "nothing was written: its file and folder must be writable by this user",
  "journal-suspect": "what is on disk is not known: start again, which verifies it",
} as const satisfies Partial<Record<JournalCode, string>>;

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "syscall" in error && "code" in error ? String(error.code) : undefined;
}
