// Creates files, never through links that another user put in their place: in a folder that others can write to, a link
// under the name of a new file would lead to one of our own. Nothing else creates files.

import { closeSync, constants, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Opens for writing. An existing file of this name is removed; a link created at this very moment is refused (EEXIST)
 * and not followed.
 */
export function openNew(path: string, mode: number): number {
  rmSync(path, { force: true });
  return openSync(path, "wx", mode);
}

/** Replaces any file of this name; on return the content is on disk, but not its name (`syncFolderOf`). */
export function writeNew(path: string, content: string | Uint8Array, mode = 0o666): void {
  rmSync(path, { force: true });
  createFile(path, content, mode);
}

/** Creates a file; throws (EEXIST) and keeps an existing one. On return it is on disk; a partial file never remains. */
export function createFile(path: string, content: string | Uint8Array, mode = 0o666): void {
  const file = openSync(path, "wx", mode);
  try {
    writeWhole(file, content);
    fsyncSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** For a log that a person may read: nothing waits for the disk. */
export function appendLine(path: string, line: string): void {
  const flag = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const file = openSync(path, flag, 0o600);
  try {
    writeWhole(file, `${line}\n`);
  } finally {
    closeSync(file);
  }
}

/** The system may write less than it is given. */
export function writeWhole(file: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** A new name survives a power cut only after its folder is synced as well. */
export function syncFolderOf(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Our own error, with the fields of a system error for code that catches those. */
export function systemError(message: string, syscall: string, code: string): Error {
  return Object.assign(new Error(message), { syscall, code });
}
