// A checkpoint: a record at which a start may begin instead of the first, with the state there, the few earlier records
// that are still needed, and the extent of its proof. It is a copy of journal content: a start that does not accept it
// reads the whole journal.

import { Money } from "../../domain/money/money.ts";
import { err, ok, type Result, unwrap } from "../../domain/result.ts";
import type { Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import type { ExecutorView } from "../../execution/executor.ts";
import type { Head, Journal } from "../../journal/journal.ts";
import type { Entry } from "../../journal/record.ts";
import { entryText, readEntry } from "../../journal/text/entry-text.ts";
import type { Counters } from "../../risk/counters.ts";
import { loadSaved, savedText } from "../accounts/saved-accounts.ts";
import type { SavedEngine } from "../engine/engine.ts";
import type { SavedTradingCore, TradingCore } from "../trading-core/trading-core.ts";

export type Checkpoint = {
  /** The last record that the checkpoint covers. */
  readonly base: Head;
  /**
   * Verified up to here: a trading core started at the base reached the same state as one started at the first record.
   */
  readonly proof: Head;
  readonly core: SavedTradingCore;
  /** In journal order. */
  readonly kept: readonly Entry[];
  readonly tally: SavedTally;
};

/** Makes an empty core, or one whose engine starts from the saved state. */
export type MakeTradingCore = (saved?: SavedEngine) => TradingCore;

/** The trading core at the base of the checkpoint. Throws if the data does not fit. */
export function tradingCoreAt(
  { base, core: { engine, ...saved }, kept }: Checkpoint,
  make: MakeTradingCore,
): TradingCore {
  const core = make(engine);
  core.load(saved, kept, base.sequence);
  return core;
}

/** The number of remembered orders above which ended ones are dropped. */
const REMEMBERED = 64;

/** Records that are still needed: those of open orders, and the few that belong to no order. */
class KeptEntries {
  readonly #executor: Pick<ExecutorView, "open">;
  readonly #entries: Entry[] = [];
  readonly #movements = new Set<string>();
  readonly #orders = new Map<string, Entry[]>();
  readonly #states = new Map<string, Entry>();

  constructor(executor: Pick<ExecutorView, "open">, before: readonly Entry[] = []) {
    this.#executor = executor;
    for (const entry of before) this.take(entry);
  }

  take(entry: Entry): void {
    const { record } = entry;
    switch (record.kind) {
      case "intent":
        if (record.request.kind === "order") {
          if (this.#orders.size >= REMEMBERED) this.#letGo();
          this.#orders.set(record.id, [entry]);
          return;
        }
        this.#movements.add(record.id);
        break;
      case "sending":
      case "outcome":
      case "doubt":
      case "fenced":
      case "evidence":
      case "resolution":
      case "recovered":
      case "settled":
        if (this.#movements.has(record.id)) break;
        this.#orders.get(record.id)?.push(entry);
        return;
      case "step": {
        const { event } = record.step;
        if (event.kind === "movement") break;
        if (event.kind === "report") this.#orders.get(event.clientOrderId)?.push(entry);
        return;
      }
      case "state":
        this.#states.set(record.strategy, entry);
        return;
      case "opening":
      case "started":
      case "control":
        return;
      default:
        break;
    }
    this.#entries.push(entry);
  }

  /** In journal order; undefined if an order is open again after its first records were dropped. */
  list(): readonly Entry[] | undefined {
    const orders = this.#openOrders().map((id) => this.#orders.get(id));
    if (!orders.every((entries) => entries !== undefined)) return undefined;
    const kept = [...this.#entries, ...this.#states.values(), ...orders.flat()];
    return kept.sort((one, other) => one.sequence - other.sequence);
  }

  #letGo(): void {
    const open = new Set(this.#openOrders());
    for (const id of this.#orders.keys()) if (!open.has(id)) this.#orders.delete(id);
  }

  #openOrders(): readonly string[] {
    return [...this.#executor.open()].flatMap(({ kind, id }) => (kind === "order" ? [id] : []));
  }
}

type Candidate = Omit<Checkpoint, "proof">;

/** Follows a fold of the whole journal and takes a checkpoint at the first suitable place from a given record on. */
export class CheckpointMaker {
  readonly #core: TradingCore;
  readonly #from: number;
  readonly #kept: KeptEntries;
  readonly #tally: Tally;
  #last: Head | undefined;
  #candidate: Candidate | undefined;
  #failure: string | undefined;

  /** `before`: the checkpoint at which the fold starts, if not at the first record. */
  constructor(core: TradingCore, from: number, before?: Checkpoint) {
    this.#core = core;
    this.#from = from;
    this.#kept = new KeptEntries(core.executor, before?.kept);
    this.#tally = new Tally(core.engine.books.counters, before?.tally);
  }

  /** Called after the trading core has folded the entry. */
  take(entry: Entry): void {
    const { sequence, hash } = entry;
    this.#last = { sequence, hash };
    if (this.#candidate !== undefined || this.#failure !== undefined) return;
    this.#kept.take(entry);
    this.#tally.take(entry);
    if (sequence < this.#from) return;
    try {
      this.#candidate = this.#taken(this.#last);
    } catch (error) {
      // For example, the state is too large for a string. The trading core itself continues.
      this.#failure = messageOf(error);
    }
  }

  #taken(base: Head): Candidate | undefined {
    const kept = this.#kept.list();
    const core = kept && this.#core.saved();
    if (kept === undefined || core === undefined) return undefined;
    // Copied through its text, because the trading core keeps changing its own objects.
    return { base, core: loadSaved(savedText(core)), kept, tally: { mark: this.#tally.mark } };
  }

  /**
   * Verifies the candidate: a trading core started there must reach the same state. An error says why there is no
   * checkpoint.
   */
  finish(make: MakeTradingCore, journal: Pick<Journal, "read">): Result<Checkpoint> {
    const { executor } = this.#core;
    if (this.#candidate === undefined || this.#last === undefined)
      return err(this.#failure ?? "there was no place for it");
    const found = this.#candidate;
    const since = executor.orders.save().ended - found.core.orders.ended;
    // With fewer, the core from the whole journal would still keep an order from before the base.
    if (since < executor.orders.endedMax)
      return err(`at least ${executor.orders.endedMax} orders must have ended after it, were ${since}`);
    const checkpoint = { ...found, proof: this.#last };
    try {
      const core = tradingCoreAt(checkpoint, make);
      foldBetween(core, checkpoint, journal);
      return core.summary() === this.#core.summary() ? ok(checkpoint) : err("to begin there did not come to the same");
    } catch (error) {
      // The core restored from the whole journal continues, whatever the result here.
      return err(`to begin there failed: ${messageOf(error)}`);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const BATCH = 1_000;

function foldBetween(core: TradingCore, { base, proof }: Checkpoint, journal: Pick<Journal, "read">): void {
  for (let after = base.sequence; after < proof.sequence; after += BATCH) {
    const batch = unwrap(journal.read(after, Math.min(BATCH, proof.sequence - after)));
    for (const entry of batch) core.fold(entry);
  }
}

// Writes and reads a checkpoint as text. Only text written by this code for this journal is read: data of another
// version may mean something else, and nothing is guessed.

/** The identity that must match: the reading code, the limits that the books depend on, and the journal. */
export type Belongs = { readonly code: string; readonly terms: string; readonly chainId: string };

type Written = Belongs &
  Omit<Checkpoint, "kept"> & { readonly kept: readonly (readonly [sequence: number, hash: string, text: string])[] };

export function checkpointText({ kept, ...rest }: Checkpoint, { code, terms, chainId }: Belongs): string {
  const lines = kept.map(({ sequence, hash, writer, record }) => [sequence, hash, entryText(sequence, writer, record)]);
  return savedText({ code, terms, chainId, ...rest, kept: lines });
}

/** `hashAt`: the hash of the journal's record with that number; undefined if there is none. */
export function readCheckpoint(
  text: string,
  { code, terms, chainId }: Belongs,
  hashAt: (sequence: number) => string | undefined,
): Result<Checkpoint> {
  const written = loadSaved<Written>(text);
  if (written.code !== code) return err("another version of pegbot made it");
  if (written.terms !== terms) return err("it was made with another currency or fee among the limits");
  if (written.chainId !== chainId) return err("it was made of another journal");
  const { base, proof, core, tally } = written;
  for (const { sequence, hash } of [base, proof])
    if (hashAt(sequence) !== hash) return err(`record ${sequence} of the journal is not the one that it was made with`);
  const kept: Entry[] = [];
  for (const [sequence, hash, line] of written.kept) {
    const entry = readEntry(sequence, line, hash);
    if (!entry.ok) return err(`record ${sequence} in it cannot be read: ${entry.error}`);
    kept.push(entry.value);
  }
  return ok({ base: headOf(base), proof: headOf(proof), core, kept, tally });
}

function headOf({ sequence, hash }: Head): Head {
  return { sequence, hash };
}

// Figures for display that are in no books: the last mark, and the deposits less withdrawals since.

export type Mark = { readonly equity: Money; readonly at: Millis; readonly adopted: Money };

export type SavedTally = { readonly mark?: Mark | undefined };

export class Tally {
  mark: Mark | undefined = undefined;
  readonly #counters: Pick<Counters, "peak">;
  /** The peak before the next step. */
  #peak: Money | undefined;

  /** `counters`: those of `saved`, or empty. */
  constructor(counters: Pick<Counters, "peak">, saved?: SavedTally) {
    this.#counters = counters;
    this.#peak = counters.peak;
    this.mark = saved?.mark;
  }

  /** Called after the counters have applied it. */
  take({ record }: Pick<Entry, "record">): void {
    const before = this.#peak;
    const after = this.#counters.peak;
    this.#peak = after;
    if (record.kind === "step") this.#step(record.step, before, after);
  }

  #step({ mark, at }: Step, before: Money | undefined, after: Money | undefined): void {
    if (mark !== undefined) this.mark = { equity: mark, at, adopted: Money.zero(mark.asset) };
    // Without a mark the peak moves only by deposits and withdrawals. A peak that restarts counts as neither.
    else if (this.mark !== undefined && before !== undefined && after !== undefined && before !== after)
      this.mark = { ...this.mark, adopted: this.mark.adopted.plus(after.minus(before)) };
  }
}
