// Records quotes: one table per source and pair, in a folder per source. Whole rows are appended and synced at each
// flush, so that everything up to the last flush survives a crash. Rows that our reader would refuse are left out and
// counted: rows after a price jump, since no file can hold both sides of it, and rows earlier than the last one after
// the machine's clock was set back.

import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { requireFolder } from "../../src/disk/create-folder.ts";
import { writeWhole } from "../../src/disk/new-file.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import type { Quote } from "../../src/domain/quote.ts";
import { JUMP_MAX, judgeRow, noRow } from "./row-check.ts";
import { COLUMNS } from "./source.ts";

const HEADER = `${COLUMNS.quotes.join(",")}\n`;

export type RecordedTable = {
  readonly path: string;
  readonly source: string;
  readonly symbol: PairSymbol;
  readonly rows: number;
  /** Rows left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
};

type Table = RecordedTable & {
  rows: number;
  /** Created with the first row: readers refuse an empty table. */
  file: number | undefined;
  readonly leftOut: Record<string, number>;
  /** Not flushed yet. */
  text: string;
  last: Float64Array;
};

export class Recorder {
  readonly #folder: string;
  readonly #tables = new Map<string, Table>();
  readonly #write: typeof writeWhole;

  constructor(folder: string, write = writeWhole) {
    this.#folder = folder;
    this.#write = write;
  }

  /** The quote is on disk after the next flush. */
  take(quote: Quote): void {
    const { source, symbol, bid, ask, bidSize, askSize, receivedAt } = quote;
    const table = this.#tables.get(`${source} ${symbol}`) ?? this.#added(source, symbol);
    const row = Float64Array.of(receivedAt, bid, ask, bidSize ?? Number.NaN, askSize ?? Number.NaN);
    const text = `${[...row].map((value) => (Number.isNaN(value) ? "" : value)).join(",")}\n`;
    const reason = judgeRow("quotes", row, table.last, JUMP_MAX)?.kind;
    if (reason !== undefined) {
      table.leftOut[reason] = (table.leftOut[reason] ?? 0) + 1;
      return;
    }
    table.file ??= opened(table.path);
    table.text += text;
    table.rows++;
    table.last = row;
  }

  flush(): void {
    for (const table of this.#tables.values()) {
      const { text } = table;
      if (text === "" || table.file === undefined) continue;
      table.text = "";
      this.#append(table.file, text);
      fdatasyncSync(table.file);
    }
  }

  close(): readonly RecordedTable[] {
    try {
      this.flush();
    } finally {
      for (const table of this.#tables.values()) endTable(table);
    }
    return this.tables();
  }

  /**
   * One write of whole rows: a killed process leaves all of them or none. A full disk may take a part, which would end
   * in half a price.
   */
  #append(file: number, rows: string): void {
    const { size } = fstatSync(file);
    try {
      this.#write(file, rows);
    } catch (error) {
      ftruncateSync(file, size);
      throw error;
    }
  }

  tables(): readonly RecordedTable[] {
    return [...this.#tables.values()].map(({ path, source, symbol, rows, leftOut }) => ({
      ...{ path, source, symbol, rows, leftOut },
    }));
  }

  #added(source: string, symbol: PairSymbol): Table {
    const path = join(this.#folder, source, `${symbol.replace("/", "-")}.csv`);
    const table: Table = {
      ...{ path, source, symbol, rows: 0, file: undefined, leftOut: {}, text: HEADER, last: noRow("quotes") },
    };
    this.#tables.set(`${source} ${symbol}`, table);
    return table;
  }
}

function opened(path: string): number {
  requireFolder(dirname(path));
  return openSync(path, "ax", 0o644);
}

/** Removes a file to which nothing was written, since readers refuse it. */
function endTable({ file, path }: Table): void {
  if (file === undefined) return;
  const { size } = fstatSync(file);
  closeSync(file);
  if (size === 0) rmSync(path);
}
