// Transfers columns and strategy files over the queue under their hash. Everything received is hashed again before use.

import { z } from "zod";
import { type PairSymbol, parseSymbol } from "../../../src/domain/asset.ts";
import { DAY_MS } from "../../../src/domain/time.ts";
import { createColumn } from "../../../src/market/column.ts";
import { bytesOf } from "../../data/file/column-file.ts";
import { COLUMNS, type Subject } from "../../data/source.ts";
import { bundled, columnsDigest, type HashedColumns, type StrategyBundle } from "../trial-files.ts";
import { JobFailed, type QueueLink } from "./connection.ts";

const TTL_MS = 7 * DAY_MS;
const CHUNK_ROWS = 131_072;
const ROWS_MAX = 2 ** 30;
const SHA256 = /^[0-9a-f]{64}$/;

const symbol = z
  .string()
  .refine((text) => parseSymbol(text).ok)
  .transform((text) => text as PairSymbol);
const wayBill = z.strictObject({
  subject: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("quotes"), symbol }),
    z.strictObject({ kind: z.literal("bars"), symbol, intervalMs: z.number().int().positive() }),
  ]),
  rows: z.number().int().min(0).max(ROWS_MAX),
});

/** A name cannot lead out of its folder, and contains no characters that move a cursor when shown. */
const fileName = z.string().regex(/^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\\:\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,200}$/su);
const parcel = z.strictObject({
  main: fileName,
  files: z.array(z.strictObject({ name: fileName, text: z.string() })).max(200),
});

const columnsKey = (digest: string): string => `pegbot:columns:${digest}`;
const chunkKey = (digest: string, column: number, row: number): string => `pegbot:chunk:${digest}:${column}:${row}`;
const strategyKey = (digest: string): string => `pegbot:strategy:${digest}`;

/** Parts that are already at the queue are not sent again. */
export async function sendColumns(link: QueueLink, { digest, subject, columns }: HashedColumns): Promise<void> {
  const rows = columns[0]?.length ?? 0;
  for (const [c, column] of columns.entries())
    for (let row = 0; row < rows; row += CHUNK_ROWS) {
      const key = chunkKey(digest, c, row);
      if (await link.prolong(key, TTL_MS)) continue;
      await link.set(key, bytesOf(column, row, Math.min(CHUNK_ROWS, rows - row)), TTL_MS);
    }
  await link.set(columnsKey(digest), JSON.stringify({ subject, rows }), TTL_MS);
}

export async function fetchColumns(link: QueueLink, digest: string): Promise<HashedColumns> {
  requireDigest(digest);
  const text = await link.get(columnsKey(digest));
  if (text === undefined)
    throw new JobFailed(`the columns ${digest} are not at the queue any more: start the sweep again`);
  const { subject, rows } = readAs(wayBill, text);
  const columns = COLUMNS[subject.kind].map(() => createColumn(rows, "shared"));
  for (const [c, column] of columns.entries())
    for (let row = 0; row < rows; row += CHUNK_ROWS) {
      const into = bytesOf(column, row, Math.min(CHUNK_ROWS, rows - row));
      const bytes = await link.getBytes(chunkKey(digest, c, row));
      if (bytes?.length !== into.length)
        throw new JobFailed(`a part of the columns ${digest} is not at the queue any more: start the sweep again`);
      into.set(bytes);
    }
  if (columnsDigest(subject as Subject, columns) !== digest)
    throw new JobFailed(`the columns ${digest} arrived as others`);
  return { digest, subject: subject as Subject, columns };
}

export async function sendStrategy(link: QueueLink, { digest, main, files }: StrategyBundle): Promise<void> {
  await link.set(strategyKey(digest), JSON.stringify({ main, files }), TTL_MS);
}

export async function fetchStrategy(link: QueueLink, digest: string): Promise<StrategyBundle> {
  requireDigest(digest);
  const text = await link.get(strategyKey(digest));
  if (text === undefined)
    throw new JobFailed(`the strategy ${digest} is not at the queue any more: start the sweep again`);
  const { main, files } = readAs(parcel, text);
  const bundle = bundled(main, files);
  if (bundle.digest !== digest) throw new JobFailed(`the strategy ${digest} arrived as another one`);
  return bundle;
}

/** The digest becomes part of file names. */
function requireDigest(digest: string): void {
  if (!SHA256.test(digest)) throw new JobFailed(`a digest must be 64 of 0-9 and a-f, was ${digest.slice(0, 80)}`);
}

function readAs<T extends z.ZodType>(schema: T, text: string): z.output<T> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new JobFailed(`what the queue has is not what was sent: ${(error as Error).message}`);
  }
}
