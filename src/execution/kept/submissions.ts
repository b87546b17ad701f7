// All submissions that matter: those not known to have ended, the last of those that have, and of older ones what became
// of them. The same bookkeeping follows a living submission and one that is read back from the journal.

import { emptyList } from "../../domain/empty-list.ts";
import { InvariantViolation } from "../../domain/invariant.ts";
import { hasSettled, type MintRecord } from "../../domain/mint.ts";
import type { Fill } from "../../domain/order.ts";
import type { Rail } from "../../domain/rail.ts";
import type { Millis } from "../../domain/time.ts";
import { isHeld } from "../../domain/venue-word.ts";
import type { IntentRecord } from "../../journal/record.ts";
import type { Sentinel } from "../order-evidence.ts";
import type { AnyReceipt, State } from "../submission.ts";
import { ById, type PastOrder, type SavedPast } from "./by-id.ts";
import { ENDED_MAX, EndedOrders } from "./ended-orders.ts";
import { DONE, DOUBTFUL, Held, OPEN, traitsOf, UNCERTAIN, WAITING } from "./held.ts";
import { Publication, type SavedPublication } from "./publication.ts";

/**
 * Of orders that are over: only what became of them. Of open orders: only what does not follow from their own records. A process that
 * begins with this comes to know the same as one that saw everything once `endedMax` more orders have ended: by then that one has let
 * go of the orders that were over, too.
 */
export type SavedOrders = {
  readonly past: SavedPast;
  readonly publication: SavedPublication;
  readonly lastFilled: Sentinel;
  readonly ended: EndedOrders["progress"];
  readonly sentinels: readonly (readonly [id: string, sentinel: Sentinel])[];
};

/** The last so many, in places that are used again. A map would do, but finding its oldest key walks over all that were deleted. */
class Ring {
  private readonly places: Held[] = [];
  private next = 0;

  /** Gives back the oldest, which has to go for it. */
  put(held: Held): Held | undefined {
    const oldest = this.places[this.next];
    this.places[this.next] = held;
    this.next = (this.next + 1) % ENDED_MAX;
    return oldest;
  }
}

/** How many orders one answer of history mostly confirms. */
const SHOWN_AT_ONCE = 4;

export class Submissions {
  readonly publication = new Publication();
  private readonly byId = new ById();
  /** Mints and rails, in the order in which they were intended. */
  private readonly moving = new Map<string, Held>();
  /** The one that was intended last: most of what is heard is about it. */
  private latest: Held | undefined = undefined;
  /** Both in the order in which they opened. */
  private readonly opens = emptyList<Held>();
  private readonly waits = emptyList<Held>();
  private openedCount = 0;
  private doubtful = 0;
  /** Open orders of which nobody knows whether they happened, and open mints. */
  private uncertain = 0;
  /** The venue's order ids of fills, where its histories name orders by nothing else; made when the first does. */
  private orderIds: Map<string, string> | undefined = undefined;
  private readonly ended: EndedOrders;
  /** Mints and rails have a ring of their own: they are few, and must stay known by the venue's ids however many orders end. */
  private readonly endedMovements = new Ring();
  /** The last order that filled: every later history must show it. */
  private lastFilled: Sentinel = { kind: "none" };

  /** `endedMax`: so many of the last orders that have ended are kept whole. */
  constructor(endedMax?: number) {
    this.ended = new EndedOrders(endedMax);
  }

  /** After so many more orders have ended, only what became of an order is known. */
  get endedMax(): number {
    return this.ended.most;
  }

  /** How often orders have ended so far; one that came back to life and ended again counts twice. */
  get endedOrders(): number {
    return this.ended.total;
  }

  save(): SavedOrders {
    const open = this.opens.filter(({ kind }) => kind === "order");
    return {
      past: this.pastOrders(),
      publication: this.publication.save(),
      lastFilled: this.lastFilled,
      ended: this.ended.progress,
      sentinels: open.map(({ id, sentinel }) => [id, sentinel]),
    };
  }

  /** Only while nothing is known yet. `refold` brings in the open orders, and all mints and rails, from their records. */
  load({ past, publication, lastFilled, ended, sentinels }: SavedOrders, refold: () => void): void {
    this.byId.load(past);
    refold();
    // After the refold: as if the orders that are over had been seen too.
    this.publication.load(publication);
    this.lastFilled = lastFilled;
    this.ended.goOn(ended);
    for (const [id, sentinel] of sentinels) this.get(id).sentinel = sentinel;
  }

  /** All that answers depend on, as plain data, for comparing two of them. */
  summary(): unknown {
    const { lastFilled, doubtful, uncertain } = this;
    return {
      open: this.opens.map(plain),
      waiting: this.waits.map(({ id }) => id),
      moving: Array.from(this.moving.values(), plain),
      ended: Array.from(this.ended.all(), (held) => held && plain(held)),
      counts: [...this.ended.progress, doubtful, uncertain],
      past: this.pastOrders(),
      publication: this.publication.save(),
      lastFilled,
    };
  }

