// A place in the journal that a start may begin at instead of the first record: the books as they were there, the few records
// before it that are still needed, and how far it was tried. It is a copy of what the journal says and never more than that:
// whoever doubts it reads everything.

import { err, ok, type Result, unwrap } from "../../domain/result.ts";
import type { ExecutorView } from "../../execution/executor.ts";
import type { Head, Journal } from "../../journal/journal.ts";
import type { Entry } from "../../journal/record.ts";
import type { Desk, SavedDesk } from "../desk/desk.ts";
import type { SavedEngine } from "../engine/engine.ts";
import { stateKey } from "../seat/strategy-state.ts";
import { type SavedTally, Tally } from "./tally.ts";

export type Checkpoint = {
  /** The last record that it stands for. */
  readonly base: Head;
  /** Up to here it was tried: a desk that began at the base came to the same as one that began at the first record. */
  readonly proof: Head;
  readonly desk: SavedDesk;
  /** In their order. */
  readonly kept: readonly Entry[];
  readonly tally: SavedTally;
};

/** An empty desk, or one whose engine begins with that. */
export type MakeDesk = (saved?: SavedEngine) => Desk;

/** The desk as it was at the base of the checkpoint. Throws where it does not fit. */
export function deskAt({ base, desk: { engine, ...saved }, kept }: Checkpoint, make: MakeDesk): Desk {
  const desk = make(engine);
  desk.load(saved, kept, base.sequence);
  return desk;
}

/** How many orders are remembered before those that are over are let go. */
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
        this.#states.set(stateKey(record), entry);
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

  /** In their order; undefined where an order is open again and its first records were let go. */
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

type Candidate = Omit<Checkpoint, "proof"> & { readonly ended: number };

/** Follows a fold of the whole journal, and takes a checkpoint at the first good place from a given record on. */
export class CheckpointMaker {
  readonly #desk: Desk;
  readonly #from: number;
  readonly #kept: KeptEntries;
  readonly #tally: Tally;
  #last: Head | undefined;
  #candidate: Candidate | undefined;
  #failure: string | undefined;

  /** `before`: where the fold begins, if not at the first record. */
  constructor(desk: Desk, from: number, before?: Checkpoint) {
    this.#desk = desk;
    this.#from = from;
    this.#kept = new KeptEntries(desk.executor, before?.kept);
    this.#tally = new Tally(desk.engine.context.books, before?.tally);
  }

  /** After the desk has folded it. */
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
      // For example too large to be a text. The desk itself goes on.
      this.#failure = messageOf(error);
    }
  }

  #taken(base: Head): Candidate | undefined {
    const kept = this.#kept.list();
    const desk = kept && this.#desk.saved();
    if (kept === undefined || desk === undefined) return undefined;
    // Copied by way of its text: the desk goes on changing its own objects.
    const plain = JSON.parse(JSON.stringify(desk)) as SavedDesk;
    return { base, desk: plain, kept, tally: this.#tally.save(), ended: this.#desk.executor.orders.endedCount };
  }

  /** It is tried before it counts: a desk that begins there has to come to the same. An error says why there is no checkpoint. */
  finish(make: MakeDesk, journal: Pick<Journal, "read">): Result<Checkpoint> {
    const { executor } = this.#desk;
    if (this.#candidate === undefined || this.#last === undefined)
      return err(this.#failure ?? "there was no place for it");
    const { ended, ...found } = this.#candidate;
    const since = executor.orders.endedCount - ended;
    // With fewer, an order from before the base would still be kept whole by the other desk.
    if (since < executor.orders.endedMax)
      return err(`at least ${executor.orders.endedMax} orders must have ended after it, were ${since}`);
    const checkpoint = { ...found, proof: this.#last };
    try {
      const desk = deskAt(checkpoint, make);
      foldBetween(desk, checkpoint, journal);
      return desk.summary() === this.#desk.summary() ? ok(checkpoint) : err("to begin there did not come to the same");
    } catch (error) {
      // The desk that was restored from everything goes on, whatever became of this one.
      return err(`to begin there failed: ${messageOf(error)}`);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const BATCH = 1_000;

function foldBetween(desk: Desk, { base, proof }: Checkpoint, journal: Pick<Journal, "read">): void {
  for (let after = base.sequence; after < proof.sequence; after += BATCH) {
    const batch = unwrap(journal.read(after, Math.min(BATCH, proof.sequence - after)));
    for (const entry of batch) desk.fold(entry);
  }
}
