// The files of one journal, next to each other and readable by their owner only.

import { existsSync, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";

/** By name: the file that moves with the journal. */
export function walOf(path: string): string {
  return `${path}-wal`;
}

/** The -wal that SQLite uses: next to the real file, even if `path` is a symbolic link to it. */
export function walInUse(path: string): string {
  return walOf(linkedFrom(path) !== undefined && existsSync(path) ? realpathSync(path) : path);
}

/** The link's target as written; undefined if the path is no symbolic link or does not exist. */
export function linkedFrom(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
}

export function anchorOf(path: string): string {
  return `${path}.anchor`;
}

/** A start begins at the snapshot instead of at the first record. */
export function snapshotOf(path: string): string {
  return `${path}.snapshot`;
}

/** Undefined if the file does not exist. */
export function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/**
 * The identity of the file that a path leads to now. By name and not by handle: closing a handle would drop SQLite's
 * locks on the file (POSIX).
 */
export function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.dev}:${found.ino}`;
}
