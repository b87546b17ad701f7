// Small files that must be whole: written under another name, synced, renamed into place, and the folder synced. A crash at
// any point leaves the old text or the new one. Reading is bounded, and opens nothing that could keep us waiting.

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
import { placeNew } from "../../disk/fresh-file.ts";
import { openNew, syncFolderOf, writeWhole } from "../../disk/new-file.ts";
import { err, ok, type Result } from "../../domain/result.ts";

const BYTES_MAX = 64 * 1024;

/** On disk when it returns. The steps can be watched, so that a test may end the process between them. `place`: from the one name to the other. */
export function writeDurably(
  path: string,
  text: string,
  before: (step: "rename" | "sync") => void = () => {},
  place: (from: string, to: string) => void = renameSync,
): void {
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
    place(making, path);
  } catch (error) {
    rmSync(making, { force: true });
    throw error;
  }
  before("sync");
  syncFolderOf(path);
}

/** The same where nothing is yet; false, and nothing is written, where another process was quicker. */
export function createDurably(path: string, text: string, before?: Parameters<typeof writeDurably>[2]): boolean {
  try {
    writeDurably(path, text, before, placeNew);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Belongs to whom the folder does, also when root writes it: the bot that runs as that user must be able to read it. */
function openForOwner(path: string): number {
  // Made by us, so that what is given away is nothing that lay there under this name.
  const file = openNew(path, 0o600);
  if (process.getuid?.() === 0) {
    const { uid, gid } = statSync(dirname(path));
    if (uid !== 0) fchownSync(file, uid, gid);
  }
  return file;
}

/** The text at a path; undefined when nothing is there; an error for anything else that is no readable small file. */
export function readSmall(path: string): Result<string | undefined> {
  let file: number;
  try {
    // Non-blocking: a pipe must not keep the sender waiting.
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
