// The column file: blocks of raw little-endian doubles, column after column, then a table of contents with a checksum
// per block. It is written in one pass without knowing the length, and read block by block or as a whole. docs/guides/data.md
// has the layout.

import { closeSync, fstatSync, fsyncSync, openSync, readSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { requireFolder } from "../../src/disk/create-folder.ts";
import { openNew, writeWhole } from "../../src/disk/new-file.ts";
import { parseSymbol } from "../../src/domain/asset.ts";
import { millis } from "../../src/domain/time.ts";
import { createColumn } from "../../src/market/column.ts";
import { ProblemLog } from "./problem.ts";
import { BLOCK_ROWS } from "./row-check.ts";
import {
  COLUMNS,
  type Columns,
  cut,
  type DataSource,
  type LeftOut,
  memorySource,
  type Span,
  type Subject,
  sourceOf,
  subjectOf,
} from "./source.ts";

const MAGIC = Buffer.from("PEGCOL1\n");
/** Length and checksum of the contents, then the magic again: a truncated file does not end like this. */
const TAIL_BYTES = 8 + MAGIC.length;
const CONTENTS_BYTES_MAX = 64 << 20;

const symbol = z.string().transform((text, context) => {
  const parsed = parseSymbol(text);
  if (parsed.ok) return parsed.value;
  context.addIssue(parsed.error);
  return z.NEVER;
});

const time = z.number().min(0);

const contentsSchema = z.strictObject({
  leftOut: z.record(z.string(), z.int().positive()),
  subject: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("quotes"), symbol }),
    z.strictObject({ kind: z.literal("bars"), symbol, intervalMs: z.number().positive() }),
  ]),
  blocks: z.array(
    z.strictObject({ rows: z.int().positive(), crc: z.int().nonnegative(), firstAt: time, lastAt: time }),
  ),
});

type Contents = z.infer<typeof contentsSchema>;

/** A block's times are those of its first and last row. */
type Block = Contents["blocks"][number];

function writeContents(contents: Contents): Buffer {
  const text = Buffer.from(JSON.stringify(contents));
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(text.length, 0);
  tail.writeUInt32LE(crc32(text), 4);
  return Buffer.concat([text, tail, MAGIC]);
}

/** Continued over several pieces, because one block is several columns. */
function blockCrc(pieces: Iterable<Uint8Array>): number {
  let crc = 0;
  for (const piece of pieces) crc = crc32(piece, crc);
  return crc;
}

/** The bytes of `count` values from `start`. */
export function bytesOf(column: Float64Array, start: number, count: number): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset + start * 8, count * 8);
}

// Reads column files: block by block in the memory of one block, or as a whole into memory that workers can share. Data
// that fail their checksum are never returned.

/** Throws DataRefused (`damaged`) when the file is incomplete; blocks are checked as they are read. */
export function openColumnFile(path: string): DataSource {
  const { subject, blocks, leftOut } = withFile(path, (file) => readContents(file, path));
  const extent = {
    rows: blocks.reduce((sum, { rows }) => sum + rows, 0),
    firstAt: millis(blocks[0]?.firstAt ?? Number.NaN),
    lastAt: millis(blocks.at(-1)?.lastAt ?? Number.NaN),
    leftOut,
  };
  return sourceOf(subject, extent, function* (span) {
    const rows = Math.max(0, ...blocks.map((block) => block.rows));
    const columns = COLUMNS[subject.kind].map(() => createColumn(rows, "shared"));
    for (const block of blocks) {
      if (!touches(block, span)) continue;
      // The file is open only while a block is read: a reader that stops half-way leaves no handle open.
      withFile(path, (file) => readBlock(file, path, block, columns));
      const within = cut(columns, block.rows, span);
      if (within.count > 0) yield within;
    }
  });
}

/** Loads and checks every row into memory. */
export function loadColumnFile(path: string): DataSource {
  const source = openColumnFile(path);
  const names = COLUMNS[source.kind];
  const columns = names.map(() => createColumn(source.rows, "shared"));
  let row = 0;
  for (const chunk of source.chunks()) {
    for (const [c, column] of columns.entries())
      column.set(
        (chunk as unknown as Record<string, Float64Array>)[names[c] as string]?.subarray(0, chunk.length) ?? [],
        row,
      );
    row += chunk.length;
  }
  return memorySource(subjectOf(source), columns, source.leftOut);
}

/** Reads every block once and throws at the first damaged one. */
export function verifyColumnFile(path: string): DataSource {
  const source = openColumnFile(path);
  for (const _ of source.chunks());
  return source;
}

