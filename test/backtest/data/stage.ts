// A folder for a test's files, and the shortest ways to read them.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { csv } from "../../../backtest/data/format/csv.ts";
import type { Declaration, Format } from "../../../backtest/data/format/format.ts";
import { DataRefused, problemLine, type Refusal } from "../../../backtest/data/problem.ts";
import { readData } from "../../../backtest/data/read-data.ts";
import { type DataSource, memorySink } from "../../../backtest/data/source.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";

export const GBPCHF = "GBP/CHF" as PairSymbol;
/** Monday, 2026-01-05. */
export const T0 = Date.UTC(2026, 0, 5);

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-data-"));
  folders.push(folder);
  return folder;
}

export function fileOf(content: string | Uint8Array, name = "GBP-CHF.csv"): string {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** Quotes one second apart under a header. */
export function quotesCsv(rows: readonly string[], header = "time,bid,ask"): string {
  return `${[header, ...rows].join("\n")}\n`;
}

export async function read(
  content: string | Uint8Array,
  declared: Partial<Declaration> = {},
  format: Format = csv,
  name?: string,
): Promise<DataSource> {
  const path = fileOf(content, name);
  const memory = memorySink();
  const { subject, leftOut } = await readData(
    { path, format, declared: { symbol: GBPCHF, ...declared } },
    () => memory.sink,
  );
  return memory.source(subject, leftOut);
}

/** What is wrong with it, one line per problem, without the folder. */
export async function problemsOf(...args: Parameters<typeof read>): Promise<string[]> {
  const refusal = await refusalOf(...args);
  return refusal.problems.map((problem) => problemLine({ ...problem, file: problem.file.split("/").at(-1) ?? "" }));
}

export async function refusalOf(...args: Parameters<typeof read>): Promise<Refusal> {
  const refused = await read(...args).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(refused instanceof DataRefused)) throw refused ?? new Error("the file was not refused");
  return refused.refusal;
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
