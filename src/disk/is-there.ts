// Is a file there? What may not be looked at is not missing: whoever takes it so begins anew beside it.

import { statSync } from "node:fs";

/** Throws what the system says where it does not tell, as for a folder that this user may not enter. */
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
