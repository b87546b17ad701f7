// The journal of a long backtest: every record passes here, in order and as it is, and the last of them can be looked at. No
// text is made of them: nobody reads it, and making it costs more than deciding. What happened is hashed by the trace.

import { ok, type Result } from "../domain/result.ts";
import type { JournalRecord } from "./record.ts";

const KEPT = 256;

export class TailJournal {
  readonly #last: JournalRecord[] = [];
  #count = 0;

  /** Of all that were recorded. */
  get count(): number {
    return this.#count;
  }

  record(value: JournalRecord): void {
    this.#last[this.#count % KEPT] = value;
    this.#count++;
  }

  announce(records: readonly JournalRecord[]): Result<undefined, never> {
    for (const value of records) this.record(value);
    return ok(undefined);
  }

  /** The last ones, oldest first. */
  last(): readonly JournalRecord[] {
    const from = this.#count % KEPT;
    return this.#count <= KEPT ? [...this.#last] : [...this.#last.slice(from), ...this.#last.slice(0, from)];
  }
}
