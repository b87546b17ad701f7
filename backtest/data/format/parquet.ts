// Parquet files, one row group at a time. Snappy comes with the reader, most other codecs with the runtime.

import { open } from "node:fs/promises";
import { brotliDecompressSync, crc32, gunzipSync, zstdDecompressSync } from "node:zlib";
import type { AsyncBuffer, FileMetaData, SchemaElement } from "hyparquet";
import { loadLz4 } from "../input/lz4.ts";
import { type Format, type Input, pairInName } from "./format.ts";
import { ClockTime, typedRows } from "./typed.ts";

export const parquet: Format = {
  name: "parquet",
  title: "Parquet with the columns of csv",
  unit: "row",
  zone: "declared",
  halfSpread: "none",
  takes: ["timeUnit", "sizeTimes", "intervalMs"],
  pairIn: pairInName,
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
  const { block, hadoop } = await loadLz4();
  const decoding = { compressors: { ...compressors, LZ4: hadoop, LZ4_RAW: block }, parsers };
  const written = await understood(input, parquetMetadataAsync(file));
  const scales = new Map(
    ownColumns(written.schema)
      .filter(isDecimal)
      .map(({ name, scale = 0 }) => [name, scale]),
  );
  // The library multiplies decimals by 0.00001 and the like, which is off in the last digit: it gives them as they lie there.
  const metadata = { ...written, schema: written.schema.map((one) => (isDecimal(one) ? bare(one) : one)) };
  const leaves = ownColumns(metadata.schema);
  const rows = typedRows(
    input,
    leaves.map(({ name }) => name),
  );
  await understood(input, requirePages(file, metadata, rows.names));
  const clocks = new Set(leaves.filter(isClock).map(({ name }) => name));
  const scan = await understood(input, parquetScan({ file, metadata, columns: [...rows.names], ...decoding }));
  for (const { rowStart, rowEnd } of scan.ranges) {
    const cells = [];
    for (const column of rows.names) {
      const values = await understood(input, scan.readColumn({ column, rowStart, rowEnd }));
      const scale = scales.get(column);
      cells.push((row: number): unknown => {
        const cell: unknown = values[row];
        if (scale !== undefined) return exactDecimal(cell, scale);
        return clocks.has(column) ? clockTime(cell) : cell;
      });
    }
    rows.add(cells, rowEnd - rowStart);
  }
}

/** Those of the table itself: the root comes first, and what is in groups and lists below it is nothing that we read. */
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

/** Bytes of any length that say nothing of themselves the library takes for text; those of a shape go through a parser of ours. */
function bare({ converted_type: _, logical_type: __, ...element }: SchemaElement): SchemaElement {
  return element.type === "BYTE_ARRAY" ? { ...element, logical_type: { type: "GEOMETRY" } } : element;
}

/** The double that is nearest to the decimal. */
function exactDecimal(cell: unknown, scale: number): unknown {
  const units = cell instanceof Uint8Array ? wholeNumber(cell) : cell;
  return typeof units === "bigint" || typeof units === "number" ? Number(`${units}e-${scale}`) : units;
}

/** Two's complement, the highest byte first. */
function wholeNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString("hex")}`));
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
};

/** Dates, so that a cell says by its type that its unit is known. */
const parsers = {
  geometryFromBytes: (bytes: Uint8Array | undefined) => bytes,
  timestampFromMilliseconds: (time: bigint) => new Date(Number(time)),
  timestampFromMicroseconds: (time: bigint) => new Date(Number(time / 1_000n)),
  timestampFromNanoseconds: (time: bigint) => new Date(Number(time / 1_000_000n)),
};

// Checksums of Parquet pages, which are optional: where a file has them, its pages must match. The library does not look.

/** Throws where a page of one of these columns is damaged. */
export async function requirePages(file: AsyncBuffer, metadata: FileMetaData, names: readonly string[]): Promise<void> {
  const { parquetHeader } = await import("hyparquet/src/column.js");
  for (const { columns } of metadata.row_groups)
    for (const { meta_data: column } of columns) {
      if (column === undefined || !names.includes(column.path_in_schema[0] as string)) continue;
      const start = Number(column.dictionary_page_offset || column.data_page_offset);
      const chunk = await file.slice(start, start + Number(column.total_compressed_size));
      const reader = { view: new DataView(chunk), offset: 0 };
      while (reader.offset < chunk.byteLength) {
        const { crc, compressed_page_size: bytes } = parquetHeader(reader);
        // Whoever writes them does so on every page.
        if (crc === undefined) return;
        if (crc32(new Uint8Array(chunk, reader.offset, bytes)) !== crc >>> 0)
          throw new RangeError(`a page of column ${column.path_in_schema.join(".")} does not match its checksum`);
        reader.offset += bytes;
      }
    }
}
