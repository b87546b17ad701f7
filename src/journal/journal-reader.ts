// Reads a journal, also while others write to it: entry by entry in one snapshot, with only one in memory. It takes no
// lock that a writer waits for, and changes nothing.

import type { Money } from "../domain/money/money.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { anchorProblem, lookBeside, openingOf, type Seen } from "./file/inspect.ts";
import { openStore, readingPages } from "./file/open-store.ts";
import type { RecordStore, Row } from "./file/record-store.ts";
import type { Head } from "./journal.ts";
import type { Entry, Opening } from "./record.ts";
import { OF_A_MARK, OF_A_STATE, readEntry } from "./text/entry-text.ts";
import { type Problem, problem } from "./verdict.ts";

export type StoredEntry = { readonly entry: Entry; readonly text: string };

/**
 * Balances without decisions or commands, and strategy states: a later record of the same sort replaces the earlier
 * one.
 */
const SUPERSEDED = [
  { word: '"event":{"kind":"balances",', end: '"decisions":[],"commands":[]}}}' },
  { word: OF_A_STATE, end: "}" },
] as const;

export class JournalReader {
  readonly opening: Opening;
  readonly #store: RecordStore;
  readonly #seen: Seen;

  private constructor(store: RecordStore, seen: Seen, opening: Opening) {
    this.#store = store;
    this.#seen = seen;
    this.opening = opening;
  }

  static open(path: string): Result<JournalReader, Problem> {
    const seen = lookBeside(path);
    const opened = openStore(path, true);
    if (!opened.ok) return opened;
    const store = opened.value;
    let reader: JournalReader | undefined;
    try {
      return readingPages(() => {
        const opening = openingOf(store);
        if (opening === undefined) return err(problem("foreign-file", "its first record is no opening", 1));
        reader = new JournalReader(store, seen, opening);
        return ok(reader);
      });
    } finally {
      // An open reader in the bot's own process would prevent the bot from closing the journal cleanly.
      if (reader === undefined) store.close();
    }
  }

  head(): Head {
    return this.#store.head();
  }

  /** Whether the journal reaches the anchored head; the records themselves are not verified. */
  anchorProblem(): Problem | undefined {
    return anchorProblem(this.#store, this.#seen, this.head());
  }

  one(sequence: number): Result<StoredEntry | undefined> {
    const row = this.#store.row(sequence);
    return row === undefined ? ok(undefined) : storedOf(row);
  }

  *after(sequence: number): Generator<Result<StoredEntry>> {
    for (const row of this.#store.eachAfter(sequence)) yield storedOf(row);
  }

  /**
   * The entries that the accounts and every display are derived from: without strategy states and balances that a later
   * one superseded, which are most records of a quiet bot. From before `after` only the last of each sort.
   */
  *telling(after: number): Generator<Result<StoredEntry>> {
    for (const row of this.#store.eachBut(SUPERSEDED, after)) yield storedOf(row);
  }

  /** The account's equity when its first day opened; undefined before. */
  firstMark(): Money | undefined {
    for (const row of this.#store.eachHolding(OF_A_MARK)) {
      const read = storedOf(row);
      if (!read.ok) return undefined;
      const { record } = read.value.entry;
      if (record.kind === "step" && record.step.mark !== undefined) return record.step.mark;
    }
    return undefined;
  }

  read(after: number, most: number): Result<readonly Entry[]> {
    const entries: Entry[] = [];
    for (const row of this.#store.after(after, most)) {
      const read = storedOf(row);
      if (!read.ok) return read;
      entries.push(read.value.entry);
    }
    return ok(entries);
  }

  close(): void {
    this.#store.close();
  }
}

function storedOf(row: Row): Result<StoredEntry> {
  const read = readEntry(row.sequence, row.entry, row.hash);
  return read.ok
    ? ok({ entry: read.value, text: row.entry })
    : err(`record ${row.sequence} is unreadable: ${read.error}`);
}
