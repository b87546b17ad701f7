// Arrow IPC files and streams (Feather version 2 too); uncompressed, or compressed by lz4 or zstd.

import { readFileSync, statSync } from "node:fs";
import { nextBatch, openBatches } from "./arrow-batches.ts";
import { tryArrow } from "./arrow-trial.ts";
import type { Format, Input } from "./format.ts";
import { type Cells, ClockTime, typedRows } from "./typed-rows.ts";

/** Held as a whole while it is read. */
const BYTES_MAX = 1 << 30;

const MAGIC = Buffer.from("ARROW1");
const CONTINUATION = 0xffffffff;

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
    const problem = await tryArrow(bytes);
    if (problem !== undefined) log.refuse("format", `it cannot be read as Arrow: ${problem}`);
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
  const { DataType } = await import("apache-arrow");
  const reader = await openBatches(bytes);
  const { fields } = reader.schema;
  const rows = typedRows(
    input,
    fields.map(({ name }) => name),
  );
  for (let batch = nextBatch(reader, bytes.length); batch !== undefined; batch = nextBatch(reader, bytes.length)) {
    const { numRows } = batch;
    const vectors = rows.names.map((name) => batch?.getChild(name));
    const cells = vectors.map((vector): Cells => {
      const type = vector?.type;
      // The reader gives times as milliseconds whatever their unit in the file is. Those without a zone are a clock's.
      if (DataType.isTimestamp(type) && type.timezone) return (row) => instant(vector?.get(row));
      const isClock = DataType.isTimestamp(type) || DataType.isDate(type);
      return isClock ? (row) => clockTime(vector?.get(row)) : (row) => vector?.get(row);
    });
    rows.add(cells, numRows);
  }
}

function clockTime(cell: unknown): unknown {
  return typeof cell === "number" ? new ClockTime(Math.floor(cell)) : cell;
}

function instant(cell: unknown): unknown {
  return typeof cell === "number" ? new Date(Math.floor(cell)) : cell;
}
