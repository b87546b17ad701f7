// Small files that must be complete: written under another name, synced, renamed into place, and the folder synced. A
// crash at any point leaves the old text or the new one. Reads are bounded and never block.

import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { openNew, syncFolderOf, writeWhole } from "../../disk/new-file.ts";
import { err, ok, type Result } from "../../domain/result.ts";

const BYTES_MAX = 64 * 1024;

/** On disk when it returns. `before` lets a test end the process between the steps. */
export function writeDurably(path: string, text: string, before: (step: "rename" | "sync") => void = () => {}): void {
  const making = `${path}.new-${process.pid}`;
  try {
    const file = openForOwner(making);
    try {
      writeWhole(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    before("rename");
    renameSync(making, path);
  } catch (error) {
    rmSync(making, { force: true });
    throw error;
  }
  before("sync");
  syncFolderOf(path);
}

/** The file gets the folder's owner even if root writes it: a bot that runs as that user must be able to read it. */
function openForOwner(path: string): number {
  // Newly created, so that the change of owner cannot affect a file that was already there.
  const file = openNew(path, 0o600);
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dirname(path));
    if (uid !== 0) fchownSync(file, uid, gid);
  }
  return file;
}

/** The text at a path; undefined if there is no file; an error if it is not a readable small file. */
export function readSmall(path: string): Result<string | undefined> {
  let file: number;
  try {
    // Non-blocking: a pipe must not block the sender.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? ok(undefined) : err(code ?? message);
  }
  try {
    if (!fstatSync(file).isFile()) return err("it is no regular file");
    const bytes = Buffer.alloc(BYTES_MAX + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return length > BYTES_MAX ? err(`it has more than ${BYTES_MAX} bytes`) : ok(bytes.toString("utf8", 0, length));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return err(code ?? message);
  } finally {
    closeSync(file);
  }
}
