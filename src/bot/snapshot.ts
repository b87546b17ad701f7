// A snapshot of the engine at one record of the journal: a start begins there instead of at the first record. It holds
// the state, and the numbers of the earlier records that are still needed. The journal remains the only truth: a
// snapshot of other code, limits or records is refused, and then everything is read.

import type { SavedBooks } from "../books/books.ts";
import { errorMessage } from "../domain/error-message.ts";
import type { Money } from "../domain/money/money.ts";
import { err, ok, type Result, unwrap } from "../domain/result.ts";
import { DAY_MS, type Millis } from "../domain/time.ts";
import type { Head, Journal, JournalError } from "../journal/journal.ts";
import type { Entry } from "../journal/record.ts";
import { OtherCurrency } from "../risk/counters.ts";
import type { Engine, SavedEngine } from "./engine.ts";
import { ASKED_MS } from "./requests.ts";
import { loadSaved, savedText } from "./saved-text.ts";

export type Snapshot = {
  /** The last record that it covers, and its time. */
  readonly base: Head;
  readonly at: Millis;
  readonly engine: SavedEngine;
  /** Equity then, for a status without a bot. */
  readonly equity: Money | undefined;
  /** In journal order. */
  readonly kept: readonly Entry[];
};

/** Entries after a sequence. */
export type Records = { read(after: number, most: number): Result<readonly Entry[], unknown> };

/** The identity that must match: the reading code, the limits that the books depend on, and the journal. */
export type Belongs = { readonly code: string; readonly terms: string; readonly chainId: string };

/** Makes an empty engine, or one whose books start from the saved state. */
export type MakeEngine = (saved?: SavedBooks) => Engine;

export type SnapshotParts = {
  readonly journal: Records;
  /** The text as it was written; an error if it is damaged, undefined if there is none. */
  readonly find: () => Result<string> | undefined;
  readonly belongs: () => Belongs;
  readonly say: (text: string) => void;
};

type Written = Belongs & Omit<Snapshot, "kept"> & { readonly kept: readonly number[] };

/** So many records are read at a time; while the bot runs, one such reading a second follows what it wrote. */
const BATCH = 1_000;

export function snapshotText({ kept, ...rest }: Snapshot, belongs: Belongs): string {
  return savedText({ ...belongs, ...rest, kept: kept.map(({ sequence }) => sequence) } satisfies Written);
}

/** What is made of the snapshot; undefined where there is none, or any doubt about it. */
export function fromSnapshot<T>(
  { journal, find, belongs, say }: SnapshotParts,
  begin: (snapshot: Snapshot) => T,
): T | undefined {
  try {
    const text = find();
    return text && begin(unwrap(readSnapshot(unwrap(text), belongs(), journal)));
  } catch (error) {
    say(`the snapshot is refused, and the whole journal is read: ${errorMessage(error)}`);
    return undefined;
  }
}

export function readSnapshot(text: string, belongs: Belongs, journal: Records): Result<Snapshot> {
  const { code, terms, chainId, kept, ...rest } = loadSaved<Written>(text);
  if (code !== belongs.code) return err("another version of pegbot made it");
  if (terms !== belongs.terms) return err("it was made with another currency or fee among the limits");
  if (chainId !== belongs.chainId) return err("it was made of another journal");
  const { sequence, hash } = rest.base;
  const entries = entriesAt([...kept, sequence], journal);
  if (entries.at(-1)?.hash !== hash) return err(`record ${sequence} of the journal is not the one it was made with`);
  return ok({ ...rest, kept: entries.slice(0, -1) });
}

/** Neighbours are read together. */
function entriesAt(sequences: readonly number[], journal: Records): readonly Entry[] {
  const entries: Entry[] = [];
  for (let i = 0, count = 1; i < sequences.length; i += count) {
    const first = sequences[i] as number;
    for (count = 1; sequences[i + count] === first + count; ) count++;
    entries.push(...unwrap(journal.read(first - 1, count)));
  }
  return entries;
}

export function engineAt({ base, engine: saved, kept }: Snapshot, make: MakeEngine): Engine {
  const engine = make(saved.books);
  engine.load(saved, kept, base.sequence);
  return engine;
}

/** The engine that the journal describes: a fold of its records, from its snapshot on. */
export function restoreFrom(
  make: MakeEngine,
  journal: Pick<Journal, "read">,
  snapshots?: Snapshots,
): Result<Engine, JournalError> {
  try {
    const engine = snapshots?.begin(make) ?? make();
    for (let after = engine.folded; ; ) {
      const batch = journal.read(after, BATCH);
      if (!batch.ok) return batch;
      if (batch.value.length === 0) return ok(engine);
      for (const entry of batch.value) {
        engine.fold(entry);
        snapshots?.take(entry, engine);
        after = entry.sequence;
      }
    }
  } catch (error) {
    if (error instanceof OtherCurrency) return err({ code: "journal-foreign", message: error.message });
    throw error;
  }
}

