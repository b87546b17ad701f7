// The column file: blocks of raw little-endian doubles, column after column, then a table of contents with a checksum per
// block. Written in one go without knowing the length, read block by block or as a whole. docs/DATA.md has the layout.

import { crc32 } from "node:zlib";
import { z } from "zod";
import { parseSymbol } from "../../../src/domain/asset.ts";
import { err, ok, type Result } from "../../../src/domain/result.ts";
import type { Subject } from "../kind.ts";
import type { UnmetHoldings } from "../source.ts";

export const MAGIC = Buffer.from("PEGCOL1\n");
/** Length and checksum of the contents, then the magic again: a file that was cut does not end like this. */
export const TAIL_BYTES = 8 + MAGIC.length;
export const CONTENTS_BYTES_MAX = 64 << 20;

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

export type Contents = {
  readonly leftOut: UnmetHoldings;
  readonly subject: Subject;
  readonly blocks: readonly Block[];
};

export type Block = {
  readonly rows: number;
  readonly crc: number;
  /** Of its first and last row. */
  readonly firstAt: number;
  readonly lastAt: number;
};

export function writeContents(contents: Contents): Buffer {
  const text = Buffer.from(JSON.stringify(contents));
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(text.length, 0);
  tail.writeUInt32LE(crc32(text), 4);
  return Buffer.concat([text, tail, MAGIC]);
}

export function parseContents(text: Buffer, crc: number): Result<Contents> {
  if (crc32(text) !== crc) return err("its table of contents is damaged");
  try {
    const parsed = contentsSchema.safeParse(JSON.parse(text.toString()));
    return parsed.success ? ok(parsed.data) : err("its table of contents is not of this version");
  } catch {
    return err("its table of contents is damaged");
  }
}

/** Continued over several pieces, as one block is several columns. */
export function blockCrc(pieces: Iterable<Uint8Array>): number {
  let crc = 0;
  for (const piece of pieces) crc = crc32(piece, crc);
  return crc;
}

/** The bytes of the first `count` values. */
export function bytesOf(column: Float64Array, start: number, count: number): Uint8Array {
  return new Uint8Array(column.buffer, column.byteOffset + start * 8, count * 8);
}
