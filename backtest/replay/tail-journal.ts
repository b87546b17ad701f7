// The journal of a long backtest: every record passes here, in order and as it is, and the last of them can be looked at. No
// text is made of them: nobody reads it, and making it costs more than deciding. What happened is hashed by the trace.

import { ok, type Result } from "../../src/domain/result.ts";
import type { JournalRecord } from "../../src/journal/record.ts";

/** So many lists of them, each as it came: the records of a turn are one. */
const KEPT = 128;
const WRITTEN = ok(undefined);

export class TailJournal {
  private readonly lists: (readonly JournalRecord[])[] = [];
  private announced = 0;
  /** How many records there are in all. */
  count = 0;

  announce(records: readonly JournalRecord[]): Result<undefined, never> {
    this.lists[this.announced++ % KEPT] = records;
    this.count += records.length;
    return WRITTEN;
  }

  /** The last ones, oldest first. */
  last(): readonly JournalRecord[] {
    const from = this.announced % KEPT;
    return [...this.lists.slice(from), ...this.lists.slice(0, from)].flat();
  }
}