  private pastOrders(): SavedPast {
    return this.byId.save((kept) => {
      if (typeof kept === "number") return this.ended.flat.isFilledAt(kept) ? "filled" : "given-up";
      if (kept.kind !== "order" || (kept.traits & OPEN) !== 0) return undefined;
      return (kept.traits & DONE) !== 0 ? "filled" : "given-up";
    });
  }

  /** A walker that changes one of them must look at the same place again, if another has moved there. */
  get open(): readonly Held[] {
    return this.opens;
  }

  /** Open ones that wait for history, or for what it shows to go on. The passing of time concerns only these. */
  get waiting(): readonly Held[] {
    return this.waits;
  }

  /** How many are in doubt, fenced or escalated. */
  get doubts(): number {
    return this.doubtful;
  }

  /** No order is being sent or in doubt, and no mint is open: whatever the balances do not show yet is booked. */
  get areCertain(): boolean {
    return this.uncertain === 0;
  }

  /** Mints and rails: the open ones, and the last that have ended. */
  movements(): Iterable<Held> {
    return this.moving.values();
  }

  /** What a difference of the balances may belong to: mints and rails, also those that are over, and the last orders that filled, the latest first. */
  mayDiffer(): { readonly moving: Iterable<Held>; readonly fills: readonly Held[] } {
    const orders = [...this.ended.newest(), ...this.open].filter(
      ({ kind, state }) => kind === "order" && "receipt" in state,
    );
    const fills = orders.reverse().sort((one, other) => (other.bookedAt ?? 0) - (one.bookedAt ?? 0));
    return { moving: this.moving.values(), fills };
  }

  /** The last orders that were given up without the venue's word, `most` at most. */
  presumedDead(most: number): readonly Held[] {
    const dead = [...this.ended.unflattened()].filter(({ state }) => state.kind === "presumed-dead");
    return dead.slice(-most);
  }

  find(id: string): Held | undefined {
    const latest = this.latest;
    if (latest !== undefined && latest.id === id) return latest;
    const kept = this.byId.find(id);
    return typeof kept === "number" ? this.ended.revive(kept) : kept;
  }

  /** The same, for a row of history: that is mostly about one of the last orders that wait for it. */
  findShown(id: string): Held | undefined {
    const { waits } = this;
    const last = waits.length - 1;
    for (let i = last; i >= 0 && i > last - SHOWN_AT_ONCE; i--) if (waits[i]?.id === id) return waits[i];
    return this.find(id);
  }

  /** Only its state, so that an order that is kept flat need not be made whole. */
  stateOf(id: string): State<AnyReceipt>["kind"] | undefined {
    const kept = this.byId.find(id);
    if (typeof kept !== "number") return kept?.state.kind;
    return this.ended.flat.isFilledAt(kept) ? "settled" : "rejected";
  }

  get(id: string): Held {
    const held = this.find(id);
    if (held === undefined) throw new InvariantViolation(`${id} must have been intended before anything else`);
    return held;
  }

  /** The id of a row of history, which has our name or only the venue's. */
  idOf({
    clientOrderId,
    orderId,
  }: {
    readonly clientOrderId: string | undefined;
    readonly orderId?: string | undefined;
  }): string | undefined {
    if (clientOrderId !== undefined || orderId === undefined) return clientOrderId;
    this.orderIds ??= this.orderIdsOf();
    return this.orderIds.get(orderId);
  }

  /** What became of an order that is no longer kept whole. */
  pastOf(id: string): PastOrder {
    return this.byId.pastOf(id);
  }

  /** The venue had rows before our first one: it is not known which of those a history must show. */
  hasOlderHistory(): void {
    if (this.lastFilled.kind === "none") this.lastFilled = { kind: "unknown" };
  }

  add(intent: IntentRecord, keeper: string): Held {
    const held = new Held(intent, keeper, this.lastFilled);
    if (!this.byId.add(held)) throw new InvariantViolation(`${held.id} must be used once, and was used before`);
    if (held.kind !== "order") this.moving.set(held.id, held);
    this.latest = held;
    this.turns(held, traitsOf(held.kind, "intended"));
    // Safe here: nobody holds another submission while one is intended.
    this.ended.flatten();
    return held;
  }

  /** `seen`: history showed it, and not a person's word. `unreadFrom`: since when the list that shows it could not be read. */
  became(held: Held, state: State<AnyReceipt>, at: Millis, seen: boolean, unreadFrom?: Millis): void {
    const before = held.state.kind;
    const { kind } = state;
    held.state = state;
    if (held.kind !== "order" && "receipt" in state) listed(held, state.receipt as MintRecord | Rail, at);
    if (kind === before) return;
    if (kind === "sending") held.sentinel = this.lastFilled;
    else if (kind === "accepted") {
      held.acceptedAt = at;
      this.booked(held, at);
    } else if (kind === "confirmed" || kind === "zombie") {
      if (before !== "accepted") this.booked(held, at);
      else if (seen && held.kind === "order") this.publication.saw(delayOf(held.acceptedAt, at, unreadFrom));
    }
    const traits = traitsOf(held.kind, kind);
    if (traits !== held.traits) this.turns(held, traits);
  }

