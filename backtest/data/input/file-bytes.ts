// The bytes of a file as they stand, or as unpacked from .gz or .zip; the digest is that of the file as it lies on disk.

import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { pipeline, Readable, type Transform } from "node:stream";
import { crc32, createGunzip, createInflateRaw } from "node:zlib";
import { nextTurn } from "../../next-turn.ts";
import type { ProblemLog } from "../problem.ts";
import { findEntry } from "./zip.ts";

const CHUNK_BYTES = 1 << 20;

type Packing = "none" | "gzip" | "zip";

function packingOf(path: string): Packing {
  if (/\.gz$/i.test(path)) return "gzip";
  return /\.zip$/i.test(path) ? "zip" : "none";
}

export type BytesSettings = {
  /** Names a file in an archive that has more than one. */
  readonly entry?: string | undefined;
  /** Told now and then how many bytes of the file are done. */
  readonly watch?: ((bytes: number) => void) | undefined;
};

export async function* fileBytes(
  path: string,
  log: ProblemLog,
  { entry, watch }: BytesSettings = {},
): AsyncGenerator<Uint8Array> {
  const packing = packingOf(path);
  const found = packing === "zip" ? findEntry(path, log, entry) : undefined;
  const packed = watched(range(path, found?.start ?? 0, found?.bytes ?? Number.POSITIVE_INFINITY), watch);
  if (packing === "none") return yield* eachOf(packed);
  if (found === undefined) return yield* unpacked(packed, createGunzip(), log);
  const content = found.isStored ? eachOf(packed) : unpacked(packed, createInflateRaw(), log);
  yield* confirmed(content, found.crc, log);
}

/** Of the file whose bytes these are. */
export function nameInside(path: string, log: ProblemLog, entry?: string): string {
  return packingOf(path) === "zip" ? findEntry(path, log, entry).name : path;
}

export function sha256Of(path: string): string {
  const hash = createHash("sha256");
  for (const bytes of range(path, 0, Number.POSITIVE_INFINITY)) hash.update(bytes);
  return hash.digest("hex");
}

/** The memory is used again for the next piece. */
function* range(path: string, start: number, length: number): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    const buffer = new Uint8Array(CHUNK_BYTES);
    let left = length;
    for (let at = start; left > 0; ) {
      const read = readSync(file, buffer, 0, Math.min(left, CHUNK_BYTES), at);
      if (read === 0) return;
      at += read;
      left -= read;
      yield buffer.subarray(0, read);
    }
  } finally {
    closeSync(file);
  }
}

function* watched(pieces: Iterable<Uint8Array>, watch: BytesSettings["watch"]): Generator<Uint8Array> {
  let done = 0;
  for (const piece of pieces) {
    yield piece;
    done += piece.length;
    watch?.(done);
  }
}

async function* unpacked(packed: Iterable<Uint8Array>, unpack: Transform, log: ProblemLog): AsyncGenerator<Uint8Array> {
  // A failure on either side reaches the loop below as an error of `unpack`.
  pipeline(Readable.from(copies(packed), { objectMode: false }), unpack, () => undefined);
  try {
    for await (const piece of unpack) yield piece as Uint8Array;
  } catch (error) {
    if (!isUnpackError(error)) throw error;
    log.refuse("format", `the packed file is damaged or cut: ${error.message}`);
  } finally {
    unpack.destroy();
  }
}

/** Each in a turn of its own, so that signals are heard. */
async function* eachOf(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    yield piece;
    await nextTurn();
  }
}

/** A stream may hold a piece while its memory is filled again. */
function* copies(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const piece of pieces) yield Uint8Array.from(piece);
}

/** The archive says what the checksum of the file is. */
async function* confirmed(pieces: AsyncIterable<Uint8Array>, crc: number, log: ProblemLog): AsyncGenerator<Uint8Array> {
  let found = 0;
  for await (const piece of pieces) {
    found = crc32(piece, found);
    yield piece;
  }
  if (found !== crc) log.refuse("format", "the file in the zip archive does not match its checksum");
}

function isUnpackError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}
