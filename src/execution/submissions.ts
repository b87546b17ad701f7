// All submissions that matter: those not known to have ended, the last of those that have, and of older ones what became
// of them. The same bookkeeping follows a living submission and one that is read back from the journal.

import { InvariantViolation, unreachable } from "../domain/invariant.ts";
import { hasSettled, type MintRecord } from "../domain/mint.ts";
import type { Fill } from "../domain/order.ts";
import type { Millis, Mono } from "../domain/time.ts";
import type { MovementTold } from "./movement-report.ts";
import type { Sentinel } from "./order-evidence.ts";
import { PastOrders } from "./past-orders.ts";
import { Publication } from "./publication.ts";
import type { State, Submission } from "./submission.ts";

/** As many as the engine's accounts remember: a late fill of these can be booked. */
const ENDED_MAX = 10_000;

/** To ask a map for its oldest key again and again walks over all that were deleted. */
class Ring {
  readonly #places: Held[] = [];
  #next = 0;

  /** What has to go for it. */
  put(held: Held): Held | undefined {
    const oldest = this.#places[this.#next];
    this.#places[this.#next] = held;
    this.#next = (this.#next + 1) % ENDED_MAX;
    return oldest;
  }
}

/** A submission and what is known around it. */
export type Held = {
  submission: Submission;
  /** The process that wrote the last record of it, and keeps it as long as it lives. */
  keeper: string;
  readonly intendedAt: Millis;
  /** What the engine was last told of it. */
  told: Told | undefined;
  /** The same of a mint. */
  movement: MovementTold | undefined;
  sentinel: Sentinel;
  /** When the answer came that it is done; undefined once its process was gone in between. */
  acceptedAt: Millis | undefined;
  /** Since when the ledger has it: by the record, and by our own clock where this process booked it. */
  bookedAt: Millis | undefined;
  bookedFrom: Mono | undefined;
  /** The balances have shown it. */
  isMoved: boolean;
  /** Of a mint: since when the list says that it has settled, since when only one side does, and that a person was asked. */
  listedAt: Millis | undefined;
  oneSidedAt: Millis | undefined;
  isAsked: boolean;
};

export type Told = "not-sent" | "rejected" | "filled" | "confirmed" | "doubt" | "escalated" | "dead";

/** What a state is to the engine; undefined of what it knows by itself. */
export function toldOf({ kind }: Pick<State<unknown>, "kind">): Told | undefined {
  switch (kind) {
    case "intended":
    case "sending":
      return undefined;
    case "not-sent":
    case "rejected":
    case "escalated":
      return kind;
    case "accepted":
      return "filled";
    case "confirmed":
    case "settled":
    case "zombie":
      return "confirmed";
    case "doubt":
    case "fenced":
      return "doubt";
    case "presumed-dead":
      return "dead";
    default:
      return unreachable(kind);
  }
}

export class Submissions {
  readonly publication = new Publication();
  readonly #all = new Map<string, Held>();
  /** In the order in which they opened; another list with every change, so that who walks over one is not disturbed. */
  #open: readonly Held[] = [];
  readonly #past = new PastOrders();
  /** The venue's order ids of fills: its histories may name an order by nothing else. */
  readonly #orderIds = new Map<string, string>();
  readonly #endedOrders = new Ring();
  /** Few, and the venue's lists name them by ids that only they know: no number of orders makes strangers of them. */
  readonly #endedMovements = new Ring();
  /** The last order that filled: from then on every history must show it. */
  #lastFilled: Sentinel = { kind: "none" };

  /** None is open. */
  get isClosed(): boolean {
    return this.#open.length === 0;
  }

  open(): readonly Held[] {
    return this.#open;
  }

  /** The open ones, and the last that have ended. */
  all(): Iterable<Held> {
    return this.#all.values();
  }

  find(id: string): Held | undefined {
    return this.#all.get(id);
  }

