// The files of one journal, side by side, readable by their owner only.

import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";

/** By name: what goes with the journal where that is moved. */
export function walOf(path: string): string {
  return `${path}-wal`;
}

/** Where SQLite keeps it: next to the file itself, also where `path` is a link to that. */
export function walInUse(path: string): string {
  return walOf(linkedFrom(path) !== undefined && existsSync(path) ? realpathSync(path) : path);
}

/** What it is a link to, as written; undefined when it is none, or not there. */
export function linkedFrom(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}

export function shmOf(path: string): string {
  return `${path}-shm`;
}

export function anchorOf(path: string): string {
  return `${path}.anchor`;
}

/** Where a start may begin instead of at the first record. */
export function checkpointOf(path: string): string {
  return `${path}.checkpoint`;
}

export function reserveOf(path: string): string {
  return `${path}.reserve`;
}

/** Undefined when it is not there. */
export function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** Which file a path leads to now. By name and not by handle: closing a handle would drop SQLite's locks on it (POSIX). */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}

/** What others may do with it, as octal digits; undefined when nothing, or where modes mean nothing. */
export function exposureOf(path: string): string | undefined {
  const mode = statSync(path).mode & 0o777;
  return process.platform === "win32" || (mode & 0o077) === 0 ? undefined : mode.toString(8);
}
