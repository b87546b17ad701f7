// A lock that is released when its process dies, however it dies: an open exclusive transaction on its own small SQLite
// file. Whether the holder lives is tested by trying to take the lock, never guessed from a process id or an age.

import { closeSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { requirePlainFile } from "../../disk/open-to-others.ts";
import { isBusy, SQLITE, sqliteCode } from "../../disk/sqlite-error.ts";

/** The path of a process's lock; instance ids are never reused. */
export function lockPath(folder: string, instance: string): string {
  return join(folder, `${instance}.lock`);
}

/** Of the only bot of the key; `live`: the folder with the locks of its processes. */
export function botLockPath(live: string): string {
  return join(dirname(live), "bot.lock");
}

export interface LockFile {
  release(): void;
}

/** The lock, or undefined while another process holds it. `timeout`: longer than another process looks whether it is held. */
export function tryLock(path: string, timeout = 0): LockFile | undefined {
  createPrivateFile(path);
  const database = new DatabaseSync(path, { timeout });
  try {
    // An exclusive transaction on an empty file would create a rollback journal next to it, whose mode SQLite looks up
    // by the file's name. If another process has found the lock free and removed it meanwhile, that is an I/O error.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

/** Whether a process holds the lock; for who only looks: nothing is made, removed or kept. */
export function isHeld(path: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    database.exec("SELECT 1 FROM sqlite_schema");
    return false;
  } catch (error) {
    if (sqliteCode(error) === SQLITE.cannotOpen) return false;
    if (isBusy(error)) return true;
    throw error;
  } finally {
    database?.close();
  }
}

/** True if no process holds the lock; its file is then removed. */
export function isAbandoned(path: string): boolean {
  const lock = tryLock(path);
  if (lock === undefined) return false;
  lock.release();
  removeLock(path);
  return true;
}

/**
 * After the release. A process that opens the file meanwhile correctly finds it free, because the name is never reused.
 */
export function removeLock(path: string): void {
  rmSync(path, { force: true });
}

/** Never opens an existing file: closing any handle of a file drops every lock that this process has on it (POSIX). */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "ax", 0o600));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    requirePlainFile(path);
  }
}
