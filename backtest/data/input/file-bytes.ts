// The bytes of a file as stored, or unpacked from .gz or .zip; the digest is that of the file on disk.

import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { crc32, createGunzip } from "node:zlib";
import type { Entry, ZipFile } from "yauzl";
import { quoted } from "../../../src/domain/sanitise.ts";
import { nextTurn } from "../../next-turn.ts";
import type { ProblemLog } from "../problem.ts";

const CHUNK_BYTES = 1 << 20;

export type BytesSettings = {
  /** Selects a file in an archive that has more than one. */
  readonly entry?: string | undefined;
  /** Receives the number of bytes done from time to time. */
  readonly watch?: ((bytes: number) => void) | undefined;
};

export async function* fileBytes(
  path: string,
  log: ProblemLog,
  { entry, watch }: BytesSettings = {},
): AsyncGenerator<Uint8Array> {
  if (isZip(path)) return yield* zippedBytes(path, log, { entry, watch });
  if (/\.gz$/i.test(path)) return yield* gzippedBytes(path, log, watch);
  let done = 0;
  for (const piece of pieces(path)) {
    yield piece;
    done += piece.length;
    watch?.(done);
    // Yields between pieces, so that signals are handled.
    await nextTurn();
  }
}

export function sha256Of(path: string): string {
  const hash = createHash("sha256");
  for (const bytes of pieces(path)) hash.update(bytes);
  return hash.digest("hex");
}

/** The memory is reused for the next piece. */
function* pieces(path: string): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) yield buffer.subarray(0, read);
  } finally {
    closeSync(file);
  }
}

async function* gzippedBytes(path: string, log: ProblemLog, watch: BytesSettings["watch"]): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: CHUNK_BYTES });
  // A failure of either stream reaches the reader as an error of the second.
  for await (const piece of unpacked(
    pipeline(file, createGunzip(), () => undefined),
    log,
  )) {
    yield piece;
    watch?.(file.bytesRead);
  }
}

async function* zippedBytes(
  path: string,
  log: ProblemLog,
  { entry: wanted, watch }: BytesSettings,
): AsyncGenerator<Uint8Array> {
  const { zip, entry } = await findEntry(path, log, wanted);
  try {
    const { compressedSize, uncompressedSize } = entry;
    let [crc, done] = [0, 0];
    for await (const piece of unpacked(await understood(zip.openReadStreamPromise(entry), log), log)) {
      crc = crc32(piece, crc);
      yield piece;
      done += piece.length;
      watch?.((done / uncompressedSize) * compressedSize);
    }
    if (crc !== entry.crc32) log.refuse("format", "the file in the zip archive does not match its checksum");
  } finally {
    zip.close();
  }
}

/** The caller closes the archive. */
async function findEntry(path: string, log: ProblemLog, wanted?: string): Promise<{ zip: ZipFile; entry: Entry }> {
  const { openPromise } = await import("yauzl");
  const zip = await understood(openPromise(path, { autoClose: false }), log);
  try {
    const entries = (await understood(Array.fromAsync(zip.eachEntry()), log)).filter(
      (one) => !one.fileName.endsWith("/"),
    );
    const entry = choose(entries, log, wanted);
    if (!entry.canDecodeFileData())
      log.refuse("format", `zip entry ${quoted(entry.fileName)} must be stored or deflated, and not encrypted`);
    return { zip, entry };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function choose(entries: readonly Entry[], log: ProblemLog, wanted?: string): Entry {
  const found = entries.filter(({ fileName }) => wanted === undefined || fileName === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const names = entries.map(({ fileName }) => fileName);
  const shown = quoted(names.slice(0, 20).join(", "), 400);
  if (wanted !== undefined) log.refuse("format", `the zip archive has no file ${quoted(wanted)}, only ${shown}`);
  return log.refuse(
    "format",
    `the zip archive must have one file, or one must be named, was ${names.length}: ${shown}`,
  );
}

async function* unpacked(stream: Readable, log: ProblemLog): AsyncGenerator<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  try {
    for (let next = await understood(pieces.next(), log); !next.done; next = await understood(pieces.next(), log))
      yield next.value;
  } finally {
    stream.destroy();
  }
}

/** A failure to unpack is a problem of the file; a disk error is not. */
async function understood<T>(unpacking: Promise<T>, log: ProblemLog): Promise<T> {
  try {
    return await unpacking;
  } catch (error) {
    if (error instanceof Error && "syscall" in error) throw error;
    return log.refuse("format", `the packed file is damaged or cut: ${(error as Error).message}`);
  }
}

function isZip(path: string): boolean {
  return /\.zip$/i.test(path);
}

// A file has changed when its inode, size or change time has.

export type FileIdentity = { readonly text: string; readonly changedNs: bigint };

/** Anything other than a file or a link to one cannot be read twice, or at all. */
export function identityOf(path: string, log: ProblemLog): FileIdentity {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return log.refuse("missing", "there is no such file");
  if (!found.isFile()) log.refuse("format", `it must be a file, was ${kindOf(found)}`);
  const { dev, ino, size, mtimeNs, ctimeNs } = found;
  return { text: [dev, ino, size, mtimeNs, ctimeNs].join("."), changedNs: mtimeNs > ctimeNs ? mtimeNs : ctimeNs };
}

export function requireSame(path: string, { text }: FileIdentity, log: ProblemLog): void {
  if (identityOf(path, log).text !== text)
    log.refuse("changed", "the file changed while it was read: start again when nobody writes to it");
}

function kindOf(found: BigIntStats): string {
  if (found.isDirectory()) return "a folder";
  return found.isFIFO() ? "a pipe: write what comes out of it to a file first" : "a device or a socket";
}
