// Parquet files, one row group at a time. Snappy comes with the reader, most other codecs with the runtime.

import { open } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { SchemaElement } from "hyparquet";
import { unpackLz4Block, unpackLz4Hadoop } from "../input/lz4.ts";
import type { Format, Input } from "./format.ts";
import { ClockTime, typedRows } from "./typed-rows.ts";

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
  const decoding = { compressors, parsers };
  const metadata = await understood(input, parquetMetadataAsync(file));
  // The root of the schema comes first; groups and lists below it are nothing that we read.
  const leaves = metadata.schema.slice(1).filter(({ num_children }) => !num_children);
  const rows = typedRows(
    input,
    leaves.map(({ name }) => name),
  );
  const clocks = new Set(leaves.filter(isClock).map(({ name }) => name));
  const scan = await understood(input, parquetScan({ file, metadata, columns: [...rows.names], ...decoding }));
  for (const { rowStart, rowEnd } of scan.ranges) {
    const cells = [];
    for (const column of rows.names) {
      const values = await understood(input, scan.readColumn({ column, rowStart, rowEnd }));
      cells.push(clocks.has(column) ? (row: number) => clockTime(values[row]) : (row: number): unknown => values[row]);
    }
    rows.add(cells, rowEnd - rowStart);
  }
}

/** Of no zone: timestamps that say so, days, and the old 96 bits, which some programs write in UTC and others do not. */
function isClock({ type, converted_type, logical_type }: SchemaElement): boolean {
  if (logical_type?.type === "TIMESTAMP") return !logical_type.isAdjustedToUTC;
  return type === "INT96" || converted_type === "DATE" || logical_type?.type === "DATE";
}

function clockTime(cell: unknown): unknown {
  return cell instanceof Date ? new ClockTime(cell.getTime()) : cell;
}

/** What the reader cannot read is a problem of the file. */
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
  LZ4: unpackLz4Hadoop,
  LZ4_RAW: unpackLz4Block,
};

/** Dates, so that a cell says by its type that its unit is known. */
const parsers = {
  timestampFromMilliseconds: (time: bigint) => new Date(Number(time)),
  timestampFromMicroseconds: (time: bigint) => new Date(Number(time / 1_000n)),
  timestampFromNanoseconds: (time: bigint) => new Date(Number(time / 1_000_000n)),
};
