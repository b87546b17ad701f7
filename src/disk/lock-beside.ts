// One process uses a file at a time: the lock next to it is an open exclusive transaction on an empty SQLite
// file, which ends with its process, however that dies.

import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { isBusy, SQLITE, sqliteCode } from "./sqlite-error.ts";

const lockOf = (path: string): string => `${path}-lock`;

/** Throws a RangeError while the file is held; returns the function that releases it. */
export function lockBeside(path: string): () => void {
  // An existing one is not opened: closing any handle of a file drops every lock that this process has on it (POSIX).
  if (!existsSync(lockOf(path))) closeSync(openSync(lockOf(path), "ax", 0o600));
  const lock = new DatabaseSync(lockOf(path), { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw isBusy(error) ? new RangeError(`${path} is in use`) : error;
  }
  return () => lock.close();
}

/** Whether a process holds the file. */
export function isLockedBeside(path: string): boolean {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(lockOf(path), { readOnly: true, timeout: 0 });
    lock.exec("SELECT 1 FROM sqlite_schema");
    return false;
  } catch (error) {
    if (sqliteCode(error) === SQLITE.cannotOpen) return false;
    if (isBusy(error)) return true;
    throw error;
  } finally {
    lock?.close();
  }
}
