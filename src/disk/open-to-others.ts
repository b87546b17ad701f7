// Whether other users of this machine can change a file, or the files in a folder, and so control its content.

import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

const OTHERS_WRITE = 0o002;
const GROUP_WRITES = 0o020;
const OTHERS = 0o077;
/** Others may add files to such a folder, but not change existing ones. */
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Undefined if they cannot, and for anything that is neither a file nor a folder. A group with the owner's number
 * counts as the owner's own, because most systems give each user one.
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

/** What pegbot keeps next to a database. Not the kill file, which may be anybody's: it only stops. */
const PARTS = ["", "-wal", "-shm", ".anchor", ".snapshot", ".ledger", ".host", ".token", "-lock", ".page"];
const PAPER_PARTS = [".key", ".simulator", ".simulator-lock", ".market", ".address"];

/** Why a database is not its user's alone: one of its files gives others access, or belongs to another user. */
export function whyExposed(path: string): string | undefined {
  const user = process.geteuid?.();
  if (user === undefined) return undefined;
  // SQLite's own files are next to the target of a link.
  const places = [existsSync(path) ? realpathSync(path) : path, path];
  for (const file of places.flatMap((place) => [...PARTS, ...PAPER_PARTS].map((part) => `${place}${part}`))) {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found === undefined) continue;
    // Root looks after the files of another user too.
    if (![ROOT, user, statSync(dirname(file)).uid].includes(found.uid))
      return `${file} belongs to another user (id ${found.uid}): look who made it`;
    const mode = found.mode & 0o777;
    if ((mode & OTHERS) !== 0) return `the mode of ${file} must be 600, was ${mode.toString(8)}: chmod 600 ${file}`;
  }
  return undefined;
}

/** Throws if the path exists and is not a regular file: a link would choose which of our files is written. */
export function requirePlainFile(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new Error(`${path} must be a regular file, was a link or something else: remove it`);
}
