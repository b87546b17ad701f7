// A SQLite database for commands that only look. To read one in WAL mode SQLite makes -wal and -shm next to it and leaves them there,
// and fails where the file system is read-only; without them no process has it open, and it is read as a file that stays as it is.

import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

export function openToRead(path: string, timeout: number): DatabaseSync {
  const url = pathToFileURL(path);
  if (restingSince(path) !== undefined) url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true, timeout });
}

/** When it was last written; undefined while a process has it open to write. */
export function restingSince(path: string): number | undefined {
  return existsSync(`${path}-wal`) || existsSync(`${path}-shm`) ? undefined : writtenAt(path);
}

export function writtenAt(path: string): number | undefined {
  return existsSync(path) ? statSync(path).mtimeMs : undefined;
}