  get(id: string): Held {
    const held = this.#all.get(id);
    if (held === undefined) throw new InvariantViolation(`${id} must have been intended before anything else`);
    return held;
  }

  /** Of a row that history lists under a name, or only under the venue's own. */
  idOf({
    clientOrderId,
    orderId,
  }: {
    readonly clientOrderId: string | undefined;
    readonly orderId?: string | undefined;
  }): string | undefined {
    return clientOrderId ?? (orderId === undefined ? undefined : this.#orderIds.get(orderId));
  }

  /** What became of an order that is no longer kept whole. */
  pastOf(id: string): ReturnType<PastOrders["find"]> {
    return this.#past.find(id);
  }

  /** The venue had rows before our first: which of them a history must show is not known. */
  hasOlderHistory(): void {
    if (this.#lastFilled.kind === "none") this.#lastFilled = { kind: "unknown" };
  }

  add(submission: Submission, keeper: string, intendedAt: Millis): Held {
    const { id } = submission;
    if (this.#all.has(id) || this.#past.find(id) !== "unknown")
      throw new InvariantViolation(`${id} must be used once, and was used before`);
    const held: Held = {
      submission,
      keeper,
      intendedAt,
      told: undefined,
      movement: undefined,
      sentinel: this.#lastFilled,
      acceptedAt: undefined,
      bookedAt: undefined,
      bookedFrom: undefined,
      isMoved: false,
      listedAt: undefined,
      oneSidedAt: undefined,
      isAsked: false,
    };
    this.#all.set(id, held);
    this.#opens(held);
    return held;
  }

  /** `seen`: by history, not by a person's word. */
  became(held: Held, submission: Submission, at: Millis, seen: boolean): void {
    const before = held.submission.state.kind;
    held.submission = submission;
    const { kind, state } = submission;
    if (kind === "mint" && "receipt" in state && hasSettled(state.receipt as MintRecord)) held.listedAt ??= at;
    if (state.kind === before) return;
    switch (state.kind) {
      case "sending":
        held.sentinel = this.#lastFilled;
        return;
      case "accepted":
        held.acceptedAt = at;
        this.#booked(held, at);
        return;
      case "confirmed":
      case "zombie":
        if (before === "accepted") {
          if (seen && submission.kind === "order")
            this.publication.saw(held.acceptedAt === undefined ? undefined : at - held.acceptedAt);
        } else this.#booked(held, at);
        this.#opens(held);
        return;
      case "settled":
      case "rejected":
      case "not-sent":
      case "presumed-dead":
        this.#end(held);
        return;
      default:
        return;
    }
  }

  /** Its process was gone: what passed in between says nothing about the venue, nor does our clock. */
  recovered(held: Held): void {
    held.acceptedAt = undefined;
    held.bookedFrom = undefined;
  }

  #booked(held: Held, at: Millis): void {
    const { kind, id, state } = held.submission;
    held.bookedAt = at;
    if (kind !== "order" || !("receipt" in state)) return;
    this.#orderIds.set((state.receipt as Fill).orderId, id);
    this.#lastFilled = { kind: "record", clientOrderId: id };
  }

  #opens(held: Held): void {
    if (!this.#open.includes(held)) this.#open = [...this.#open, held];
  }

  #end(held: Held): void {
    const { kind } = held.submission;
    this.#open = this.#open.filter((one) => one !== held);
    const oldest = (kind === "order" ? this.#endedOrders : this.#endedMovements).put(held);
    if (oldest !== undefined) this.#forget(oldest);
  }

  #forget(held: Held): void {
    const { kind, id, state } = held.submission;
    // It came back to life since, and will end again; or ended twice, and the second place in the ring is its own.
    if (this.#open.includes(held) || !this.#all.has(id)) return;
    this.#all.delete(id);
    const isDone = state.kind === "settled";
    if (kind === "order" && isDone) this.#orderIds.delete((state.receipt as Fill).orderId);
    this.#past.remember(id, isDone ? "filled" : "given-up");
  }
}
