// Free space on a file system, for this user.

import { statfsSync } from "node:fs";

/** On the file system of `folder`; undefined if unknown. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
