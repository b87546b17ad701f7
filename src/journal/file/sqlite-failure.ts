// What SQLite and the file system answer when they fail, sorted by what it means for the journal.

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

const BUSY = 5;
const LOCKED = 6;
const READ_ONLY = 8;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === BUSY || code === LOCKED;
}

export function isFull(error: unknown): boolean {
  return primaryCode(error) === FULL || systemCode(error) === "ENOSPC" || systemCode(error) === "EDQUOT";
}

export function isCorrupt(error: unknown): boolean {
  const code = primaryCode(error);
  return code === CORRUPT || code === NOT_A_DATABASE;
}

/** SQLite's or the system's, and so no bug of ours. */
export function isMachineFailure(error: unknown): error is Error {
  return primaryCode(error) !== undefined || systemCode(error) !== undefined;
}

/** The error of a write that failed; anything that is neither SQLite's nor the system's is our bug, and is thrown on. */
export function writeError(error: unknown, path: string): JournalError {
  if (error instanceof JournalFault) return error.error;
  const code = codeOf(error);
  if (code === undefined) throw error;
  return { code, message: `journal ${path}: ${(error as Error).message}; ${advice[code]}` };
}

function codeOf(error: unknown): keyof typeof advice | undefined {
  if (isBusy(error)) return "journal-locked";
  if (isFull(error)) return "journal-full";
  if (isCorrupt(error)) return "journal-damaged";
  const code = primaryCode(error);
  if (code === READ_ONLY || code === CANNOT_OPEN) return "journal-unwritable";
  const system = systemCode(error);
  if (system === "EACCES" || system === "EPERM" || system === "EROFS") return "journal-unwritable";
  // A failed sync may have lost what it was told to keep: asking again would only be told what one wants to hear.
  return isMachineFailure(error) ? "journal-suspect" : undefined;
}

const advice = {
  "journal-locked": "another process keeps it locked: pegbot journal list still reads it; end the other one",
  "journal-full": "nothing was written: free some disk space",
  "journal-damaged": "run pegbot journal verify",
  "journal-unwritable": "nothing was written: its file and folder must be writable by this user",
  "journal-suspect": "what is on disk is not known: start again, which verifies it",
} as const satisfies Partial<Record<JournalCode, string>>;

/** node:sqlite puts SQLite's extended result code on the error. */
function primaryCode(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}

function systemCode(error: unknown): string | undefined {
  return error instanceof Error && "syscall" in error && "code" in error ? String(error.code) : undefined;
}
