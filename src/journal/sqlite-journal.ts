// The journal on disk, shared by all processes of an account. A write is one immediate transaction: it reads and checks
// the entries that others appended, decides on top of them, appends to the chain and syncs; then the head is anchored.

import { isBusy, isCut, saidBy } from "../disk/sqlite-error.ts";
import { invariant } from "../domain/invariant.ts";
import { pause } from "../domain/pause.ts";
import { err, ok, type Result } from "../domain/result.ts";
import type { Clock, Timers } from "../domain/time.ts";
import { checkChain } from "./check-chain.ts";
import type { AnchorFile } from "./file/anchor.ts";
import { anchorOf, identityOf, sizeOf, walInUse } from "./file/files.ts";
import type { RecordStore, Row } from "./file/record-store.ts";
import type { Reserve } from "./file/reserve.ts";
import { isFull, isMachineFailure, JournalFault, writeError } from "./file/sqlite-failure.ts";
import type { Decided, Head, Journal, JournalCode, JournalError, Receipt } from "./journal.ts";
import type { Entry, JournalRecord, Opening } from "./record.ts";
import { chainedHash, entryText, GENESIS, readEntry } from "./text/entry-text.ts";
import { problemText } from "./verdict.ts";

const RETRY_MS = 10;

type Files = {
  readonly path: string;
  readonly store: RecordStore;
  readonly anchor: AnchorFile;
  readonly reserve: Reserve;
};

type Setting = {
  readonly machine: { readonly clock: Clock; readonly timers: Timers };
  readonly settings: { readonly lockedMsMax: number };
};

/** The entries of other writers, and the chain's head. */
type Tail = { readonly others: readonly Entry[]; readonly head: Head };

export class SqliteJournal implements Journal {
  readonly opening: Opening;
  readonly writer: string;
  readonly #files: Files;
  readonly #setting: Setting;
  readonly #wal: string;
  /**
   * The identities of the files that records depend on, by path: the -wal holds the newest records, and the anchor
   * proves that they existed.
   */
  readonly #identities: ReadonlyMap<string, string | undefined>;
  /** Entries up to here were returned to the caller. */
  #seen: Head = { sequence: 0, hash: GENESIS };
  /** After a failed write the journal is not trusted until the next start. */
  #failed: JournalError | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(files: Files, { opening, writer }: { opening: Opening; writer: string }, setting: Setting) {
    this.#files = files;
    this.#setting = setting;
    // SQLite created the -wal at the store's first read and keeps it until the last connection closes.
    this.#wal = walInUse(files.path);
    const kept = [files.path, this.#wal, anchorOf(files.path)];
    this.#identities = new Map(kept.map((file) => [file, identityOf(file)]));
    this.opening = opening;
    this.writer = writer;
  }

  append(records: readonly JournalRecord[]): Promise<Result<Receipt, JournalError>> {
    const write = (): Receipt => {
      const head = this.#writeAll(records);
      return { head, reserve: this.#files.reserve.isKept() ? "kept" : "spent" };
    };
    return this.#inTurn(() => {
      try {
        return write();
      } catch (error) {
        if (!isFull(error) || !this.#files.reserve.spend()) throw error;
        return write();
      }
    });
  }

