// A checkpoint as text and back. Only what this very code wrote about this very journal is read: what another version kept may
// mean something else, and is never guessed at.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Head } from "../../journal/journal.ts";
import type { Entry } from "../../journal/record.ts";
import { entryText, readEntry } from "../../journal/text/entry-text.ts";
import type { Checkpoint } from "./checkpoint.ts";

/** Who may use it: the code that reads it, what of the limits the books depend on, and the journal that it is read for. */
export type Belongs = { readonly code: string; readonly terms: string; readonly chainId: string };

type Written = Belongs &
  Omit<Checkpoint, "kept"> & { readonly kept: readonly (readonly [sequence: number, hash: string, text: string])[] };

export function checkpointText({ kept, ...rest }: Checkpoint, { code, terms, chainId }: Belongs): string {
  const lines = kept.map(({ sequence, hash, writer, record }) => [sequence, hash, entryText(sequence, writer, record)]);
  return JSON.stringify({ code, terms, chainId, ...rest, kept: lines });
}

/** `hashAt`: of the record with that number in the journal, undefined where it has none. */
export function readCheckpoint(
  text: string,
  { code, terms, chainId }: Belongs,
  hashAt: (sequence: number) => string | undefined,
): Result<Checkpoint> {
  const written = JSON.parse(text) as Written;
  if (written.code !== code) return err("another version of pegbot made it");
  if (written.terms !== terms) return err("it was made with another currency or fee among the limits");
  if (written.chainId !== chainId) return err("it was made of another journal");
  const { base, proof, desk, tally } = written;
  for (const { sequence, hash } of [base, proof])
    if (hashAt(sequence) !== hash) return err(`record ${sequence} of the journal is not the one that it was made with`);
  const kept: Entry[] = [];
  for (const [sequence, hash, line] of written.kept) {
    const entry = readEntry(sequence, line, hash);
    if (!entry.ok) return err(`record ${sequence} in it cannot be read: ${entry.error}`);
    kept.push(entry.value);
  }
  return ok({ base: headOf(base), proof: headOf(proof), desk, kept, tally });
}

function headOf({ sequence, hash }: Head): Head {
  return { sequence, hash };
}
