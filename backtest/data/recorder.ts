// Writes down what was seen: one table per source and pair, in a folder per source. Rows are appended whole and brought to
// disk at each flush, so that whatever happens to the process, everything up to the last flush can be read. What no reader
// of ours would accept is left out and counted. No file can hold both ends of a leap: of the two the one stays that more
// rows tell, since the first may be the wrong one. Nor can it go back in time: where the machine's clock was set back, what comes
// is left out until it is later again, and that is said.

import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { requireFolder } from "../../src/disk/create-folder.ts";
import { writeWhole } from "../../src/disk/new-file.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import type { Quote } from "../../src/domain/quote.ts";
import type { Millis } from "../../src/domain/time.ts";
import { durationText } from "../../src/domain/time-text.ts";
import { JUMP_MAX } from "./format/format.ts";
import { judgeQuote } from "./intake.ts";
import { COLUMNS } from "./source.ts";

const HEADER = `${COLUMNS.quotes.join(",")}\n`;
/** Before the first row. */
const NOTHING = Float64Array.of(Number.NEGATIVE_INFINITY, Number.NaN, Number.NaN, Number.NaN, Number.NaN);
/** Rows that leap are in memory until it is known who is right: 6 MB of them at most. */
const LEAPT_MAX = 100_000;
/** Less is a clock that is being adjusted, or two feeds that overtake each other. */
const SET_BACK_MS_MIN = 1_000;

export type RecordedTable = {
  readonly path: string;
  readonly source: string;
  readonly symbol: PairSymbol;
  readonly rows: number;
  /** What was left out, by reason. */
  readonly leftOut: Readonly<Record<string, number>>;
};

/** Rows that fit each other. */
type Rows = { text: string; count: number; last: Float64Array };

type Table = Omit<RecordedTable, "rows"> & {
  /** Made with the first row: a table without one would be a file that no reader takes. */
  file: number | undefined;
  readonly leftOut: Record<string, number>;
  kept: Rows;
  /** All since the last that was kept leapt from it, and fit each other. */
  leapt: Rows;
  /** What is on disk is no longer kept. */
  isAnew: boolean;
};

export class Recorder {
  readonly #folder: string;
  readonly #tables = new Map<string, Table>();
  readonly #tell: (text: string) => void;
  readonly #write: typeof writeWhole;
  #latest = Number.NEGATIVE_INFINITY;
  #isBehind = false;

  /** `tell`: that the clock was set back, and that it is as late again as it was. */
  constructor(folder: string, tell: (text: string) => void = () => {}, write = writeWhole) {
    this.#folder = folder;
    this.#tell = tell;
    this.#write = write;
  }

  /** A flush later it is on disk. */
  take(quote: Quote): void {
    const { source, symbol, bid, ask, bidSize, askSize, receivedAt } = quote;
    this.#watchClock(receivedAt);
    const table = this.#tables.get(`${source} ${symbol}`) ?? this.#added(source, symbol);
    const row = Float64Array.of(receivedAt, bid, ask, bidSize ?? Number.NaN, askSize ?? Number.NaN);
    const text = `${[...row].map((value) => (Number.isNaN(value) ? "" : value)).join(",")}\n`;
    const reason = whyNotAfter(table.kept, row);
    if (reason === "jump") takeLeap(table, row, text);
    else if (reason !== undefined) leaveOut(table, reason, 1);
    else {
      leaveOut(table, "jump", table.leapt.count);
      table.leapt = noRows();
      table.file ??= opened(table.path);
      add(table.kept, row, text);
    }
  }

  flush(): void {
    for (const table of this.#tables.values()) {
      const { text } = table.kept;
      if (text === "" || table.file === undefined) continue;
      table.kept.text = "";
      if (table.isAnew) ftruncateSync(table.file);
      this.#append(table.file, table.isAnew ? HEADER + text : text);
      table.isAnew = false;
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

  /** One write of whole rows: a process that is killed leaves all of them or none. A full disk takes a part, which would end in half a price. */
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
    return [...this.#tables.values()].map(({ path, source, symbol, kept, leftOut }) => ({
      ...{ path, source, symbol, rows: kept.count, leftOut },
    }));
  }

  #watchClock(now: Millis): void {
    const behindMs = this.#latest - now;
    if (!this.#isBehind && behindMs >= SET_BACK_MS_MIN) {
      this.#isBehind = true;
      this.#tell(
        `the clock of this machine was set back by ${durationText(behindMs)}: what comes before ` +
          `${new Date(this.#latest).toISOString()} is left out and counted (backwards); end this recording and begin another to keep it`,
      );
    } else if (this.#isBehind && behindMs <= 0) {
      this.#isBehind = false;
      this.#tell("the clock is as late again as it was before it was set back: rows are kept again");
    }
    this.#latest = Math.max(this.#latest, now);
  }

  #added(source: string, symbol: PairSymbol): Table {
    const path = join(this.#folder, source, `${symbol.replace("/", "-")}.csv`);
    const table: Table = {
      ...{ path, source, symbol, file: undefined, leftOut: {} },
      ...{ kept: { ...noRows(), text: HEADER }, leapt: noRows(), isAnew: false },
    };
    this.#tables.set(`${source} ${symbol}`, table);
    return table;
  }
}

function opened(path: string): number {
  requireFolder(dirname(path));
  return openSync(path, "ax", 0o644);
}

/** One of which the disk took nothing is a file that no reader takes. */
function endTable(table: Table): void {
  leaveOut(table, "jump", table.leapt.count);
  if (table.file === undefined) return;
  const { size } = fstatSync(table.file);
  closeSync(table.file);
  if (size === 0) rmSync(table.path);
}

function noRows(): Rows {
  return { text: "", count: 0, last: NOTHING };
}

function add(rows: Rows, row: Float64Array, text: string): void {
  rows.text += text;
  rows.count++;
  rows.last = row;
}

function leaveOut({ leftOut }: Table, reason: string, rows: number): void {
  if (rows > 0) leftOut[reason] = (leftOut[reason] ?? 0) + rows;
}

function takeLeap(table: Table, row: Float64Array, text: string): void {
  const reason = whyNotAfter(table.leapt, row);
  if (reason !== undefined && reason !== "jump") {
    leaveOut(table, reason, 1);
    return;
  }
  if (reason === "jump" || table.leapt.count === LEAPT_MAX) {
    leaveOut(table, "jump", table.leapt.count);
    table.leapt = noRows();
  }
  add(table.leapt, row, text);
  if (table.leapt.count <= table.kept.count) return;
  leaveOut(table, "jump", table.kept.count);
  table.kept = table.leapt;
  table.leapt = noRows();
  table.isAnew = true;
}

function whyNotAfter({ last }: Rows, row: Float64Array): string | undefined {
  const columns = [...row].map((value) => Float64Array.of(value));
  return judgeQuote(columns, 0, last, JUMP_MAX)?.kind;
}
