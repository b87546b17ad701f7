// Parquet files, one row group at a time. What a page unpacks to is bounded by the size that it states, and that size
// and the rows of a group by constants.

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  asyncBufferFromFile,
  type Compressors,
  type ParquetScan,
  parquetScan,
  type SchemaElement,
  snappyUncompress,
} from "hyparquet";
import { errorMessage } from "../../src/domain/error-message.ts";
import { quoted } from "../../src/domain/sanitise.ts";
import { nextTurn } from "../next-turn.ts";
import { ClockTime, type Input, rowReader } from "./table.ts";

const PAGE_BYTES_MAX = 1 << 28;
const GROUP_ROWS_MAX = 1 << 23;

type Unpack = (packed: Uint8Array, settings: { readonly maxOutputLength: number }) => Uint8Array;

/** The runtime stops at the stated size, whatever the bytes would unpack to. */
const bounded =
  (unpack: Unpack) =>
  (packed: Uint8Array, length: number): Uint8Array => {
    if (!(length <= PAGE_BYTES_MAX)) throw new Error(`a page states ${length} bytes, limit is ${PAGE_BYTES_MAX}`);
    return length === 0 ? new Uint8Array() : unpack(packed, { maxOutputLength: length });
  };

const compressors: Compressors = {
  GZIP: bounded(gunzipSync),
  BROTLI: bounded(brotliDecompressSync),
  ZSTD: bounded(zstdDecompressSync),
  SNAPPY: bounded((packed, { maxOutputLength }) => {
    const page = new Uint8Array(maxOutputLength);
    snappyUncompress(packed, page);
    return page;
  }),
};

/** Times become Dates, so that a cell's type shows that its unit is known. */
const parsers = {
  timestampFromMilliseconds: (time: bigint) => new Date(Number(time)),
  timestampFromMicroseconds: (time: bigint) => new Date(Number(time / 1_000n)),
  timestampFromNanoseconds: (time: bigint) => new Date(Number(time / 1_000_000n)),
};

export async function readParquet(input: Input): Promise<void> {
  const scan = await understood(input, async () =>
    parquetScan({ file: await asyncBufferFromFile(input.path), compressors, parsers }),
  );
  const leaves = ownColumns(scan.metadata.schema);
  const reader = rowReader(
    leaves.map(({ name }) => name),
    input,
  );
  const decimal = reader.cells.map((cell) => leaves[cell] as SchemaElement).find(isDecimal);
  // The library multiplies decimals by 0.00001 and the like, which is off in the last digit.
  if (decimal !== undefined)
    input.log.refuse("format", `column ${quoted(decimal.name)} must be float64, int64 or text, was decimal`);
  for (const range of scan.ranges) {
    if (range.rowEnd - range.rowStart > GROUP_ROWS_MAX)
      input.log.refuse(
        "format",
        `a row group must have at most ${GROUP_ROWS_MAX} rows: write it anew with smaller ones`,
      );
    const columns = await understood(input, () => columnsOf(scan, leaves, reader.cells, range));
    const cells: unknown[] = new Array(leaves.length);
    for (let row = 0; row < range.rowEnd - range.rowStart; row++) {
      for (const { cell, values, isClock } of columns) {
        const value: unknown = values[row];
        cells[cell] = isClock && value instanceof Date ? new ClockTime(value.getTime()) : value;
      }
      reader.take(cells, range.rowStart + row + 1);
    }
    await nextTurn();
  }
}

function columnsOf(
  scan: ParquetScan,
  leaves: readonly SchemaElement[],
  cells: readonly number[],
  range: ParquetScan["ranges"][number],
) {
  return Promise.all(
    [...new Set(cells)].map(async (cell) => {
      const leaf = leaves[cell] as SchemaElement;
      return { cell, isClock: isClock(leaf), values: await scan.readColumn({ column: leaf.name, ...range }) };
    }),
  );
}

async function understood<T>({ log }: Input, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    return log.refuse("format", `it cannot be read as Parquet: ${errorMessage(error)}`);
  }
}

/** The top-level columns: the root comes first, and columns inside groups and lists are not read. */
function ownColumns(schema: readonly SchemaElement[]): SchemaElement[] {
  let inGroups = 0;
  return schema.slice(1).filter(({ num_children: children = 0 }) => {
    const isOwn = inGroups === 0;
    inGroups += children - (isOwn ? 0 : 1);
    return isOwn && children === 0;
  });
}

function isDecimal({ converted_type, logical_type }: SchemaElement): boolean {
  return converted_type === "DECIMAL" || logical_type?.type === "DECIMAL";
}

/** Times without a zone: timestamps marked so, days, and the old 96-bit type, which not every program writes in UTC. */
function isClock({ type, converted_type, logical_type }: SchemaElement): boolean {
  if (logical_type?.type === "TIMESTAMP") return !logical_type.isAdjustedToUTC;
  return type === "INT96" || converted_type === "DATE" || logical_type?.type === "DATE";
}
