// Arrow IPC files and streams (including Feather version 2), uncompressed or compressed with lz4 or zstd.

import { readFileSync, statSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import type { Column, Table } from "@uwdata/flechette";
import { loadLz4 } from "../input/lz4.ts";
import { ReadingThread } from "../input/reading-thread.ts";
import type { Format, Input } from "./format.ts";
import { type Cells, ClockTime, refuseType, typedRows } from "./typed.ts";

/** The file is in memory as a whole while it is read. */
const BYTES_MAX = 1 << 30;
/** Well compressed rows take less than a byte, but not this little: a damaged file may state any number. */
const ROWS_PER_BYTE_MAX = 64;

const MAGIC = Buffer.from("ARROW1");
const CONTINUATION = 0xffffffff;
const END_MARK = Buffer.from("ffffffff00000000", "hex");

export const arrow: Format = {
  name: "arrow",
  title: "Arrow IPC or Feather with the columns of csv",
  unit: "row",
  zone: "declared",
  halfSpread: "none",
  takes: ["timeUnit", "sizeTimes", "intervalMs"],
  async read(input) {
    const { path, log } = input;
    const { size } = statSync(path);
    if (size === 0) log.refuse("empty", "the file is empty");
    if (size > BYTES_MAX) log.refuse("format", `an Arrow file must be below ${BYTES_MAX} bytes, was ${size}`);
    const bytes = readFileSync(path);
    const isFile = bytes.subarray(0, MAGIC.length).equals(MAGIC);
    if (!isFile && !(size >= 4 && bytes.readUInt32LE(0) === CONTINUATION))
      log.refuse("format", "it does not begin like an Arrow file or stream");
    if (isFile && !bytes.subarray(-MAGIC.length).equals(MAGIC))
      log.refuse("format", "the Arrow file is cut: its end is missing");
    // Damaged lists in its metadata are read without end; columns are only views, so that to read twice costs little.
    const trial = new ReadingThread(new URL("./arrow-trial.ts", import.meta.url), input, "Arrow");
    await trial.answer().finally(() => trial.end());
    const table = await decoded(bytes, input);
    const { numRows, names } = table;
    if (numRows > size * ROWS_PER_BYTE_MAX)
      log.refuse("format", `an Arrow file of ${size} bytes cannot have ${numRows} rows`);
    const rows = typedRows(input, names as string[]);
    const cells = await Promise.all(rows.names.map((name) => cellsOf(name, table, log)));
    rows.add(cells, numRows);
    if (!isFile && !bytes.subarray(-END_MARK.length).equals(END_MARK))
      log.row("open-end", numRows, () => "the stream has no end mark: it may have been cut here");
  },
};

async function decoded(bytes: Uint8Array, { log }: Input): Promise<Table> {
  const { CompressionType, setCompressionCodec, tableFromIPC } = await import("@uwdata/flechette");
  const { frame } = await loadLz4();
  const encode = (plain: Uint8Array): Uint8Array => plain;
  setCompressionCodec(CompressionType.ZSTD, { decode: (packed) => zstdDecompressSync(packed), encode });
  setCompressionCodec(CompressionType.LZ4_FRAME, { decode: frame, encode });
  try {
    return tableFromIPC(bytes, { useBigInt: true });
  } catch (error) {
    return log.refuse("format", `it cannot be read as Arrow: ${(error as Error).message}`);
  }
}

/**
 * The reader returns times in milliseconds whatever their unit in the file. Times without a zone are local clock times.
 */
async function cellsOf(name: string, table: Table, log: Input["log"]): Promise<Cells> {
  const { Type } = await import("@uwdata/flechette");
  const column: Column<unknown> = table.getChild(name);
  const { type } = column;
  if (type.typeId === Type.Decimal || type.typeId === Type.Bool) refuseType(name, log);
  if (type.typeId === Type.Timestamp && type.timezone) return (row) => instant(column.at(row));
  if (type.typeId === Type.Timestamp || type.typeId === Type.Date) return (row) => clockTime(column.at(row));
  return (row) => column.at(row);
}

function clockTime(cell: unknown): unknown {
  return typeof cell === "number" ? new ClockTime(Math.floor(cell)) : cell;
}

function instant(cell: unknown): unknown {
  return typeof cell === "number" ? new Date(Math.floor(cell)) : cell;
}
