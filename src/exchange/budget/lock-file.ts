// A lock that dies with its process, however it dies: an open exclusive transaction on a small SQLite file of its own.
// Whether the holder still lives is learnt by trying to take the lock, never by guessing from a process id or an age.

import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { requirePlainFile } from "../../disk/open-to-others.ts";
import { isBusy } from "../../disk/sqlite-error.ts";

/** Where the lock of a process lies; its name is never used again. */
export function lockPath(folder: string, instance: string): string {
  return join(folder, `${instance}.lock`);
}

export interface LockFile {
  release(): void;
}

/** The lock, or undefined while another process holds it. */
export function tryLock(path: string): LockFile | undefined {
  createPrivateFile(path);
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // An exclusive transaction on an empty file makes a journal next to it, with the mode that it looks up by the file's name; where
    // another process has found the lock free and removed it meanwhile, that is an I/O error.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/** True once no process holds the lock; its file is then removed. */
export function isAbandoned(path: string): boolean {
  const lock = tryLock(path);
  if (lock === undefined) return false;
  lock.release();
  removeLock(path);
  return true;
}

/** After its release. A process that opens the file meanwhile finds it free, which is the truth: its name is not used again. */
export function removeLock(path: string): void {
  rmSync(path, { force: true });
}

/** Never opens a file that exists: closing any handle of a file drops every lock this process has on it (POSIX). */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    requirePlainFile(path);
  }
}
