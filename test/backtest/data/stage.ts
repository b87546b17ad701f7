// A folder for a test's files, and the shortest ways to import and to read them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { loadColumnFile } from "../../../backtest/data/column-file.ts";
import { importData } from "../../../backtest/data/import-data.ts";
import type { Refusal } from "../../../backtest/data/problem.ts";
import type { DataSource } from "../../../backtest/data/source.ts";
import type { Declaration } from "../../../backtest/data/table.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { millis } from "../../../src/domain/time.ts";

export const GBPCHF = "GBP/CHF" as PairSymbol;
/** Monday, 2026-01-05. */
export const T0 = Date.UTC(2026, 0, 5);
export const PROVENANCE = { origin: "a friend", licence: "CC0", at: millis(T0) };

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-data-"));
  folders.push(folder);
  return folder;
}

export function fileOf(content: string | Uint8Array, name = "prices.csv"): string {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  return path;
}

export const quotesCsv = (...rows: readonly string[]): string => `${["time,bid,ask", ...rows].join("\n")}\n`;

/** What a table is once it is imported. */
export async function read(
  content: string | Uint8Array,
  declared: Declaration = {},
  name?: string,
): Promise<DataSource> {
  const out = join(newFolder(), "GBP-CHF.columns");
  const result = await importData({ path: fileOf(content, name), symbol: GBPCHF, declared }, out, PROVENANCE);
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return loadColumnFile(out);
}

export async function refusalOf(
  content: string | Uint8Array,
  declared: Declaration = {},
  name?: string,
): Promise<Refusal> {
  const out = join(newFolder(), "GBP-CHF.columns");
  const result = await importData({ path: fileOf(content, name), symbol: GBPCHF, declared }, out, PROVENANCE);
  if (result.ok) throw new Error("the file was not refused");
  return result.error;
}

/** The rows of every chunk, in file order. */
export function rowsOf(source: DataSource): number[][] {
  const rows: number[][] = [];
  const take = (length: number, ...columns: readonly Float64Array[]): void => {
    for (let i = 0; i < length; i++) rows.push(columns.map((column) => column[i] as number));
  };
  if (source.kind === "quotes")
    for (const { length, time, bid, ask, bidSize, askSize } of source.chunks())
      take(length, time, bid, ask, bidSize, askSize);
  else
    for (const { length, time, open, high, low, close, volume } of source.chunks())
      take(length, time, open, high, low, close, volume);
  return rows;
}
