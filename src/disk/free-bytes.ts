// Room on a file system, for this user.

import { statfsSync } from "node:fs";

/** Where `folder` lies; undefined where nobody can say. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}
