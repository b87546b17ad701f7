// A journal that outlives its writers, in memory: each process that opens it has a life, and can be killed before or after
// any write. What a dead process still tries to write does not happen, and what it waits for never comes.

import { hash } from "node:crypto";
import { ok, type Result, unwrap } from "../../src/domain/result.ts";
import type { Timers } from "../../src/domain/time.ts";
import type { Decided, Head, Journal, JournalError, Receipt } from "../../src/journal/journal.ts";
import type { Entry, JournalRecord, Opening } from "../../src/journal/record.ts";
import { entryText, GENESIS, linkText, readEntry } from "../../src/journal/text/entry-text.ts";

/** One run of a process, from its start to its kill. */
export class Life {
  readonly name: string;
  #alive = true;

  constructor(name: string) {
    this.name = name;
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  kill(): void {
    this.#alive = false;
  }

  /** Timers that do not ring for the dead. */
  timers(timers: Timers): Timers {
    return {
      after: (delayMs, run) =>
        timers.after(delayMs, () => {
          if (this.#alive) run();
        }),
    };
  }
}

class Killed extends Error {
  override readonly name = "Killed";
}

/** Called around every write; a life that it kills before the write has not written. */
export type WriteHook = (life: Life, when: "before" | "after", records: readonly JournalRecord[]) => void;

export class CrashJournal {
  readonly entries: Entry[] = [];
  hook: WriteHook | undefined;
  readonly #opening: Opening;
  #hash = GENESIS;

  constructor(opening: Opening) {
    this.#opening = opening;
    this.write([opening], "opening0");
  }

  write(records: readonly JournalRecord[], writer: string): void {
    for (const record of records) {
      const sequence = this.entries.length + 1;
      const text = entryText(sequence, writer, record);
      this.#hash = hash("sha256", linkText(this.#hash, text), "hex");
      // Through the text, as from a disk: what does not survive it shows.
      this.entries.push(unwrap(readEntry(sequence, text, this.#hash)));
    }
  }

  open(life: Life): Journal {
    const write = (records: readonly JournalRecord[]): void => {
      if (!life.isAlive) throw new Killed();
      if (records.length === 0) return;
      this.hook?.(life, "before", records);
      if (!life.isAlive) throw new Killed();
      this.write(records, life.name);
      this.hook?.(life, "after", records);
      if (!life.isAlive) throw new Killed();
    };
    const head = (): Head => ({ sequence: this.entries.length, hash: this.#hash });
    return {
      opening: this.#opening,
      writer: life.name,
      append: (records) =>
        unlessKilled((): Receipt => {
          write(records);
          return { head: head() };
        }),
      announce(records) {
        write(records);
        return ok(head());
      },
      transact: <T>(decide: () => Decided<T>) =>
        unlessKilled((): T => {
          if (!life.isAlive) throw new Killed();
          const { records, value } = decide();
          write(records);
          return value;
        }),
      read: (after, most) => ok(this.entries.slice(after, after + most)),
      head: () => ok(head()),
      close() {},
    };
  }
}

/** The dead are never answered. */
function unlessKilled<T>(work: () => T): Promise<Result<T, JournalError>> {
  return new Promise((resolve, reject) => {
    try {
      resolve(ok(work()));
    } catch (error) {
      if (!(error instanceof Killed)) reject(error);
    }
  });
}
