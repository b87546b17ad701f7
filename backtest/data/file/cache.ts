// The cache of parsed files as columns, keyed by the digest of the file's content and of its declaration. It can be
// deleted at any time; a damaged entry is detected and rebuilt.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { freshPath, removeFresh } from "../../../src/disk/fresh-file.ts";
import { writeNew } from "../../../src/disk/new-file.ts";
import type { Millis } from "../../../src/domain/time.ts";
import type { Declaration } from "../format/format.ts";
import { type FileIdentity, requireSame, sha256Of } from "../input/file-bytes.ts";
import type { ProblemLog } from "../problem.ts";

/** Increase when the same bytes would give other columns. */
const VERSION = 5;

/**
 * A stamp is valid only if it was made this long after the file's last change: within one clock tick two writes look
 * alike.
 */
const SETTLED_NS = 2_000_000_000n;

export function cacheEntry(folder: string, digest: string, format: string, declared: Declaration): string {
  const { zone, ...rest } = declared;
  const sorted = Object.entries({ ...rest, zone: zone?.name, format, version: VERSION })
    .filter(([, value]) => value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const reading = createHash("sha256").update(JSON.stringify(sorted)).digest("hex").slice(0, 16);
  return join(folder, `${digest}-${reading}.columns`);
}

const stampSchema = z.strictObject({ file: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/**
 * The digest of a file at the time its identity was taken. Hashing is skipped when a stamp shows that the file is
 * unchanged (path, size, inode and both change times) since it was last hashed.
 */
export function digestOf(path: string, identity: FileIdentity, log: ProblemLog, folder: string | undefined): string {
  if (folder === undefined) return sha256Of(path);
  const place = join(folder, `${createHash("sha256").update(resolve(path)).digest("hex").slice(0, 32)}.stamp`);
  const known = knownStamp(place, identity);
  if (known !== undefined) return known;
  const sha256 = sha256Of(path);
  requireSame(path, identity, log);
  writeStamp(place, { file: identity.text, sha256 });
  return sha256;
}

function knownStamp(place: string, { text, changedNs }: FileIdentity): string | undefined {
  try {
    const stamp = stampSchema.parse(JSON.parse(readFileSync(place, "utf8")));
    const { mtimeNs } = statSync(place, { bigint: true });
    return stamp.file === text && mtimeNs > changedNs + SETTLED_NS ? stamp.sha256 : undefined;
  } catch {
    // Without a readable stamp, hashing gives the same answer.
    return undefined;
  }
}

function writeStamp(place: string, stamp: z.infer<typeof stampSchema>): void {
  try {
    writeNew(freshPath(place), JSON.stringify(stamp));
    renameSync(freshPath(place), place);
  } finally {
    removeFresh(place);
  }
}

// Keeps the cache below its size limit by removing the least recently used entries. Entries used within a day always
// stay, because another process may be reading them.

type CacheBounds = { readonly bytesMax: number; readonly now: Millis };

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

/** Stamps and partial files of killed processes count too. */
function filesIn(folder: string): CacheFile[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    // Another process may have removed it in the meantime.
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() ? [{ path, size: found.size, usedAt: found.mtimeMs }] : [];
  });
}
