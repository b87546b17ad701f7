// A snapshot of the core at one record of the journal: a start begins there instead of at the first record. It holds the
// state, and the numbers of the earlier records that are still needed. The journal remains the only truth: a snapshot of
// other code, limits or records is refused, and then everything is read.

import { hash } from "node:crypto";
import type { Money } from "../domain/money/money.ts";
import { err, ok, type Result, unwrap } from "../domain/result.ts";
import { DAY_MS, type Millis } from "../domain/time.ts";
import type { Head } from "../journal/journal.ts";
import type { Entry } from "../journal/record.ts";
import { entryText } from "../journal/text/entry-text.ts";
import { loadSaved, savedText } from "./accounts/saved-accounts.ts";
import type { SavedBooks } from "./books/books.ts";
import type { Engine, SavedEngine } from "./engine.ts";

export type Snapshot = {
  /** The last record that it covers, and its time. */
  readonly base: Head;
  readonly at: Millis;
  readonly core: SavedEngine;
  /** Equity then, for a status without a bot. */
  readonly equity: Money | undefined;
  /** In journal order. */
  readonly kept: readonly Entry[];
};

/** Entries after a sequence. */
export type Records = { read(after: number, most: number): Result<readonly Entry[], unknown> };

/** The identity that must match: the reading code, the limits that the books depend on, and the journal. */
export type Belongs = { readonly code: string; readonly terms: string; readonly chainId: string };

/** Makes an empty core, or one whose books start from the saved state. */
export type MakeEngine = (saved?: SavedBooks) => Engine;

/** The core at the base of the snapshot. Throws if the data does not fit. */
export function engineAt({ base, core, kept }: Snapshot, make: MakeEngine): Engine {
  const engine = make(core.books);
  engine.load(core, kept, base.sequence);
  return engine;
}

type Written = Belongs & Omit<Snapshot, "kept"> & { readonly kept: readonly number[]; readonly digest: string };

export function snapshotText({ kept, ...rest }: Snapshot, { code, terms, chainId }: Belongs): string {
  const numbers = kept.map(({ sequence }) => sequence);
  return savedText({ code, terms, chainId, ...rest, kept: numbers, digest: digestOf(kept) } satisfies Written);
}

export function readSnapshot(text: string, belongs: Belongs, journal: Records): Result<Snapshot> {
  const { code, terms, chainId, kept: numbers, digest, ...rest } = loadSaved<Written>(text);
  if (code !== belongs.code) return err("another version of pegbot made it");
  if (terms !== belongs.terms) return err("it was made with another currency or fee among the limits");
  if (chainId !== belongs.chainId) return err("it was made of another journal");
  const { sequence, hash: expected } = rest.base;
  const [last] = entriesAt([sequence], journal);
  if (last?.hash !== expected) return err(`record ${sequence} of the journal is not the one that it was made with`);
  const kept = entriesAt(numbers, journal);
  return digestOf(kept) === digest ? ok({ ...rest, kept }) : err("a record that it names has changed");
}

function digestOf(entries: readonly Entry[]): string {
  return hash("sha256", entries.map(({ sequence, writer, record }) => entryText(sequence, writer, record)).join("\n"));
}

/** Neighbours are read together. */
function entriesAt(sequences: readonly number[], journal: Records): readonly Entry[] {
  const entries: Entry[] = [];
  for (let i = 0; i < sequences.length; ) {
    const first = sequences[i] as number;
    let count = 1;
    while (sequences[i + count] === first + count) count++;
    entries.push(...unwrap(journal.read(first - 1, count)));
    i += count;
  }
  return entries;
}

/** The records that a core cannot do without: of requests that it keeps in full, and the few of no order. */
export class KeptRecords {
  readonly #others: Entry[] = [];
  readonly #movements = new Set<string>();
  readonly #orders = new Map<string, Entry[]>();
  readonly #states = new Map<string, Entry>();
  #operations: Entry[] = [];
  #left = 0;

