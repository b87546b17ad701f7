import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { ColumnWriter, loadColumnFile, openColumnFile } from "../../../backtest/data/column-file.ts";
import { BLOCK_ROWS } from "../../../backtest/data/row-check.ts";
import type { QuoteSource } from "../../../backtest/data/source.ts";
import { millis } from "../../../src/domain/time.ts";
import { GBPCHF, newFolder, rowsOf, T0 } from "./stage.ts";

const SUBJECT = { kind: "quotes", symbol: GBPCHF } as const;

/** Quotes a second apart; the bid tells the row. */
function columnsOf(rows: number): Float64Array[] {
  const columns = Array.from({ length: 5 }, () => new Float64Array(rows));
  for (let i = 0; i < rows; i++)
    for (const [c, column] of columns.entries()) column[i] = c === 0 ? T0 + i * 1_000 : i + c / 10;
  (columns[4] as Float64Array).fill(Number.NaN);
  return columns;
}

function write(rows: number, portion = rows): string {
  const path = join(newFolder(), "GBP-CHF.columns");
  const writer = new ColumnWriter(path, "quotes");
  const columns = columnsOf(rows);
  for (let from = 0; from < rows; from += portion)
    writer.write(
      columns.map((column) => column.subarray(from, from + portion)),
      Math.min(portion, rows - from),
    );
  writer.finish(SUBJECT, { crossed: 2 });
  return path;
}

describe("a column file", () => {
  it("gives back what was written, streamed and as a whole, whatever portions it came in", () => {
    const rows = BLOCK_ROWS + 77;
    const expected = columnsOf(rows);
    for (const portion of [rows, 1_000, BLOCK_ROWS]) {
      const path = write(rows, portion);
      const streamed = openColumnFile(path) as QuoteSource;
      expect(streamed).toMatchObject({ rows, firstAt: T0, lastAt: T0 + (rows - 1) * 1_000, leftOut: { crossed: 2 } });
      const lengths: number[] = [];
      const read = expected.map(() => new Float64Array(rows));
      let at = 0;
      for (const { length, time, bid, ask, bidSize, askSize } of streamed.chunks()) {
        for (const [c, column] of [time, bid, ask, bidSize, askSize].entries())
          read[c]?.set(column.subarray(0, length), at);
        lengths.push(length);
        at += length;
      }
      expect(lengths).toEqual([BLOCK_ROWS, 77]);
      expect(bytesOf(read).equals(bytesOf(expected))).toBe(true);
      const [whole] = [...(loadColumnFile(path) as QuoteSource).chunks()];
      const { time, bid, ask, bidSize, askSize } = whole ?? raise();
      expect(bytesOf([time, bid, ask, bidSize, askSize]).equals(bytesOf(expected))).toBe(true);
    }
  });

  it("gives the rows of a span alone, and the same from memory", () => {
    const path = write(2 * BLOCK_ROWS);
    const at = (row: number) => millis(T0 + row * 1_000);
    for (const [from, to] of [
      [0, 3],
      [BLOCK_ROWS - 2, BLOCK_ROWS + 2],
      [BLOCK_ROWS - 1, BLOCK_ROWS],
      [2 * BLOCK_ROWS - 3, 2 * BLOCK_ROWS + 5],
      [5, 5],
      [-10, 0],
      [2 * BLOCK_ROWS, 2 * BLOCK_ROWS + 9],
    ] as const)
      for (const source of [openColumnFile(path), loadColumnFile(path)]) {
        const times: number[] = [];
        for (const { time } of (source as QuoteSource).chunks({ from: at(from), to: at(to) })) times.push(...time);
        const first = Math.max(0, from);
        const last = Math.min(2 * BLOCK_ROWS, to);
        expect(times).toEqual(Array.from({ length: Math.max(0, last - first) }, (_, i) => at(first + i)));
      }
  });

  it("is in shared memory as a whole, so that a worker reads the same bytes", async () => {
    const source = loadColumnFile(write(10)) as QuoteSource;
    const [columns] = [...source.chunks()];
    expect(columns?.bid.buffer).toBeInstanceOf(SharedArrayBuffer);
    const worker = new Worker(
      'const { parentPort, workerData } = require("node:worker_threads"); workerData.bid[3] = 42; parentPort.postMessage(workerData.bid[4]);',
      { eval: true, workerData: { bid: columns?.bid } },
    );
    const seen = await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    expect([seen, columns?.bid[3]]).toEqual([4.1, 42]);
    await worker.terminate();
  });
});

describe("a damaged column file is refused:", () => {
  const refused = (path: string): string => {
    try {
      rowsOf(openColumnFile(path));
    } catch (error) {
      return (error as Error).message.slice(path.length + 2).split(":")[0] as string;
    }
    return "read";
  };
  const changeByte = (path: string, at: number): void => {
    const bytes = readFileSync(path);
    const place = at < 0 ? bytes.length + at : at;
    bytes[place] = (bytes[place] as number) ^ 1;
    writeFileSync(path, bytes);
  };

  it.each([
    ["a changed price", (path: string) => changeByte(path, 1_000), "damaged"],
    ["a changed table of contents", (path: string) => changeByte(path, -40), "damaged"],
    ["a cut end", (path: string) => truncateSync(path, 2_000), "damaged"],
    ["something appended", (path: string) => appendFileSync(path, "x"), "damaged"],
    ["another file", (path: string) => writeFileSync(path, "time,bid,ask\n"), "damaged"],
    ["nothing", (path: string) => writeFileSync(path, ""), "damaged"],
    [
      "a piece missing in the middle",
      (path: string) => {
        const bytes = readFileSync(path);
        writeFileSync(path, Buffer.concat([bytes.subarray(0, 500), bytes.subarray(508)]));
      },
      "damaged",
    ],
  ])("%s", (_, damage, expected) => {
    const path = write(1_000);
    expect(refused(path)).toBe("read");
    damage(path);
    expect(refused(path)).toBe(expected);
  });
});

function bytesOf(columns: readonly Float64Array[]): Buffer {
  return Buffer.concat(columns.map((column) => new Uint8Array(column.buffer)));
}

function raise(): never {
  throw new Error("nothing was read");
}
