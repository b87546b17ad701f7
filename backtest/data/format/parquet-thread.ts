// The thread in which a Parquet file is read: what it opened first, then each column of rows that it is asked for. An error ends
// it. Snappy comes with the reader, most other codecs with the runtime.

import { parentPort, workerData } from "node:worker_threads";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { asyncBufferFromFile, type ParquetScanColumnOptions, parquetScan, type SchemaElement } from "hyparquet";
import { loadLz4 } from "../input/lz4.ts";

export type Opened = {
  readonly schema: SchemaElement[];
  readonly ranges: readonly { readonly rowStart: number; readonly rowEnd: number }[];
};

const compressors = {
  GZIP: (input: Uint8Array): Uint8Array => gunzipSync(input),
  BROTLI: (input: Uint8Array): Uint8Array => brotliDecompressSync(input),
  ZSTD: (input: Uint8Array): Uint8Array => zstdDecompressSync(input),
  LZ4_RAW: (await loadLz4()).block,
};

/** Times become Dates, so that a cell's type shows that its unit is known. */
const parsers = {
  timestampFromMilliseconds: (time: bigint) => new Date(Number(time)),
  timestampFromMicroseconds: (time: bigint) => new Date(Number(time / 1_000n)),
  timestampFromNanoseconds: (time: bigint) => new Date(Number(time / 1_000_000n)),
};

const file = await asyncBufferFromFile(workerData as string);
const scan = await parquetScan({ file, compressors, parsers });
parentPort?.on("message", async (column: ParquetScanColumnOptions) =>
  parentPort?.postMessage(await scan.readColumn(column)),
);
parentPort?.postMessage({ schema: scan.metadata.schema, ranges: scan.ranges } satisfies Opened);
