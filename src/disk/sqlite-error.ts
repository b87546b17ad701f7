// Errors of SQLite. Its message is the same for all failures of a kind ("disk I/O error" stands for some thirty);
// node:sqlite puts the extended result code on the error, which distinguishes them.

import { statSync } from "node:fs";

export const SQLITE = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
} as const;

/** Undefined for errors that are not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  const code = extendedCode(error);
  return code === undefined ? undefined : code & 0xff;
}

/** It is locked at this moment: try again. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE.busy || code === SQLITE.locked;
}

const FILE = Symbol("file of the database");

/** Runs `work` on this file's database. SQLite's errors do not name the file, so it is attached here. */
export function inDatabase<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (sqliteCode(error) !== undefined) (error as { [FILE]?: string })[FILE] ??= path;
    throw error;
  }
}

/** The database of an error that passed through `inDatabase`. */
export function databaseOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null ? (error as { [FILE]?: string })[FILE] : undefined;
}

/** The error's message, with the extended code if there is one. */
export function saidBy(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = extendedCode(error);
  return code === undefined ? message : `${message} (SQLite ${code})`;
}

function extendedCode(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode : undefined;
}

const SHM_BYTES = 32_768;

/**
 * SQLite maps the -shm of an open database into memory: a process that touches a part that was cut off is ended by
 * SIGBUS.
 */
export function isCut(path: string): boolean {
  const found = statSync(`${path}-shm`, { throwIfNoEntry: false });
  return found !== undefined && found.size < SHM_BYTES;
}