/** The records that an engine cannot do without: of requests that it keeps in full, and the few of no order. */
export class KeptRecords {
  #others: Entry[] = [];
  readonly #orders = new Map<string, Entry[]>();
  #left = 0;

  take(entry: Entry): void {
    const { record } = entry;
    if (record.kind === "opening" || record.kind === "started" || record.kind === "control") return;
    if (record.kind === "intent" && record.request.kind === "order") {
      this.#orders.set(record.id, [entry]);
    } else if (record.kind === "step") {
      const { event } = record.step;
      if (event.kind === "movement") this.#others.push(entry);
      if (event.kind === "report") this.#orders.get(event.clientOrderId)?.push(entry);
    } else (("id" in record && this.#orders.get(record.id)) || this.#others).push(entry);
  }

  /** Twice as many orders as the last pruning left. */
  get isLarge(): boolean {
    return this.#orders.size > 2 * Math.max(this.#left, BATCH);
  }

  /** Drops orders that the engine no longer keeps in full, superseded states, and what cannot be asked for again. */
  prune({ executor }: Engine, now: Millis): void {
    for (const id of this.#orders.keys()) if (executor.get(id) === undefined) this.#orders.delete(id);
    this.#left = this.#orders.size;
    const states = new Set<string>();
    const isNeeded = ({ record }: Entry): boolean => {
      if (record.kind === "operation") return now - record.at < ASKED_MS;
      return record.kind !== "state" || (!states.has(record.strategy) && states.add(record.strategy).size > 0);
    };
    this.#others = this.#others.toReversed().filter(isNeeded).toReversed();
  }

  /** In journal order. */
  list(): readonly Entry[] {
    const kept = [...this.#others, ...[...this.#orders.values()].flat()];
    return kept.sort((one, other) => one.sequence - other.sequence);
  }
}

type FollowParts = SnapshotParts & {
  readonly keep: (text: string) => void;
  /** Called while a journal is read. */
  readonly progress: (sequence: number) => void;
};

/** Follows the journal of a running engine, writes its snapshot daily and at a stop, and begins the next engine there. */
export class Snapshots {
  readonly #parts: FollowParts;
  #kept = new KeptRecords();
  #base: Pick<Snapshot, "base" | "at"> | undefined;
  /** The last record that was followed. */
  #last: Head | undefined;

  constructor(parts: FollowParts) {
    this.#parts = parts;
  }

  /** An empty engine where there is no snapshot. */
  begin(make: MakeEngine): Engine {
    this.#kept = new KeptRecords();
    this.#base = undefined;
    this.#last = undefined;
    const engine = fromSnapshot(this.#parts, (snapshot) => {
      const made = engineAt(snapshot, make);
      for (const entry of snapshot.kept) this.#kept.take(entry);
      this.#base = snapshot;
      this.#last = snapshot.base;
      return made;
    });
    return engine ?? make();
  }

  /** After the engine has taken the entry. */
  take(entry: Entry, engine: Engine): void {
    const { sequence, hash, record } = entry;
    this.#kept.take(entry);
    this.#last = { sequence, hash };
    if (this.#kept.isLarge) this.#kept.prune(engine, record.at);
    if (sequence % BATCH === 0) this.#parts.progress(sequence);
  }

  /** Between two turns: reads what was written meanwhile, and writes a snapshot where one is due. */
  follow(engine: Engine, now: Millis, isLast = false): void {
    for (let isBehind = true; isBehind; ) {
      const batch = this.#parts.journal.read(this.#last?.sequence ?? 0, BATCH);
      if (!batch.ok) return;
      for (const entry of batch.value) this.take(entry, engine);
      isBehind = batch.value.length === BATCH;
      if (isBehind && !isLast) return;
    }
    if (this.#last === undefined) return;
    const isGrown = this.#last.sequence - (this.#base?.base.sequence ?? 0) >= BATCH;
    const isDue = isLast || now - (this.#base?.at ?? Number.NEGATIVE_INFINITY) >= DAY_MS;
    if (isGrown && isDue) this.#write(engine, this.#last, now);
  }

  #write(engine: Engine, base: Head, at: Millis): void {
    this.#base = { base, at };
    this.#kept.prune(engine, at);
    const equity = engine.books.pricing.equity();
    try {
      const { belongs, keep } = this.#parts;
      keep(snapshotText({ base, at, engine: engine.save(), equity, kept: this.#kept.list() }, belongs()));
    } catch (error) {
      this.#parts.say(`no snapshot is kept, the next start reads more: ${errorMessage(error)}`);
    }
  }
}
