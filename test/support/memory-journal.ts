// The journal of a backtest: the same text and the same chain as on disk, so that its last hash is a hash of everything
// that happened; nothing is synced. One process, so there is never news.

import { hash } from "node:crypto";
import { invariant } from "../../src/domain/invariant.ts";
import { ok, type Result } from "../../src/domain/result.ts";
import type { Decided, Head, Journal, JournalError, Receipt } from "../../src/journal/journal.ts";
import type { Entry, JournalRecord, Opening } from "../../src/journal/record.ts";
import { entryText, GENESIS, linkText, readEntry } from "../../src/journal/text/entry-text.ts";

export class MemoryJournal implements Journal {
  readonly opening: Opening;
  readonly writer: string;
  readonly #keep: boolean;
  readonly #links: string[] = [];
  #sequence = 0;
  #hash = GENESIS;

  /** Without `keep` only the head is known afterwards: a trace hash in constant memory. */
  constructor(opening: Opening, writer: string, { keep = true }: { readonly keep?: boolean } = {}) {
    this.opening = opening;
    this.writer = writer;
    this.#keep = keep;
    this.record(opening);
  }

  /** What `append` does, at once. */
  record(value: JournalRecord): void {
    const link = linkText(this.#hash, entryText(this.#sequence + 1, this.writer, value));
    this.#hash = hash("sha256", link, "hex");
    this.#sequence += 1;
    // Hashing made one flat text of it. The entry alone would still be a tree of its parts, several times as large.
    if (this.#keep) this.#links.push(link);
  }

  async append(records: readonly JournalRecord[]): Promise<Result<Receipt, JournalError>> {
    for (const value of records) this.record(value);
    return ok({ head: this.head().value });
  }

  announce(records: readonly JournalRecord[]): Result<Head, JournalError> {
    for (const value of records) this.record(value);
    return this.head();
  }

  async transact<T>(decide: (news: readonly Entry[]) => Decided<T>): Promise<Result<T, JournalError>> {
    const { records, value } = decide([]);
    for (const one of records) this.record(one);
    return ok(value);
  }

  news(): Result<readonly Entry[], JournalError> {
    return ok([]);
  }

  read(after: number, most: number): Result<readonly Entry[], JournalError> {
    invariant(this.#keep, "a journal that keeps nothing cannot be read");
    return ok(
      this.#links.slice(after, after + most).map((link, index) => {
        const entryHash = hash("sha256", link, "hex");
        const read = readEntry(after + index + 1, link.slice(GENESIS.length + 1), entryHash);
        invariant(read.ok, read.ok ? "" : read.error);
        return read.value;
      }),
    );
  }

  head(): { readonly ok: true; readonly value: Head } {
    return ok({ sequence: this.#sequence, hash: this.#hash });
  }

  close(): void {}
}
