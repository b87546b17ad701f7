// Arrow IPC files and streams (Feather version 2 too); uncompressed, or compressed by zstd.

import { readFileSync, statSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import type { Format, Input } from "./format.ts";
import { type Cells, typedRows } from "./typed-rows.ts";

/** Held as a whole while it is read. */
const BYTES_MAX = 1 << 30;

const MAGIC = Buffer.from("ARROW1");
const CONTINUATION = 0xffffffff;

/** Well packed rows take less than a byte, but not this little: a damaged file may promise any number. */
const ROWS_PER_BYTE_MAX = 64;

export const arrow: Format = {
  name: "arrow",
  title: "Arrow IPC or Feather with the columns of csv",
  unit: "row",
  zone: "declared",
  halfSpread: "none",
  async read(input) {
    const { path, log } = input;
    const { size } = statSync(path);
    if (size === 0) log.refuse("empty", "the file is empty");
    if (size > BYTES_MAX) log.refuse("format", `an Arrow file must be below ${BYTES_MAX} bytes, was ${size}`);
    const bytes = readFileSync(path);
    requireWhole(bytes, input);
    await readBatches(input, bytes);
  },
};

/** The library does not notice a cut file, and can wait for ever for what it lacks. */
function requireWhole(bytes: Buffer, { log }: Input): void {
  const begins = bytes.subarray(0, MAGIC.length).equals(MAGIC);
  const isStream = bytes.length >= 4 && bytes.readUInt32LE(0) === CONTINUATION;
  if (!begins && !isStream) log.refuse("format", "it does not begin like an Arrow file or stream");
  if (begins && !bytes.subarray(-MAGIC.length).equals(MAGIC))
    log.refuse("format", "the Arrow file is cut: its end is missing");
}

async function readBatches(input: Input, bytes: Uint8Array): Promise<void> {
  const { CompressionType, compressionRegistry, DataType, RecordBatchReader } = await import("apache-arrow");
  compressionRegistry.set(CompressionType.ZSTD, { decode: (packed) => zstdDecompressSync(packed) });
  const reader = understood(input, () => RecordBatchReader.from(bytes).open());
  const { fields } = reader.schema;
  const rows = typedRows(
    input,
    fields.map(({ name }) => name),
  );
  for (;;) {
    const step = understood(input, () => reader.next());
    if (step.done) return;
    const batch = step.value;
    if (!(batch.numRows >= 0 && batch.numRows <= bytes.length * ROWS_PER_BYTE_MAX))
      input.log.refuse("format", `a batch of ${bytes.length} bytes cannot have ${batch.numRows} rows`);
    const cells = rows.names.map((name): Cells => {
      const vector = batch.getChild(name);
      const isInstant = DataType.isTimestamp(vector?.type) || DataType.isDate(vector?.type);
      // The reader gives instants as milliseconds whatever their unit in the file is.
      return isInstant ? (row) => instant(vector?.get(row)) : (row) => vector?.get(row);
    });
    rows.add(cells, batch.numRows);
  }
}

function instant(cell: unknown): unknown {
  return typeof cell === "number" ? new Date(Math.floor(cell)) : cell;
}

/** What the reader cannot read is a problem of the file. */
function understood<T>({ log }: Input, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return log.refuse("format", `it cannot be read as Arrow: ${(error as Error).message}`);
  }
}
