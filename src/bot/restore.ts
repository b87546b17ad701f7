// Restores an engine from the journal: its state is a fold of the records, in batches, from its snapshot on. Used at
// a start and whenever memory can no longer be trusted.

import { err, ok, type Result } from "../domain/result.ts";
import type { Journal, JournalError } from "../journal/journal.ts";
import type { Entry } from "../journal/record.ts";
import { OtherCurrency } from "../risk/other-currency.ts";
import type { Engine } from "./engine.ts";
import type { MakeEngine, Snapshots } from "./snapshot.ts";

const BATCH = 1_000;

type Read = Pick<Journal, "read">;

export function restoreFrom(
  make: MakeEngine,
  journal: Read,
  snapshots: Snapshots | undefined,
): Result<Engine, JournalError> {
  try {
    const core = snapshots?.begin(make) ?? make();
    return restore(core, journal, { after: core.folded, folded: (entry) => snapshots?.take(entry, core) });
  } catch (error) {
    if (error instanceof OtherCurrency) return err({ code: "journal-foreign", message: error.message });
    throw error;
  }
}

type Folding = {
  /** The last record that the engine already has. */
  readonly after?: number;
  readonly folded?: (entry: Entry) => void;
};

/** Fills an engine. */
export function restore(core: Engine, journal: Read, folding: Folding = {}): Result<Engine, JournalError> {
  let { after = 0 } = folding;
  for (;;) {
    const batch = journal.read(after, BATCH);
    if (!batch.ok) return batch;
    if (batch.value.length === 0) return ok(core);
    after = foldAll(core, batch.value, after, folding);
  }
}

/** Returns the sequence of the last entry. */
function foldAll(core: Engine, entries: readonly Entry[], after: number, { folded }: Folding): number {
  for (const entry of entries) {
    core.fold(entry);
    folded?.(entry);
  }
  return entries.at(-1)?.sequence ?? after;
}
