// The rows of a journal file, without rules: one table of entries and their hashes. A writer syncs every commit; a
// reader never takes a lock that a writer waits for.

import { DatabaseSync, type StatementSync } from "node:sqlite";
import { openToRead } from "../../disk/open-to-read.ts";
import { inDatabase } from "../../disk/sqlite-error.ts";
import type { Head } from "../journal.ts";
import { GENESIS, OF_A_STATE } from "../text/entry-text.ts";
import { JournalFault } from "./sqlite-failure.ts";

export type Row = { readonly sequence: number; readonly entry: string; readonly hash: string };

/** At the start nothing else runs, so a statement may wait for a locked file. */
const OPENING_BUSY_MS = 5_000;
/** Later a statement blocks the event loop for at most this long: a journal has one writer. */
const WRITING_BUSY_MS = 250;
/** This many characters hold sequence, writer and kind. With a longer writer name, states are searched too. */
const BEGINNING = 200;
const IS_OTHER = `instr(substr(entry, 1, ${BEGINNING}), ?) = 0`;

export class RecordStore {
  readonly database: DatabaseSync;
  readonly #insert: StatementSync | undefined;
  readonly #after: StatementSync;
  readonly #one: StatementSync;
  readonly #last: StatementSync;

  private constructor(database: DatabaseSync, writable: boolean) {
    this.database = database;
    this.#insert = writable ? database.prepare("INSERT INTO record VALUES (?, ?, ?)") : undefined;
    this.#after = database.prepare(
      "SELECT sequence, entry, hash FROM record WHERE sequence > ? ORDER BY sequence LIMIT ?",
    );
    this.#one = database.prepare("SELECT sequence, entry, hash FROM record WHERE sequence = ?");
    this.#last = database.prepare("SELECT sequence, hash FROM record ORDER BY sequence DESC LIMIT 1");
  }

  /** `prepare` creates the tables of a new file before statements are prepared on them. */
  static forWriting(path: string, prepare: (database: DatabaseSync) => void = () => {}): RecordStore {
    const open = (): DatabaseSync => new DatabaseSync(path, { timeout: OPENING_BUSY_MS });
    return RecordStore.#open(path, open, (database) => {
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
      prepare(database);
      const store = new RecordStore(database, true);
      // SQLite creates the -wal file at the first read, not when it opens the file.
      store.head();
      database.exec(`PRAGMA busy_timeout = ${WRITING_BUSY_MS}`);
      return store;
    });
  }

  /** `onlyLooks`: makes no -wal and -shm where there are none, and does not see a writer that comes meanwhile. */
  static forReading(path: string, check: (database: DatabaseSync) => void, onlyLooks: boolean): RecordStore {
    const open = (): DatabaseSync =>
      onlyLooks
        ? openToRead(path, OPENING_BUSY_MS)
        : new DatabaseSync(path, { timeout: OPENING_BUSY_MS, readOnly: true });
    return RecordStore.#open(path, open, (database) => {
      check(database);
      return new RecordStore(database, false);
    });
  }

  static #open(path: string, open: () => DatabaseSync, finish: (database: DatabaseSync) => RecordStore): RecordStore {
    return inDatabase(path, () => {
      const database = open();
      try {
        return finish(database);
      } catch (error) {
        database.close();
        throw error;
      }
    });
  }

  begin(): void {
    this.database.exec("BEGIN IMMEDIATE");
  }

  commit(): void {
    this.database.exec("COMMIT");
  }

  /** May follow a failure that SQLite already rolled back. */
  rollback(): void {
    if (this.database.isTransaction) this.database.exec("ROLLBACK");
  }

  /** Throws if the row was not inserted: a trigger can make SQLite skip it without an error. */
  insert({ sequence, entry, hash }: Row): void {
    const taken = this.#insert?.run(sequence, entry, hash).changes;
    if (taken === 1) return;
    const message = `journal ${this.database.location()}: record ${sequence} must be one more row, was ${taken ?? 0}: run pegbot journal verify`;
    throw new JournalFault({ code: "journal-damaged", message });
  }

  head(): Head {
    return (this.#last.get() as Head | undefined) ?? { sequence: 0, hash: GENESIS };
  }

  row(sequence: number): Row | undefined {
    return this.#one.get(sequence) as Row | undefined;
  }

  after(sequence: number, most: number): readonly Row[] {
    return this.#after.all(sequence, most) as Row[];
  }

  /** The rows whose text contains the word, except strategy states, which may be large; in one snapshot. */
  *eachHolding(word: string): Generator<Row> {
    const sql = `SELECT sequence, entry, hash FROM record WHERE ${IS_OTHER} AND instr(entry, ?) > 0 ORDER BY sequence`;
    yield* this.database.prepare(sql).iterate(OF_A_STATE, word) as IterableIterator<Row>;
  }

  /**
   * All rows after `after`, without superseded ones: of the rows that contain a `word` and end in its `end`, only the
   * last one is returned, even if it is before `after`.
   */
  *eachBut(skipped: readonly { readonly word: string; readonly end: string }[], after: number): Generator<Row> {
    const is = "instr(entry, ?) > 0 AND substr(entry, -length(?)) = ?";
    const lastOf = this.database.prepare(`SELECT sequence FROM record WHERE ${is} ORDER BY sequence DESC LIMIT 1`);
    const lasts = skipped.map(
      ({ word, end }) => (lastOf.get(word, end, end) as { sequence: number } | undefined)?.sequence ?? 0,
    );
    for (const last of lasts.toSorted((one, other) => one - other)) {
      const row = last <= after ? this.row(last) : undefined;
      if (row !== undefined) yield row;
    }
    const bound = skipped.map(({ word, end }, index) => [lasts[index] ?? 0, word, end, end]);
    const kept = skipped.map(() => `NOT (sequence < ? AND ${is})`).join(" AND ");
    yield* this.database
      .prepare(`SELECT sequence, entry, hash FROM record WHERE sequence > ? AND ${kept} ORDER BY sequence`)
      .iterate(after, ...bound.flat()) as IterableIterator<Row>;
  }

  /** Row by row, in one snapshot. */
  eachAfter(sequence: number): IterableIterator<Row> {
    return this.#after.iterate(sequence, Number.MAX_SAFE_INTEGER) as IterableIterator<Row>;
  }

  close(): void {
    this.database.close();
  }
}