  /** Its process was gone: the time that passed meanwhile says nothing about how fast the venue publishes. */
  recovered(held: Held): void {
    held.acceptedAt = undefined;
    held.bookedFrom = undefined;
  }

  private booked(held: Held, at: Millis): void {
    held.bookedAt = at;
    if (held.kind !== "order" || !("receipt" in held.state)) return;
    this.orderIds?.set((held.state.receipt as Fill).orderId, held.id);
    this.lastFilled = { kind: "record", clientOrderId: held.id };
  }

  /** Puts it into the lists and counts that it belongs to now, and takes it out of the others. */
  private turns(held: Held, traits: number): void {
    const changed = held.traits ^ traits;
    held.traits = traits;
    if ((changed & OPEN) !== 0 && (traits & OPEN) !== 0) {
      held.place = this.openedCount++;
      this.opens.push(held);
    }
    if ((changed & WAITING) !== 0) {
      if ((traits & WAITING) !== 0) insert(this.waits, held);
      else remove(this.waits, held);
    }
    if ((changed & DOUBTFUL) !== 0) this.doubtful += (traits & DOUBTFUL) !== 0 ? 1 : -1;
    if ((changed & UNCERTAIN) !== 0) this.uncertain += (traits & UNCERTAIN) !== 0 ? 1 : -1;
    if ((changed & OPEN) !== 0 && (traits & OPEN) === 0) this.ends(held);
  }

  private ends(held: Held): void {
    remove(this.opens, held);
    if (held.kind === "order") {
      this.ended.leave(held);
      this.makeRoom();
      this.ended.put(held);
      return;
    }
    const oldest = this.endedMovements.put(held);
    if (oldest !== undefined) this.forget(oldest);
  }

  /** Lets the oldest ended order go, so that one more has room. */
  private makeRoom(): void {
    const { flat, next } = this.ended;
    const oldest = this.ended.wholeAt(next);
    if (oldest !== undefined) {
      this.forget(oldest);
      return;
    }
    const series = flat.seriesAt(next);
    if (series === undefined) return;
    const isFilled = flat.isFilledAt(next);
    series.forget(flat.countAt(next), isFilled ? "filled" : "given-up");
    if (isFilled) this.orderIds?.delete(flat.orderIdAt(next));
  }

  private orderIdsOf(): Map<string, string> {
    const { flat } = this.ended;
    const ids = new Map<string, string>();
    for (const kept of this.byId.all()) {
      if (typeof kept === "number") {
        if (flat.isFilledAt(kept)) ids.set(flat.orderIdAt(kept), flat.idAt(kept) as string);
      } else if (kept.kind === "order" && "receipt" in kept.state)
        ids.set((kept.state.receipt as Fill).orderId, kept.id);
    }
    return ids;
  }

  private forget(held: Held): void {
    // It has come back to life, and will end again.
    if ((held.traits & OPEN) !== 0) return;
    if (!this.byId.forget(held, (held.traits & DONE) !== 0 ? "filled" : "given-up")) return;
    if (held === this.latest) this.latest = undefined;
    if (held.kind !== "order") this.moving.delete(held.id);
    else if (this.orderIds !== undefined && "receipt" in held.state)
      this.orderIds.delete((held.state.receipt as Fill).orderId);
  }
}

/** Notes since when the venue has called a mint settled, and since when it holds a mint or a rail. */
function listed(held: Held, receipt: MintRecord | Rail, at: Millis): void {
  if (held.kind === "mint" && hasSettled(receipt as MintRecord)) held.listedAt ??= at;
  held.keptBackAt = isHeld(receipt.status) ? (held.keptBackAt ?? at) : undefined;
}

/**
 * How long the venue took to publish a fill, at most: the time until history was seen to show it. Where the list could not be read, only
 * the time until the last answer without the fill is known, and nothing where there was none.
 */
function delayOf(acceptedAt: Millis | undefined, at: Millis, unreadFrom: Millis | undefined): number | undefined {
  if (acceptedAt === undefined) return undefined;
  if (unreadFrom === undefined) return at - acceptedAt;
  return unreadFrom > acceptedAt ? unreadFrom - acceptedAt : undefined;
}

/** Without the fields that only say where it is kept, and without those that nobody asks of a mint or a rail. */
function plain({ series: _, count: _1, place: _2, sentinel, ...rest }: Held): unknown {
  return { ...rest, sentinel: rest.kind === "order" ? sentinel : undefined };
}

function insert(list: Held[], held: Held): void {
  let i = list.push(held) - 1;
  for (; i > 0 && (list[i - 1] as Held).place > held.place; i--) list[i] = list[i - 1] as Held;
  list[i] = held;
}

/** Changes the list itself. Mostly it is the last one, or the only one. */
function remove(list: Held[], held: Held): void {
  const last = list.length - 1;
  if (list[last] !== held) {
    const place = list.indexOf(held);
    if (place < 0) return;
    for (let i = place; i < last; i++) list[i] = list[i + 1] as Held;
  }
  list.pop();
}
