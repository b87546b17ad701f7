// The names in a folder of the system's that may be gone or closed to us the next moment, as those of processes are.

import { readdirSync } from "node:fs";

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Another user's, or one that ended meanwhile.
    return [];
  }
}
