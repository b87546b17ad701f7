// Whether other users of this machine can change a file, or what lies in a folder: then they decide what is in it.

import { lstatSync, statSync } from "node:fs";

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;
/** Others may put files into such a folder, and not touch those that are there. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Undefined where they cannot, and for what is neither file nor folder. A group of the same number as the owner is taken for his
 * own, as most systems give each user one.
 */
export function whyOpenToOthers(path: string, isStickyEnough = false): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  const user = process.geteuid?.();
  if (user === undefined || found === undefined || !(found.isFile() || found.isDirectory())) return undefined;
  const { mode, uid, gid } = found;
  const shown = `(mode ${(mode & 0o7777).toString(8).padStart(4, "0")})`;
  if (!isStickyEnough || (mode & STICKY) === 0) {
    if ((mode & OTHERS_WRITE) !== 0) return `can be changed by every user of this machine ${shown}`;
    if ((mode & GROUP_WRITES) !== 0 && gid !== uid) return `can be changed by everybody in group ${gid} ${shown}`;
  }
  return uid === ROOT || uid === user ? undefined : `belongs to another user (id ${uid})`;
}

/** Throws where something lies that is no file by itself: whoever put a link there chose which of our files is written. */
export function requirePlainFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new Error(`${path} must be a regular file, was a link or something else: remove it`);
}