  announce(records: readonly JournalRecord[]): Result<Head, JournalError> {
    return this.#now(() => {
      this.#requireReserve();
      return this.#files.store.urgently(() => this.#writeAll(records, () => this.#requireUntouched(records)));
    });
  }

  transact<T>(decide: (news: readonly Entry[]) => Decided<T>): Promise<Result<T, JournalError>> {
    return this.#inTurn(() => {
      this.#requireReserve();
      let decided: Decided<T> | undefined;
      this.#write(() => {
        const { others, head } = this.#tail(Number.MAX_SAFE_INTEGER);
        decided = byItself(() => decide(others));
        // The caller has received these entries, even if its decision is not written.
        this.#seen = head;
        return { head, records: decided.records, isNewsTaken: true };
      });
      invariant(decided !== undefined, "a transaction must have been decided");
      return decided.value;
    });
  }

  news(most: number = Number.MAX_SAFE_INTEGER): Result<readonly Entry[], JournalError> {
    return this.#now(() => {
      const { others, head } = this.#tail(most);
      this.#seen = head;
      return others;
    });
  }

  read(after: number, most: number): Result<readonly Entry[], JournalError> {
    return this.#now(() => this.#files.store.after(after, most).map((row) => this.#entryOf(row)));
  }

  /**
   * The entries in this range, except strategy states, whose text contains one of the words. Other entries are not
   * decoded, and `news` is not affected.
   */
  search(words: readonly string[], after: number, upTo: number): Result<readonly Entry[], JournalError> {
    return this.#now(() => this.#files.store.holding(words, after, upTo).map((row) => this.#entryOf(row)));
  }

  /** Marks the entries up to `head` as known to the caller; only later ones are news. */
  caughtUp(head: Head): Result<undefined, JournalError> {
    return this.#now(() => {
      this.#seen = head;
      this.#requireSeen();
      return undefined;
    });
  }

  head(): Result<Head, JournalError> {
    return this.#now(() => this.#files.store.head());
  }

  close(): void {
    const { store, anchor } = this.#files;
    const head = this.head();
    if (!this.#isCut()) store.close();
    // The last connection to close leaves no -wal: from now on a file behind the anchor is an older copy.
    if (head.ok && (sizeOf(this.#wal) ?? 0) === 0) anchor.write({ head: head.value, settled: true });
    anchor.close();
  }

  /** Runs writes one after the other in call order, and retries a busy file on a timer. */
  #inTurn<T>(attempt: () => T): Promise<Result<T, JournalError>> {
    const result = this.#turn.then(() => this.#persist(attempt));
    this.#turn = result.catch(() => undefined);
    return result;
  }

  async #persist<T>(attempt: () => T): Promise<Result<T, JournalError>> {
    const { clock, timers } = this.#setting.machine;
    const giveUpAt = clock.monotonic() + this.#setting.settings.lockedMsMax;
    for (;;) {
      try {
        this.#requireSound();
        return ok(attempt());
      } catch (error) {
        if (!isBusy(error) || clock.monotonic() >= giveUpAt) return err(this.#remembered(error));
      }
      await pause(timers, RETRY_MS);
    }
  }

  /** Does not read the entries of other writers, however many there are; they remain to be returned. */
  #writeAll(records: readonly JournalRecord[], check?: () => void): Head {
    return this.#write(() => {
      this.#requireSeen();
      check?.();
      const head = this.#files.store.head();
      return { head, records, isNewsTaken: head.sequence === this.#seen.sequence };
    });
  }

  #write(decide: () => { head: Head; records: readonly JournalRecord[]; isNewsTaken: boolean }): Head {
    const { store } = this.#files;
    store.begin();
    try {
      const { head: before, records, isNewsTaken } = decide();
      if (records.length === 0) return before;
      let head = before;
      for (const record of records) {
        const row = this.#rowAfter(head, record);
        store.insert(row);
        head = row;
      }
      this.#commit();
      head = { sequence: head.sequence, hash: head.hash };
      if (isNewsTaken) this.#seen = head;
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

  /** The last known record must be unchanged. */
  #requireSeen(): void {
    const { sequence, hash } = this.#seen;
    if (sequence > 0 && this.#files.store.row(sequence)?.hash !== hash)
      throw this.#fault("journal-damaged", `record ${sequence} is no longer the one it was: run pegbot journal verify`);
  }

  /** The entries after those already returned. */
  #tail(most: number): Tail {
    this.#requireSeen();
    const others: Entry[] = [];
    const rows = this.#files.store.after(this.#seen.sequence, most);
    const head = checkChain(this.#seen, rows, (entry) => {
      if (entry.writer !== this.writer) others.push(entry);
    });
    if ("message" in head) throw this.#fault("journal-damaged", problemText(head));
    return { others, head };
  }

  #entryOf({ sequence, entry, hash }: Row): Entry {
    const read = readEntry(sequence, entry, hash);
    if (!read.ok) throw this.#fault("journal-damaged", `record ${sequence} cannot be read: ${read.error}`);
    return read.value;
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

  #requireReserve(): void {
    if (!this.#files.reserve.isKept())
      throw this.#fault("journal-full", "its reserve is spent: free some disk space and start again");
  }

  #remembered(error: unknown): JournalError {
    const failure = writeError(error, this.#files.path);
    if (!PASSING.has(failure.code)) this.#failed = failure;
    return failure;
  }

  /** Another process may have taken this one for dead and released the request that is about to be sent. */
  #requireUntouched(records: readonly JournalRecord[]): void {
    const ids = new Set(records.flatMap((record) => ("id" in record ? [record.id] : [])));
    const { others } = this.#tail(Number.MAX_SAFE_INTEGER);
    const touched = others.find(({ record }) => "id" in record && ids.has(record.id));
    if (touched !== undefined && "id" in touched.record)
      throw this.#fault(
        "journal-overtaken",
        `${touched.writer} has written about ${touched.record.id} meanwhile; nothing was sent`,
      );
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
const PASSING: ReadonlySet<JournalCode> = new Set(["journal-locked", "journal-full", "journal-overtaken"]);

/** A decision may use other files: a failure there is not the journal's and must not cause a retry. */
function byItself<T>(decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    throw isMachineFailure(error) ? new Error(`the decision failed: ${saidBy(error)}`, { cause: error }) : error;
  }
}