  take(entry: Entry): void {
    const { record } = entry;
    switch (record.kind) {
      case "intent":
        if (record.request.kind === "order") this.#orders.set(record.id, [entry]);
        else this.#movements.add(record.id) && this.#others.push(entry);
        return;
      case "sending":
      case "outcome":
      case "doubt":
      case "fenced":
      case "evidence":
      case "resolution":
      case "recovered":
      case "settled":
        (this.#movements.has(record.id) ? this.#others : this.#orders.get(record.id))?.push(entry);
        return;
      case "step":
        if (record.step.event.kind === "movement") this.#others.push(entry);
        else if (record.step.event.kind === "report") this.#orders.get(record.step.event.clientOrderId)?.push(entry);
        return;
      case "state":
        this.#states.set(record.strategy, entry);
        return;
      case "operation":
        this.#operations.push(entry);
        return;
      case "opening":
      case "started":
      case "control":
        return;
      default:
        this.#others.push(entry);
    }
  }

  /** Twice as many orders as the last pruning left. */
  get isLarge(): boolean {
    return this.#orders.size > 2 * Math.max(this.#left, BATCH);
  }

  /** Drops the orders that the core no longer keeps in full, and operations that cannot be asked for again. */
  prune(core: Engine, now: Millis): void {
    for (const id of this.#orders.keys()) if (core.executor.get(id) === undefined) this.#orders.delete(id);
    this.#left = this.#orders.size;
    this.#operations = this.#operations.filter(({ record }) => now - record.at < OPERATIONS_MS);
  }

  /** In journal order. */
  list(): readonly Entry[] {
    const kept = [...this.#others, ...this.#states.values(), ...this.#operations, ...[...this.#orders.values()].flat()];
    return kept.sort((one, other) => one.sequence - other.sequence);
  }
}

/** An id that is older than a day is refused. */
const OPERATIONS_MS = DAY_MS + 3_600_000;
/** So many records are read at a time; while the bot runs, one such reading a second follows what it wrote. */
const BATCH = 1_000;

export type SnapshotParts = {
  readonly journal: Records;
  /** The text as it was written; an error if it is damaged, undefined if there is none. */
  readonly find: () => Result<string> | undefined;
  readonly keep: (text: string) => void;
  readonly belongs: () => Belongs;
  readonly say: (text: string) => void;
  /** Called while a journal is read. */
  readonly progress: (sequence: number) => void;
};

/** Follows the journal of a running core, writes its snapshot daily and at a stop, and begins the next core there. */
export class Snapshots {
  readonly #parts: SnapshotParts;
  #kept = new KeptRecords();
  #base: Pick<Snapshot, "base" | "at"> | undefined;
  /** The last record that was followed. */
  #last: Head | undefined;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  /** An empty core where there is no snapshot, or any doubt about it. */
  begin(make: MakeEngine): Engine {
    this.#kept = new KeptRecords();
    this.#base = undefined;
    this.#last = undefined;
    const { find, belongs, journal, say } = this.#parts;
    try {
      const text = find();
      if (text === undefined) return make();
      const snapshot = unwrap(readSnapshot(unwrap(text), belongs(), journal));
      const core = engineAt(snapshot, make);
      for (const entry of snapshot.kept) this.#kept.take(entry);
      this.#base = snapshot;
      this.#last = snapshot.base;
      return core;
    } catch (error) {
      say(`the snapshot is refused, and the whole journal is read: ${messageOf(error)}`);
      return make();
    }
  }

  /** After the core has taken the entry. */
  take(entry: Entry, core: Engine): void {
    const { sequence, hash, record } = entry;
    this.#kept.take(entry);
    this.#last = { sequence, hash };
    if (this.#kept.isLarge) this.#kept.prune(core, record.at);
    if (sequence % BATCH === 0) this.#parts.progress(sequence);
  }

  /** Between two turns: reads what was written meanwhile, and writes a snapshot where one is due. */
  follow(core: Engine, now: Millis, isLast = false): void {
    for (let isBehind = true; isBehind; ) {
      const batch = this.#parts.journal.read(this.#last?.sequence ?? 0, BATCH);
      if (!batch.ok) return;
      for (const entry of batch.value) this.take(entry, core);
      isBehind = batch.value.length === BATCH;
      if (isBehind && !isLast) return;
    }
    if (this.#last === undefined) return;
    const isGrown = this.#last.sequence - (this.#base?.base.sequence ?? 0) >= BATCH;
    const isDue = isLast || now - (this.#base?.at ?? Number.NEGATIVE_INFINITY) >= DAY_MS;
    if (isGrown && isDue) this.#write(core, this.#last, now);
  }

  #write(core: Engine, base: Head, at: Millis): void {
    this.#base = { base, at };
    const saved = core.save();
    // A strategy whose state cannot be saved has halted the bot already.
    if (saved === undefined) return;
    this.#kept.prune(core, at);
    const equity = core.books.pricing.equity();
    try {
      this.#parts.keep(snapshotText({ base, at, core: saved, equity, kept: this.#kept.list() }, this.#parts.belongs()));
    } catch (error) {
      this.#parts.say(`no snapshot is kept, the next start reads more: ${messageOf(error)}`);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
