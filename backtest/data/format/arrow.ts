// Arrow IPC files and streams (Feather version 2 too), one record batch at a time; uncompressed, or compressed by zstd.

import { open } from "node:fs/promises";
import { zstdDecompressSync } from "node:zlib";
import type { Format, Input } from "./format.ts";
import { type Cells, typedRows } from "./typed-rows.ts";

export const arrow: Format = {
  name: "arrow",
  title: "Arrow IPC or Feather with the columns of csv",
  unit: "row",
  zone: "declared",
  halfSpread: "none",
  async read(input) {
    const handle = await open(input.path, "r");
    try {
      if ((await handle.stat()).size === 0) input.log.refuse("empty", "the file is empty");
      await readBatches(input, handle);
    } finally {
      await handle.close();
    }
  },
};

type Handle = Awaited<ReturnType<typeof open>>;

async function readBatches(input: Input, handle: Handle): Promise<void> {
  const { CompressionType, compressionRegistry, DataType, RecordBatchReader } = await import("apache-arrow");
  compressionRegistry.set(CompressionType.ZSTD, { decode: (bytes) => zstdDecompressSync(bytes) });
  const reader = await understood(input, () => RecordBatchReader.from(handle));
  await understood(input, () => reader.open());
  const { fields } = reader.schema;
  const rows = typedRows(
    input,
    fields.map(({ name }) => name),
  );
  for (;;) {
    const step = await understood(input, () => reader.next());
    if (step.done) return;
    const batch = step.value;
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
async function understood<T>({ log }: Input, read: () => T): Promise<Awaited<T>> {
  try {
    return await read();
  } catch (error) {
    return log.refuse("format", `it cannot be read as Arrow: ${(error as Error).message}`);
  }
}