function touches({ firstAt, lastAt }: Block, { from, to }: Span): boolean {
  return (from === undefined || lastAt >= from) && (to === undefined || firstAt < to);
}

type Placed = Block & { readonly index: number; readonly at: number };

function readBlock(file: number, path: string, block: Placed, columns: Columns): void {
  const pieces = columns.map((column) => bytesOf(column, 0, block.rows));
  let at = block.at;
  for (const piece of pieces) at += readFully(file, piece, at);
  if (blockCrc(pieces) !== block.crc) damaged(path, `block ${block.index + 1} does not match its checksum`);
}

function readContents(file: number, path: string): Contents & { readonly blocks: readonly Placed[] } {
  const { size } = fstatSync(file);
  const tail = read(file, Math.max(0, size - TAIL_BYTES), TAIL_BYTES);
  if (!read(file, 0, MAGIC.length).equals(MAGIC) || !tail.subarray(8).equals(MAGIC))
    damaged(path, "it is no column file, or is cut");
  const length = tail.readUInt32LE(0);
  if (length > CONTENTS_BYTES_MAX || length > size - TAIL_BYTES) damaged(path, "its table of contents is damaged");
  const contents = parsedContents(read(file, size - TAIL_BYTES - length, length), tail.readUInt32LE(4));
  if (contents === undefined) return damaged(path, "its table of contents is damaged, or of another version");
  const width = COLUMNS[contents.subject.kind].length * 8;
  let at = MAGIC.length;
  const blocks = contents.blocks.map((block, index): Placed => {
    const placed = { ...block, index, at };
    at += block.rows * width;
    return placed;
  });
  if (at + length + TAIL_BYTES !== size) damaged(path, "its length does not match its table of contents");
  return { ...contents, blocks };
}

function parsedContents(text: Buffer, crc: number): Contents | undefined {
  try {
    return crc32(text) === crc ? contentsSchema.parse(JSON.parse(text.toString())) : undefined;
  } catch {
    return undefined;
  }
}

function read(file: number, start: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readFully(file, buffer, start));
}

/** A read may return fewer bytes than requested. */
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

/**
 * Writes a column file. Rows arrive in portions of any size; blocks on disk are full except for the last. The caller
 * gives the complete file its name.
 */
export class ColumnWriter {
  readonly #path: string;
  readonly #file: number;
  readonly #pending: Columns;
  readonly #blocks: Block[] = [];
  #count = 0;
  #isOpen = true;

  constructor(path: string, kind: Subject["kind"]) {
    requireFolder(dirname(path));
    this.#path = path;
    this.#file = openNew(path, 0o644);
    this.#pending = COLUMNS[kind].map(() => new Float64Array(BLOCK_ROWS));
    this.#put([MAGIC]);
  }

  /** Writes the first `count` rows; the caller may reuse the columns afterwards. */
  write(columns: Columns, count: number): void {
    for (let from = 0; from < count; ) {
      const taken = Math.min(count - from, BLOCK_ROWS - this.#count);
      for (const [c, column] of this.#pending.entries())
        column.set((columns[c] as Float64Array).subarray(from, from + taken), this.#count);
      this.#count += taken;
      from += taken;
      if (this.#count === BLOCK_ROWS) this.#writeBlock();
    }
  }

  /** On return the file is complete and on disk; `subject` may be known only now (the length of bars). */
  finish(subject: Subject, leftOut: LeftOut = {}): void {
    if (this.#count > 0) this.#writeBlock();
    this.#put([writeContents({ subject, leftOut, blocks: this.#blocks })]);
    fsyncSync(this.#file);
    this.#isOpen = false;
    closeSync(this.#file);
  }

  /** Removes the file. */
  abandon(): void {
    if (this.#isOpen) closeSync(this.#file);
    this.#isOpen = false;
    rmSync(this.#path, { force: true });
  }

  #writeBlock(): void {
    const rows = this.#count;
    const pieces = this.#pending.map((column) => bytesOf(column, 0, rows));
    const times = this.#pending[0] as Float64Array;
    const [firstAt, lastAt] = [times[0] as number, times[rows - 1] as number];
    this.#blocks.push({ rows, crc: blockCrc(pieces), firstAt, lastAt });
    this.#put(pieces);
    this.#count = 0;
  }

  #put(pieces: readonly Uint8Array[]): void {
    for (const piece of pieces) writeWhole(this.#file, piece);
  }
}
