// Files made anew, and never through what somebody else put in their place: in a folder that others can write to, a link under
// the name of a file that we are about to make would lead us to one of our own. Nothing else makes files.

import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/** For writing. What lies under this name goes; a link put there at this very moment is refused (EEXIST), not followed. */
export function openNew(path: string, mode: number): number {
  rmSync(path, { force: true });
  return openSync(path, "wx", mode);
}

/** In place of whatever lies under this name; on disk when it returns, but for its name (`syncFolderOf`). */
export function writeNew(path: string, content: string | Uint8Array, mode = 0o666): void {
  rmSync(path, { force: true });
  createFile(path, content, mode);
}

/** Where nothing is: throws (EEXIST) and leaves it otherwise. On disk when it returns; half of it never stays. */
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

/** The system may take less of it at a time than it is given. */
export function writeWhole(file: number, content: string | Uint8Array): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
}

/** A new name survives a power cut only when its folder is synced too. */
export function syncFolderOf(path: string): void {
  if (process.platform === "win32") return;
  const folder = openSync(dirname(path), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Ours, with the fields of an error of the system: those who catch such errors read them. */
export function systemError(message: string, syscall: string, code: string): Error {
  return Object.assign(new Error(message), { syscall, code });
}
