// The thread in which a Parquet file is read: what it opened first, then each column of rows that it is asked for. What
// a page unpacks to is bounded by the size that it states, and that size by a constant.

import { parentPort, workerData } from "node:worker_threads";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import {
  asyncBufferFromFile,
  type Compressors,
  type ParquetScanColumnOptions,
  parquetScan,
  type SchemaElement,
  snappyUncompress,
} from "hyparquet";

export type Opened = {
  readonly schema: readonly SchemaElement[];
  readonly ranges: readonly { readonly rowStart: number; readonly rowEnd: number }[];
};

const PAGE_BYTES_MAX = 1 << 28;

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

const scan = await parquetScan({ file: await asyncBufferFromFile(workerData as string), compressors, parsers });
parentPort?.on("message", async (column: ParquetScanColumnOptions) =>
  parentPort?.postMessage(await scan.readColumn(column)),
);
parentPort?.postMessage({ schema: scan.metadata.schema, ranges: scan.ranges } satisfies Opened);
