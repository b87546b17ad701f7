// Arrow IPC files and streams (Feather version 2 too); uncompressed, or compressed by lz4 or zstd.

import { readFileSync, statSync } from "node:fs";
import { quoted } from "../../../src/domain/outside-text.ts";
import { nextBatch, openBatches } from "./arrow-batches.ts";
import { endOfStream } from "./arrow-stream.ts";
import { tryArrow } from "./arrow-trial.ts";
import type { Format, Input } from "./format.ts";
import { pairInName } from "./pair-in-name.ts";
import { type Cells, typedRows } from "./typed-rows.ts";
import { ClockTime, timeOfDay } from "./typed-time.ts";

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
  takes: ["timeUnit", "sizeTimes", "intervalMs"],
  pairIn: pairInName,
  async read(input) {
    const { path, log } = input;
    const { size } = statSync(path);
    if (size === 0) log.refuse("empty", "the file is empty");
    if (size > BYTES_MAX) log.refuse("format", `an Arrow file must be below ${BYTES_MAX} bytes, was ${size}`);
    const bytes = readFileSync(path);
    const isEnded = requireWhole(bytes, input);
    const problem = await tryArrow(bytes);
    if (problem !== undefined) log.refuse("format", `it cannot be read as Arrow: ${problem}`);
    const rows = await readBatches(input, bytes);
    if (!isEnded) log.row("open-end", rows, () => "the stream has no end mark: it may have been cut here");
  },
};

/** The library does not notice a cut file, and can wait for ever for what it lacks. False for a stream without end mark. */
function requireWhole(bytes: Buffer, { log }: Input): boolean {
  const begins = bytes.subarray(0, MAGIC.length).equals(MAGIC);
  const isStream = bytes.length >= 4 && bytes.readUInt32LE(0) === CONTINUATION;
  if (!begins && !isStream) log.refuse("format", "it does not begin like an Arrow file or stream");
  if (begins && !bytes.subarray(-MAGIC.length).equals(MAGIC))
    log.refuse("format", "the Arrow file is cut: its end is missing");
  const end = isStream ? endOfStream(bytes) : "marked";
  if (end === "cut") log.refuse("format", "the Arrow stream is cut or damaged: its last message is not whole");
  return end === "marked";
}

/** Says how many rows there were. */
async function readBatches(input: Input, bytes: Uint8Array): Promise<number> {
  const { DataType } = await import("apache-arrow");
  const reader = await openBatches(bytes);
  const { fields } = reader.schema;
  let count = 0;
  const rows = typedRows(
    input,
    fields.map(({ name }) => name),
  );
  const unfit = fields.find(
    ({ name, type }) => rows.names.includes(name) && (DataType.isDecimal(type) || DataType.isBool(type)),
  );
  if (unfit !== undefined)
    input.log.refuse("format", `column ${quoted(unfit.name)} must be float64, int64 or text, was ${unfit.type}`);
  for (let batch = nextBatch(reader, bytes.length); batch !== undefined; batch = nextBatch(reader, bytes.length)) {
    const { numRows } = batch;
    const vectors = rows.names.map((name) => batch?.getChild(name));
    const cells = vectors.map((vector): Cells => {
      const type = vector?.type;
      // The reader gives times as milliseconds whatever their unit in the file is. Those without a zone are a clock's.
      if (DataType.isTimestamp(type) && type.timezone) return (row) => instant(vector?.get(row));
      if (DataType.isTime(type)) return (row) => timeOfDay(vector?.get(row), TO_MS[type.unit]);
      const isClock = DataType.isTimestamp(type) || DataType.isDate(type);
      return isClock ? (row) => clockTime(vector?.get(row)) : (row) => vector?.get(row);
    });
    rows.add(cells, numRows);
    count += numRows;
  }
  return count;
}

/** Of seconds, milliseconds, microseconds and nanoseconds, as the format counts them. */
const TO_MS = [
  { times: 1_000, per: 1 },
  { times: 1, per: 1 },
  { times: 1, per: 1_000 },
  { times: 1, per: 1_000_000 },
] as const;

function clockTime(cell: unknown): unknown {
  return typeof cell === "number" ? new ClockTime(Math.floor(cell)) : cell;
}

function instant(cell: unknown): unknown {
  return typeof cell === "number" ? new Date(Math.floor(cell)) : cell;
}
