// The rows of a journal file, no rules: one table of entries with their hashes. A writer syncs every commit; a reader
// never takes a lock that a writer waits for.

import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Head } from "../journal.ts";
import { GENESIS } from "../text/entry-text.ts";

export type Row = { readonly sequence: number; readonly entry: string; readonly hash: string };

/** At the start, where nothing else runs, a file may be waited for. */
const OPENING_BUSY_MS = 5_000;
/** Later a statement keeps the event loop this long at most; longer waits are the caller's, on a timer. */
const WRITING_BUSY_MS = 15;
/** Unless a request waits at the socket for it. */
const URGENT_BUSY_MS = 250;

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

  /** `prepare` may bring the tables up to date before statements are made on them. */
  static forWriting(path: string, prepare: (database: DatabaseSync) => void): RecordStore {
    return RecordStore.#open(new DatabaseSync(path, { timeout: OPENING_BUSY_MS }), (database) => {
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
      prepare(database);
      const store = new RecordStore(database, true);
      database.exec(`PRAGMA busy_timeout = ${WRITING_BUSY_MS}`);
      return store;
    });
  }

  static forReading(path: string, check: (database: DatabaseSync) => void): RecordStore {
    return RecordStore.#open(new DatabaseSync(path, { timeout: OPENING_BUSY_MS, readOnly: true }), (database) => {
      check(database);
      return new RecordStore(database, false);
    });
  }

  static #open(database: DatabaseSync, finish: (database: DatabaseSync) => RecordStore): RecordStore {
    try {
      return finish(database);
    } catch (error) {
      database.close();
      throw error;
    }
  }

  begin(): void {
    this.database.exec("BEGIN IMMEDIATE");
  }

  /** Locked files are waited for longer while `work` runs. */
  urgently<T>(work: () => T): T {
    this.database.exec(`PRAGMA busy_timeout = ${URGENT_BUSY_MS}`);
    try {
      return work();
    } finally {
      this.database.exec(`PRAGMA busy_timeout = ${WRITING_BUSY_MS}`);
    }
  }

  commit(): void {
    this.database.exec("COMMIT");
  }

  /** Also after a failure that rolled back by itself. */
  rollback(): void {
    if (this.database.isTransaction) this.database.exec("ROLLBACK");
  }

  insert({ sequence, entry, hash }: Row): void {
    this.#insert?.run(sequence, entry, hash);
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

  /** One by one, in one snapshot. */
  eachAfter(sequence: number): IterableIterator<Row> {
    return this.#after.iterate(sequence, Number.MAX_SAFE_INTEGER) as IterableIterator<Row>;
  }

  close(): void {
    this.database.close();
  }
}
