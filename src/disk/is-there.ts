// Whether a file exists. An inaccessible file does not count as missing: a caller would start fresh next to it.

import { statSync } from "node:fs";

/** Throws the system's error if it is unknown, as for a folder that this user may not enter. */
export function isThere(path: string, stat: (path: string) => unknown = statSync): boolean {
  try {
    stat(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw error;
  }
}
