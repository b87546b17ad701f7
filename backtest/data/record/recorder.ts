// Writes down what was seen: one table per source and pair, in a folder per source. Rows are appended whole and brought to
// disk at each flush, so that whatever happens to the process, everything up to the last flush can be read. What no reader
// of ours would accept is left out and counted.

import { closeSync, fdatasyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { requireFolder } from "../../../src/disk/create-folder.ts";
import { writeWhole } from "../../../src/disk/new-file.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { Quote } from "../../../src/domain/quote.ts";
import { whyNoQuote } from "../../../src/market/refusal.ts";
import { COLUMNS } from "../kind.ts";

/** What readers take for a jump in data, and refuse. */
const JUMP_MAX = 2;

export type RecordedTable = {
  readonly path: string;
  readonly source: string;
  readonly symbol: PairSymbol;
  readonly rows: number;
  /** What was left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
};

type Table = {
  -readonly [K in keyof RecordedTable]: RecordedTable[K];
} & {
  readonly file: number;
  readonly leftOut: Record<string, number>;
  text: string;
  time: number;
  last: string;
  mid: number;
};

export class Recorder {
  readonly #folder: string;
  readonly #tables = new Map<string, Table>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A flush later it is on disk. */
  take(quote: Quote): void {
    const { source, symbol, bid, ask, bidSize, askSize, receivedAt } = quote;
    const table = this.#tables.get(`${source} ${symbol}`) ?? this.#opened(source, symbol);
    const numbers = [bid, ask, bidSize, askSize].map((value) => (value === undefined ? "" : String(value))).join(",");
    const mid = (bid + ask) / 2;
    const reason = whyNoQuote(bid, ask, true) ?? whyNot(table, receivedAt, numbers, mid);
    if (reason !== undefined) {
      table.leftOut[reason] = (table.leftOut[reason] ?? 0) + 1;
      return;
    }
    table.text += `${receivedAt},${numbers}\n`;
    table.time = receivedAt;
    table.last = numbers;
    table.mid = mid;
    table.rows++;
  }

  flush(): void {
    for (const table of this.#tables.values()) {
      if (table.text === "") continue;
      // One write of whole rows: a process that is killed leaves all of them or none.
      const { text } = table;
      table.text = "";
      writeWhole(table.file, Buffer.from(text));
      fdatasyncSync(table.file);
    }
  }

  close(): readonly RecordedTable[] {
    this.flush();
    for (const { file } of this.#tables.values()) closeSync(file);
    return this.tables();
  }

  tables(): readonly RecordedTable[] {
    return [...this.#tables.values()].map(({ path, source, symbol, rows, leftOut }) => ({
      ...{ path, source, symbol, rows, leftOut },
    }));
  }

  #opened(source: string, symbol: PairSymbol): Table {
    const folder = join(this.#folder, source);
    requireFolder(folder);
    const path = join(folder, `${symbol.replace("/", "-")}.csv`);
    const file = openSync(path, "ax", 0o644);
    const begin = { text: `${COLUMNS.quotes.join(",")}\n`, time: Number.NEGATIVE_INFINITY, last: "", mid: Number.NaN };
    const table: Table = { path, source, symbol, file, rows: 0, leftOut: {}, ...begin };
    this.#tables.set(`${source} ${symbol}`, table);
    return table;
  }
}

function whyNot(
  { time, last, mid: before }: Table,
  receivedAt: number,
  numbers: string,
  mid: number,
): string | undefined {
  if (receivedAt < time) return "backwards in time";
  if (receivedAt === time && numbers === last) return "said twice";
  return mid > before * JUMP_MAX || mid < before / JUMP_MAX ? "a jump" : undefined;
}
