// The batches of an Arrow file in memory. The library believes whatever a file says of itself, so numbers of rows are held
// against the size of the file.

import { zstdDecompressSync } from "node:zlib";
import type { RecordBatch, RecordBatchFileReader, RecordBatchStreamReader } from "apache-arrow";
import { unpackLz4Frame } from "../input/lz4.ts";

type Reader = RecordBatchFileReader | RecordBatchStreamReader;

/** Well packed rows take less than a byte, but not this little: a damaged file may promise any number. */
const ROWS_PER_BYTE_MAX = 64;

/** Throws an error with the reason where the file cannot be read on. */
export async function openBatches(bytes: Uint8Array): Promise<Reader> {
  const { CompressionType, compressionRegistry, RecordBatchReader } = await import("apache-arrow");
  compressionRegistry.set(CompressionType.ZSTD, { decode: (packed) => zstdDecompressSync(packed) });
  compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: unpackLz4Frame });
  return RecordBatchReader.from(bytes).open();
}

/** Undefined after the last. */
export function nextBatch(reader: Reader, size: number): RecordBatch | undefined {
  const step = reader.next();
  if (step.done) return undefined;
  const { numRows } = step.value;
  if (!(numRows >= 0 && numRows <= size * ROWS_PER_BYTE_MAX))
    throw new RangeError(`a file of ${size} bytes cannot have a batch of ${numRows} rows`);
  return step.value;
}
