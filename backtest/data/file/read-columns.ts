// Reads column files: block by block in the memory of one block, or as a whole into memory that workers can share. What the
// checksums do not confirm is never handed out.

import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { millis } from "../../../src/domain/time.ts";
import { createColumn } from "../../../src/market/column.ts";
import { COLUMNS, type Columns } from "../kind.ts";
import { ProblemLog } from "../problem.ts";
import { cut, type DataSource, memorySource, type Span, sourceOf } from "../source.ts";
import {
  type Block,
  blockCrc,
  bytesOf,
  CONTENTS_BYTES_MAX,
  type Contents,
  MAGIC,
  parseContents,
  TAIL_BYTES,
} from "./column-file.ts";

/** Throws DataRefused (`damaged`) when the file is not whole; the blocks are checked as they are read. */
export function openColumnFile(path: string): DataSource {
  const contents = withFile(path, (file) => readContents(file, path));
  const { subject, blocks, leftOut } = contents;
  const width = COLUMNS[subject.kind].length;
  const extent = {
    rows: blocks.reduce((sum, { rows }) => sum + rows, 0),
    firstAt: millis(blocks[0]?.firstAt ?? Number.NaN),
    lastAt: millis(blocks.at(-1)?.lastAt ?? Number.NaN),
    leftOut,
  };
  return sourceOf(subject, extent, function* (span) {
    const rows = Math.max(0, ...blocks.map((block) => block.rows));
    const columns = Array.from({ length: width }, () => createColumn(rows, "shared"));
    let at = MAGIC.length;
    for (const [index, block] of blocks.entries()) {
      if (touches(block, span)) {
        // Open only while it is read: whoever stops half-way leaves nothing behind.
        withFile(path, (file) => readBlock(file, path, { ...block, index, at }, columns, 0));
        const within = cut(columns, block.rows, span);
        if (within.count > 0) yield within;
      }
      at += block.rows * width * 8;
    }
  });
}

/** Every row in memory at once, checked. */
export function loadColumnFile(path: string): DataSource {
  return withFile(path, (file) => {
    const { subject, blocks, leftOut } = readContents(file, path);
    const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
    const columns = COLUMNS[subject.kind].map(() => createColumn(rows, "shared"));
    let at = MAGIC.length;
    let row = 0;
    for (const [index, block] of blocks.entries()) {
      readBlock(file, path, { ...block, index, at }, columns, row);
      at += block.rows * columns.length * 8;
      row += block.rows;
    }
    return memorySource(subject, columns, leftOut);
  });
}

/** Reads every block once and throws at the first that is damaged. */
export function verifyColumnFile(path: string): DataSource {
  const source = openColumnFile(path);
  for (const _ of source.chunks());
  return source;
}

function touches({ firstAt, lastAt }: Block, { from, to }: Span): boolean {
  return (from === undefined || lastAt >= from) && (to === undefined || firstAt < to);
}

type Placed = Block & { readonly index: number; readonly at: number };

function readBlock(file: number, path: string, block: Placed, columns: Columns, row: number): void {
  const pieces = columns.map((column) => bytesOf(column, row, block.rows));
  let at = block.at;
  for (const piece of pieces) {
    if (readFully(file, piece, at) < piece.length) damaged(path, `block ${block.index + 1} is cut`);
    at += piece.length;
  }
  if (blockCrc(pieces) !== block.crc) damaged(path, `block ${block.index + 1} does not match its checksum`);
}

function readContents(file: number, path: string): Contents {
  const { size } = fstatSync(file);
  const head = read(file, 0, MAGIC.length);
  if (!head.equals(MAGIC)) damaged(path, "it does not begin like a column file");
  const tail = read(file, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  if (tail.length < TAIL_BYTES || !tail.subarray(8).equals(MAGIC)) damaged(path, "its end is missing");
  const length = tail.readUInt32LE(0);
  if (length > CONTENTS_BYTES_MAX || length > size - TAIL_BYTES) damaged(path, "its table of contents is damaged");
  const parsed = parseContents(read(file, size - TAIL_BYTES - length, length), tail.readUInt32LE(4));
  if (!parsed.ok) return damaged(path, parsed.error);
  const { subject, blocks } = parsed.value;
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
  if (MAGIC.length + rows * COLUMNS[subject.kind].length * 8 + length + TAIL_BYTES !== size)
    damaged(path, "its length does not match its table of contents");
  return parsed.value;
}

function read(file: number, start: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readFully(file, buffer, start));
}

/** A read may give less than asked for. */
function readFully(file: number, into: Uint8Array, start: number): number {
  let done = 0;
  while (done < into.length) {
    const got = readSync(file, into, done, into.length - done, start + done);
    if (got === 0) break;
    done += got;
  }
  return done;
}

function withFile<T>(path: string, use: (file: number) => T): T {
  const file = openSync(path, "r");
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

function damaged(path: string, message: string): never {
  return new ProblemLog(path).refuse("damaged", message);
}
