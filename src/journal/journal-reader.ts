// Reading a journal, also while others write to it: entries one by one, in one snapshot, never more than
// one in memory. It takes no lock that a writer waits for, and changes nothing.

import type { Money } from "../domain/money/money.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { anchorProblem, lookBeside, openingOf, type Seen } from "./file/inspect.ts";
import { openStore, readingPages } from "./file/open-store.ts";
import type { RecordStore, Row } from "./file/record-store.ts";
import type { Head } from "./journal.ts";
import type { Entry, Opening } from "./record.ts";
import { OF_A_MARK, OF_A_STATE, OF_AN_INTENT, readEntry } from "./text/entry-text.ts";
import { type Problem, problem } from "./verdict.ts";

/** As stored and as read. */
export type StoredEntry = { readonly entry: Entry; readonly text: string };

/** A list of balances that led to nothing else; and the state of a strategy, whichever. */
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
    const opened = openStore(path);
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
      // Left open in the bot's own process it would keep the bot from closing in order.
      if (reader === undefined) store.close();
    }
  }

  head(): Head {
    return this.#store.head();
  }

  /** Whether it is all that the anchor knows; what is in it is not checked. */
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
   * What the books and everything else that is shown follow from: without states of strategies and lists of balances that a
   * later one took the place of. Most records of a quiet bot are those. Of what stands before `after` only the last such.
   */
  *telling(after: number): Generator<Result<StoredEntry>> {
    for (const row of this.#store.eachBut(SUPERSEDED, after)) yield storedOf(row);
  }

  /** Where the last `most` that were intended begin; undefined when there are fewer. */
  lastIntents(most: number): number | undefined {
    return this.#store.nthLast(OF_AN_INTENT, most - 1);
  }

  /** What the account was worth when its first day opened; undefined before. */
  firstMark(): Money | undefined {
    for (const row of this.#store.eachHolding(OF_A_MARK)) {
      const read = storedOf(row);
      if (!read.ok) return undefined;
      const { record } = read.value.entry;
      if (record.kind === "step" && record.step.mark !== undefined) return record.step.mark;
    }
    return undefined;
  }

  hashAt(sequence: number): string | undefined {
    return this.#store.row(sequence)?.hash;
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
