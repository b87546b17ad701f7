// Parquet files, one row group at a time. Snappy comes with the reader, most other codecs with the runtime.

import { open } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { SchemaElement } from "hyparquet";
import { loadLz4 } from "../input/lz4.ts";
import type { Format, Input } from "./format.ts";
import { ClockTime, refuseType, typedRows } from "./typed.ts";

export const parquet: Format = {
  name: "parquet",
  title: "Parquet with the columns of csv",
  unit: "row",
  zone: "declared",
  halfSpread: "none",
  takes: ["timeUnit", "sizeTimes", "intervalMs"],
  async read(input) {
    const handle = await open(input.path, "r");
    try {
      const { size } = await handle.stat();
      if (size === 0) input.log.refuse("empty", "the file is empty");
      await readGroups(input, {
        byteLength: size,
        async slice(start, end = size) {
          const buffer = new ArrayBuffer(end - start);
          await handle.read(new Uint8Array(buffer), 0, end - start, start);
          return buffer;
        },
      });
    } finally {
      await handle.close();
    }
  },
};

type RandomAccess = { readonly byteLength: number; slice(start: number, end?: number): Promise<ArrayBuffer> };

async function readGroups(input: Input, file: RandomAccess): Promise<void> {
  const { parquetMetadataAsync, parquetScan } = await import("hyparquet");
  const { block } = await loadLz4();
  const metadata = await understood(input, parquetMetadataAsync(file));
  const leaves = ownColumns(metadata.schema);
  const rows = typedRows(
    input,
    leaves.map(({ name }) => name),
  );
  const decimal = leaves.find((leaf) => isDecimal(leaf) && rows.names.includes(leaf.name));
  if (decimal !== undefined) refuseType(decimal.name, input.log);
  const clocks = new Set(leaves.filter(isClock).map(({ name }) => name));
  const decoding = { compressors: { ...compressors, LZ4_RAW: block }, parsers };
  const scan = await understood(input, parquetScan({ file, metadata, columns: [...rows.names], ...decoding }));
  for (const { rowStart, rowEnd } of scan.ranges) {
    const cells = [];
    for (const column of rows.names) {
      const values = await understood(input, scan.readColumn({ column, rowStart, rowEnd }));
      const isOfClock = clocks.has(column);
      cells.push((row: number): unknown => (isOfClock ? clockTime(values[row]) : values[row]));
    }
    rows.add(cells, rowEnd - rowStart);
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

/** The library multiplies decimals by 0.00001 and the like, which is off in the last digit. */
function isDecimal({ converted_type, logical_type }: SchemaElement): boolean {
  return converted_type === "DECIMAL" || logical_type?.type === "DECIMAL";
}

/**
 * Times without a zone: timestamps marked so, days, and the old 96-bit type, which some programs write in UTC and
 * others do not.
 */
function isClock({ type, converted_type, logical_type }: SchemaElement): boolean {
  if (logical_type?.type === "TIMESTAMP") return !logical_type.isAdjustedToUTC;
  return type === "INT96" || converted_type === "DATE" || logical_type?.type === "DATE";
}

function clockTime(cell: unknown): unknown {
  return cell instanceof Date ? new ClockTime(cell.getTime()) : cell;
}

/** A failure of the reader is reported as a problem of the file. */
async function understood<T>({ log }: Input, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    return log.refuse("format", `it cannot be read as Parquet: ${(error as Error).message}`);
  }
}

const compressors = {
  GZIP: (input: Uint8Array): Uint8Array => gunzipSync(input),
  BROTLI: (input: Uint8Array): Uint8Array => brotliDecompressSync(input),
  ZSTD: (input: Uint8Array): Uint8Array => zstdDecompressSync(input),
};

/** Times become Dates, so that a cell's type shows that its unit is known. */
const parsers = {
  timestampFromMilliseconds: (time: bigint) => new Date(Number(time)),
  timestampFromMicroseconds: (time: bigint) => new Date(Number(time / 1_000n)),
  timestampFromNanoseconds: (time: bigint) => new Date(Number(time / 1_000_000n)),
};
