// Writes any source as a CSV table: times in milliseconds, numbers in the fewest digits that read back as the same
// number.

import { closeSync, fsyncSync, renameSync } from "node:fs";
import { freshPath, removeFresh, removeLeftovers } from "../../../src/disk/fresh-file.ts";
import { openNew, writeWhole } from "../../../src/disk/new-file.ts";
import type { BarColumns, QuoteColumns } from "../../../src/market/column.ts";
import { nextTurn } from "../../next-turn.ts";
import { COLUMNS, type DataSource } from "../source.ts";

const ROWS_A_WRITE = 4_096;

/** Writes a temporary file and moves it into place when it is complete. Signals are handled between portions. */
export async function writeCsv(path: string, source: DataSource): Promise<void> {
  removeLeftovers(path);
  const fresh = freshPath(path);
  const file = openNew(fresh, 0o644);
  try {
    writeWhole(file, `${COLUMNS[source.kind].join(",")}\n`);
    for (const chunk of source.chunks()) {
      writeRows(file, chunk.length, "bid" in chunk ? quotes(chunk) : bars(chunk));
      await nextTurn();
    }
    fsyncSync(file);
  } catch (error) {
    removeFresh(path);
    throw error;
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
}

function quotes({ time, bid, ask, bidSize, askSize }: QuoteColumns): readonly Float64Array[] {
  return [time, bid, ask, bidSize, askSize];
}

function bars({ time, open, high, low, close, volume }: BarColumns): readonly Float64Array[] {
  return [time, open, high, low, close, volume];
}

function writeRows(file: number, length: number, columns: readonly Float64Array[]): void {
  for (let from = 0; from < length; from += ROWS_A_WRITE) {
    let text = "";
    for (let row = from; row < Math.min(length, from + ROWS_A_WRITE); row++)
      text += `${columns.map((column) => cell(column[row] as number)).join(",")}\n`;
    writeWhole(file, text);
  }
}

function cell(value: number): string {
  return Number.isNaN(value) ? "" : String(value);
}
