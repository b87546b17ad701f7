// The journal on disk, written by one process: the owner of its key. A write is one immediate transaction that appends
// to the chain and syncs; then the head is anchored. Others only read beside it.

import { isCut, saidBy } from "../disk/sqlite-error.ts";
import { invariant } from "../domain/invariant.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { AnchorFile } from "./file/anchor.ts";
import { anchorOf, identityOf, sizeOf, walInUse } from "./file/files.ts";
import type { RecordStore, Row } from "./file/record-store.ts";
import { isFull, JournalFault, writeError } from "./file/sqlite-failure.ts";
import type { Decided, Head, Journal, JournalCode, JournalError, Receipt } from "./journal.ts";
import type { Entry, JournalRecord, Opening } from "./record.ts";
import { chainedHash, entryText, GENESIS, readEntry } from "./text/entry-text.ts";
import { checkChain, problemText } from "./verdict.ts";

type Files = {
  readonly path: string;
  readonly store: RecordStore;
  readonly anchor: AnchorFile;
  /** Called once nothing is written any more. */
  readonly unlock: () => void;
};

export class SqliteJournal implements Journal {
  readonly opening: Opening;
  readonly writer: string;
  readonly #files: Files;
  readonly #wal: string;
  /**
   * The identities of the files that records depend on, by path: the -wal holds the newest records, and the anchor
   * proves that they existed.
   */
  readonly #identities: ReadonlyMap<string, string | undefined>;
  /** The head as this process left it: nobody else writes. */
  #seen: Head;
  /** After a failed write the journal is not trusted until the next start. */
  #failed: JournalError | undefined;

  constructor(files: Files, { opening, writer }: { opening: Opening; writer: string }) {
    this.#files = files;
    // SQLite created the -wal at the store's first read and keeps it until the last connection closes.
    this.#wal = walInUse(files.path);
    const kept = [files.path, this.#wal, anchorOf(files.path)];
    this.#identities = new Map(kept.map((file) => [file, identityOf(file)]));
    this.#seen = files.store.head();
    this.opening = opening;
    this.writer = writer;
  }

  async append(records: readonly JournalRecord[]): Promise<Result<Receipt, JournalError>> {
    return this.#now(() => ({ head: this.#write(() => records) }));
  }

  announce(records: readonly JournalRecord[]): Result<Head, JournalError> {
    return this.#now(() => this.#write(() => records));
  }

  async transact<T>(decide: () => Decided<T>): Promise<Result<T, JournalError>> {
    return this.#now(() => {
      let decided: Decided<T> | undefined;
      this.#write(() => {
        decided = decide();
        return decided.records;
      });
      invariant(decided !== undefined, "a transaction must have been decided");
      return decided.value;
    });
  }

  read(after: number, most: number): Result<readonly Entry[], JournalError> {
    return this.#now(() => {
      const { store } = this.#files;
      const before = after === 0 ? { sequence: 0, hash: GENESIS } : store.row(after);
      if (before === undefined) return [];
      const entries: Entry[] = [];
      const head = checkChain(before, store.after(after, most), (entry) => entries.push(entry));
      if ("message" in head) throw this.#fault("journal-damaged", problemText(head));
      return entries;
    });
  }

  head(): Result<Head, JournalError> {
    return this.#now(() => this.#files.store.head());
  }

  close(): void {
    const { store, anchor, unlock } = this.#files;
    const head = this.head();
    if (!this.#isCut()) store.close();
    // The last connection to close leaves no -wal: from now on a file behind the anchor is an older copy.
    if (head.ok && (sizeOf(this.#wal) ?? 0) === 0) anchor.write({ head: head.value, settled: true });
    anchor.close();
    unlock();
  }

  #write(decide: () => readonly JournalRecord[]): Head {
    const { store } = this.#files;
    store.begin();
    try {
      this.#requireSeen();
      const records = decide();
      if (records.length === 0) return this.#seen;
      let head = this.#seen;
      for (const record of records) {
        const row = this.#rowAfter(head, record);
        store.insert(row);
        head = row;
      }
      this.#commit();
      head = { sequence: head.sequence, hash: head.hash };
      this.#seen = head;
      this.#anchor(head);
      // If the file was removed meanwhile, the records are lost with it and must not be relied upon.
      this.#requireInPlace();
      return head;
    } finally {
      store.rollback();
    }
  }

  /**
   * From the commit on, only a full disk is known to have changed nothing; after any other failure the records may be
   * on disk.
   */
  #commit(): void {
    try {
      this.#files.store.commit();
    } catch (error) {
      throw isFull(error) ? error : this.#suspect(error);
    }
  }

  #anchor(head: Head): void {
    try {
      this.#files.anchor.write({ head, settled: false });
    } catch (error) {
      throw this.#suspect(error);
    }
  }

  #rowAfter(head: Head, record: JournalRecord): Row {
    const sequence = head.sequence + 1;
    const entry = entryText(sequence, this.writer, record);
    const hash = chainedHash(head.hash, entry);
    const read = readEntry(sequence, entry, hash);
    invariant(read.ok, read.ok ? "" : `record ${record.kind} could not be read again: ${read.error}`);
    return { sequence, entry, hash };
  }

  /** The last record must be the one that this process left. */
  #requireSeen(): void {
    const { sequence, hash } = this.#seen;
    const head = this.#files.store.head();
    if (head.sequence !== sequence || head.hash !== hash)
      throw this.#fault("journal-damaged", `record ${sequence} is no longer its last: run pegbot journal verify`);
  }

  #now<T>(work: () => T): Result<T, JournalError> {
    try {
      this.#requireSound();
      return ok(work());
    } catch (error) {
      return err(this.#remembered(error));
    }
  }

  #requireSound(): void {
    if (this.#failed !== undefined) throw new JournalFault(this.#failed);
    this.#requireInPlace();
  }

  #requireInPlace(): void {
    for (const [file, identity] of this.#identities)
      if (identityOf(file) !== identity) throw this.#fault("journal-moved", this.#lossOf(file));
    if (this.#isCut())
      throw this.#fault("journal-moved", "its -shm file was cut while in use: end the bot, and start again");
  }

  #isCut(): boolean {
    return isCut(this.#wal.slice(0, -"-wal".length));
  }

  #lossOf(file: string): string {
    const { path } = this.#files;
    if (file === path) return "the file was moved or replaced while it was in use: start again";
    // SQLite still has the -wal open: only a clean close moves its records into the file.
    return file === this.#wal
      ? "its -wal file was removed or replaced in use: end the bot by SIGTERM, never by SIGKILL, and start again"
      : "its .anchor file was removed or replaced in use: bring it back and start again";
  }

  #remembered(error: unknown): JournalError {
    const failure = writeError(error, this.#files.path);
    if (!PASSING.has(failure.code)) this.#failed = failure;
    return failure;
  }

  #suspect(error: unknown): JournalFault {
    return this.#fault(
      "journal-suspect",
      `${saidBy(error)}; what is on disk is not known: start again, which verifies it`,
    );
  }

  #fault(code: JournalCode, why: string): JournalFault {
    return new JournalFault({ code, message: `journal ${this.#files.path}: ${why}` });
  }
}

/** After these errors the journal can still be written. */
const PASSING: ReadonlySet<JournalCode> = new Set(["journal-locked", "journal-full"]);
