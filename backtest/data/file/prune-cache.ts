// Keeps the cache of columns below its size: what was used longest ago goes first. What was used within a day stays in any
// case, because another process may be reading it.

import { readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Millis } from "../../../src/domain/time.ts";

export type CacheBounds = { readonly bytesMax: number; readonly now: Millis };

const IN_USE_MS = 86_400_000;

/** `used`: entries that are in use from now on. */
export function pruneCache(folder: string, used: readonly string[], { bytesMax, now }: CacheBounds): void {
  for (const path of used) utimesSync(path, now / 1_000, now / 1_000);
  const files = filesIn(folder);
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size, usedAt } of files.sort((one, other) => one.usedAt - other.usedAt)) {
    if (bytes <= bytesMax || now - usedAt < IN_USE_MS) return;
    rmSync(path, { force: true });
    bytes -= size;
  }
}

type CacheFile = { readonly path: string; readonly size: number; readonly usedAt: number };

/** Stamps and what a killed process left half written count too. */
function filesIn(folder: string): CacheFile[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    // Another process may have removed it in the meantime.
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? [{ path, size: found.size, usedAt: found.mtimeMs }] : [];
  });
}
