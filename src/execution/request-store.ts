// The requests in memory: open ones in full, recently ended ones in full, and one byte for each older order. The same
// code follows a live request and one replayed from the journal.

import { type Asset, assetsOf } from "../domain/asset.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import { DAY_MS, type Millis } from "../domain/time.ts";
import type { IntentRecord, RequestRecord } from "../journal/record.ts";
import type { HistoryAnchor } from "./evidence.ts";
import { ELSEWHERE, type Measured, type Poll } from "./parameters.ts";
import type { AnyReceipt, Contents, LifeRecord, MoneyKind, MoneyRequest, State } from "./request.ts";
import { reservationOf } from "./request.ts";
import { apply } from "./request-state.ts";

const INTENDED: State<never> = Object.freeze({ kind: "intended" });

/** The stage of a mint's money as last reported to the engine. */
export type Stage = "reserved" | "released" | "departed" | "returned" | "arrived";

/** A request with its tracking data: one object for its whole life, whose state is replaced. */
export class TrackedRequest implements MoneyRequest {
  readonly kind: MoneyKind;
  readonly id: string;
  readonly request: Contents[MoneyKind];
  readonly assets: readonly Asset[];
  readonly value: Money | undefined;
  state: State<AnyReceipt> = INTENDED;
  readonly intendedAt: Millis;
  /** The process that wrote its last record, and polls for it while it lives. */
  owner: string;
  poll: Poll = ELSEWHERE;
  /** The last fill before it. A history without that fill is truncated. */
  anchor: HistoryAnchor;
  /** The kind of the last report to the engine. Orders report every change; mints and rails only an unknown outcome. */
  lastReported: string | undefined = undefined;
  /** For a mint: the stage known to the engine, and the venue's last status. */
  stage: Stage | undefined = undefined;
  status: string | undefined = undefined;
  /** When the accepting answer arrived; undefined if its process has been gone since. */
  acceptedAt: Millis | undefined = undefined;
  bookedAt: Millis | undefined = undefined;
  /** Since when the venue has held it. */
  heldAt: Millis | undefined = undefined;

  constructor({ id, request, value, at }: IntentRecord, owner: string, anchor: HistoryAnchor) {
    this.kind = request.kind;
    this.id = id;
    this.request = contentOf(request);
    this.assets = request.kind === "order" ? pairOf(request.order) : request.assets;
    this.value = value;
    this.intendedAt = at;
    this.owner = owner;
    this.anchor = anchor;
  }
}

/** A copy for callers that keep it. */
export function copyOf<K extends MoneyKind>(one: MoneyRequest<K>): MoneyRequest<K> {
  const { kind, id, request, assets, value, state } = one;
  return { kind, id, request, assets, value, state };
}

/** No row has the empty id, which stands for a fill that was only listed under ours. */
function venueIdOf(receipt: AnyReceipt): string {
  return (receipt as Fill).orderId ?? "";
}

/** 48 bits of an id (FNV-1a twice, from two offsets): a row of another account collides once in 10^9 at 100,000 fills. */
function digestOf(id: string): number {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (let i = 0; i < id.length; i++) {
    high = Math.imul(high ^ id.charCodeAt(i), 0x01000193);
    low = Math.imul(low ^ id.charCodeAt(i), 0x01000193);
  }
  return (high >>> 8) * 2 ** 24 + (low >>> 8);
}

function contentOf(request: RequestRecord): Contents[MoneyKind] {
  return request.kind === "order" ? request.order : request.kind === "mint" ? request.mint : request.rail;
}

function pairOf({ symbol }: Contents["order"]): readonly Asset[] {
  const { base, quote } = assetsOf(symbol);
  return [base, quote];
}

/** State that does not follow from the records of the requests kept in full. */
type Memory = {
  lastFilled: HistoryAnchor;
  /** How many times orders have ended; an order that was reopened and ended again counts twice. */
  ended: number;
  releases: readonly Millis[];
  hasShownFill: boolean;
  hasLateFill: boolean;
  /** Orders whose trade has confirmed their answer, and how long the latest confirmations took. */
  acknowledged: number;
  readonly delaysMs: number[];
};

export type SavedOrders = Readonly<Memory> & {
  readonly past: readonly (readonly [stem: string, ends: string])[];
  readonly pastFills: string;
  readonly anchors: readonly (readonly [id: string, anchor: HistoryAnchor])[];
};

/** So many ended requests of each kind are kept in full; each costs garbage collection. */
export const ENDED_MAX = 10_000;
const ENDED_ORDERS_MAX = 1_000;
const RELEASES_KEPT = 8;
/** The slowest of this many fills counts. */
const DELAYS_MAX = 1_000;
/** For a mint or a rail: the fill history says nothing about it. */
const NO_ANCHOR: HistoryAnchor = Object.freeze({ kind: "none" });

export class RequestStore {
  private readonly byId = new Map<string, TrackedRequest>();
  /** Oldest intent first. Callers that modify it while iterating take a copy. */
  readonly open = new Map<string, TrackedRequest>();
  /** Open mints and rails, and the last ended ones. */
  readonly treasury = new Map<string, TrackedRequest>();
  private readonly past = new PastIds();
  /** Digests of the venue's ids of orders that filled and are no longer kept in full. */
  private readonly pastFills = new Set<number>();
  private readonly endedOrders: TrackedRequest[] = [];
  private readonly endedTreasury: TrackedRequest[] = [];
  /** Client order ids by venue order id, for histories that show only the latter; built on first use. */
  private byVenueId: Map<string, string> | undefined = undefined;
  private memory: Memory = {
    ...{ lastFilled: NO_ANCHOR, ended: 0, releases: [], hasShownFill: false, hasLateFill: false },
    ...{ acknowledged: 0, delaysMs: [] },
  };
  readonly endedMax: number;

  constructor(endedMax = ENDED_ORDERS_MAX) {
    this.endedMax = endedMax;
  }

  find(id: string): TrackedRequest | undefined {
    return this.byId.get(id);
  }

  get(id: string): TrackedRequest {
    const found = this.byId.get(id);
    if (found === undefined) throw new InvariantViolation(`${id} must have been intended before anything else`);
    return found;
  }

  /** How an order ended that is no longer kept in full. */
  pastOf(id: string): PastOrder {
    return this.past.of(id);
  }

  /** The client order id of a history row, which may show only the venue's id. */
  idOf(row: { readonly clientOrderId: string | undefined; readonly orderId?: string | undefined }): string | undefined {
    if (row.clientOrderId !== undefined || row.orderId === undefined) return row.clientOrderId;
    this.byVenueId ??= this.venueIds();
    return this.byVenueId.get(row.orderId);
  }

  /** Whether a row that shows only the venue's id is of an order that filled and is no longer kept in full. */
  isPastFill({ clientOrderId, orderId }: Parameters<RequestStore["idOf"]>[0]): boolean {
    return clientOrderId === undefined && orderId !== undefined && this.pastFills.has(digestOf(orderId));
  }

  private venueIds(): Map<string, string> {
    const ids = new Map<string, string>();
    for (const { kind, id, state } of this.byId.values())
      if (kind === "order" && "receipt" in state) ids.set(venueIdOf(state.receipt), id);
    return ids;
  }

  /** The venue had rows before our first one, so it is unknown which of them a history must show. */
  hasOlderHistory(): void {
    if (this.memory.lastFilled.kind === "none") this.memory.lastFilled = { kind: "unknown" };
  }

  measured(at: Millis): Measured {
    const day = Math.floor(at / DAY_MS);
    const { delaysMs, releases, acknowledged, hasShownFill, hasLateFill } = this.memory;
    const releasedToday = releases.filter((one) => Math.floor(one / DAY_MS) === day).length;
    return { slowestMs: Math.max(0, ...delaysMs), acknowledged, releasedToday, hasShownFill, hasLateFill };
  }

  /** Whether an order was released without a person. */
  hasReleasedSince(since: Millis): boolean {
    return this.memory.releases.some((at) => at >= since);
  }

  /** After `resume`: a person has seen the late fill. */
  resumed(): void {
    this.memory.hasLateFill = false;
  }

  add(intent: IntentRecord, owner: string): TrackedRequest {
    const { id } = intent;
    if (this.byId.has(id) || this.past.of(id) !== "unknown")
      throw new InvariantViolation(`${id} must be used once, and was used before`);
    const tracked = new TrackedRequest(
      intent,
      owner,
      intent.request.kind === "order" ? this.memory.lastFilled : NO_ANCHOR,
    );
    this.byId.set(id, tracked);
    this.open.set(id, tracked);
    if (tracked.kind !== "order") this.treasury.set(id, tracked);
    return tracked;
  }

  /** Applies a life record. */
  apply(tracked: TrackedRequest, record: LifeRecord, writer: string): void {
    const before = tracked.state;
    const state = apply<MoneyKind>(tracked, record);
    tracked.state = state;
    tracked.owner = writer;
    if (record.kind === "recovered") tracked.acceptedAt = undefined;
    if (record.kind === "resolution" && record.verdict.kind === "released" && record.by === "bot")
      this.memory.releases = [...this.memory.releases, record.at].slice(-RELEASES_KEPT);
    if (state.kind === before.kind) return;
    if (state.kind === "sending" && tracked.kind === "order") tracked.anchor = this.memory.lastFilled;
    if (state.kind === "accepted" && before.kind === "sending") tracked.acceptedAt = record.at;
    if (reservationOf(state) === "booked" && reservationOf(before) !== "booked") this.booked(tracked, record.at);
    if (tracked.kind === "order") this.learn(tracked, before.kind, record);
    this.place(tracked);
  }

  private booked(tracked: TrackedRequest, at: Millis): void {
    tracked.bookedAt = at;
    if (tracked.kind !== "order" || !("receipt" in tracked.state)) return;
    this.byVenueId?.set(venueIdOf(tracked.state.receipt), tracked.id);
    this.memory.lastFilled = { kind: "record", clientOrderId: tracked.id };
  }

  private learn(tracked: TrackedRequest, before: State<unknown>["kind"], record: LifeRecord): void {
    const { memory } = this;
    const { kind } = tracked.state;
    if (kind === "settled") memory.hasShownFill = true;
    if (kind === "late") memory.hasLateFill = true;
    if (kind === "confirmed" && before === "accepted" && record.kind === "evidence")
      this.acknowledged(delayOf(tracked.acceptedAt, record.at, record.unreadFrom));
  }

  /** `delayMs`: undefined if no process was polling in between; negative if the wall clock was set back. */
  acknowledged(delayMs: number | undefined): void {
    const { delaysMs } = this.memory;
    this.memory.acknowledged++;
    if (delayMs !== undefined && delaysMs.push(delayMs) > DELAYS_MAX) delaysMs.shift();
  }

  private place(tracked: TrackedRequest): void {
    const { id, state } = tracked;
    const isOpen = !isOver(state.kind);
    if (isOpen === this.open.has(id)) return;
    if (isOpen) {
      this.open.set(id, tracked);
      return;
    }
    this.open.delete(id);
    const isOrder = tracked.kind === "order";
    if (isOrder) this.memory.ended++;
    const ended = isOrder ? this.endedOrders : this.endedTreasury;
    const oldest = ended.push(tracked) > (isOrder ? this.endedMax : ENDED_MAX) ? ended.shift() : undefined;
    if (oldest !== undefined) this.forget(oldest);
  }

  private forget(tracked: TrackedRequest): void {
    const { id, kind, state } = tracked;
    // Reopened; it will end again.
    if (this.open.has(id) || !this.byId.delete(id)) return;
    this.treasury.delete(id);
    if (kind !== "order") return;
    this.past.add(id, endOf(state.kind));
    if (!("receipt" in state)) return;
    this.byVenueId?.delete(venueIdOf(state.receipt));
    this.pastFills.add(digestOf(venueIdOf(state.receipt)));
  }

  save(): SavedOrders {
    const delaysMs = [...this.memory.delaysMs];
    const anchors = Array.from(this.byId.values(), ({ id, anchor }) => [id, anchor] as const);
    const pastFills = [...this.pastFills].join(" ");
    return { ...this.memory, delaysMs, past: this.past.save(), pastFills, anchors };
  }

  /** Restores a saved state into a fresh store. `replay` applies all records of the requests kept in full. */
  load({ past, pastFills, anchors, ...memory }: SavedOrders, replay: () => void): void {
    this.past.load(past);
    if (pastFills !== "") for (const digest of pastFills.split(" ")) this.pastFills.add(Number(digest));
    replay();
    this.memory = { ...memory, delaysMs: [...memory.delaysMs] };
    for (const [id, anchor] of anchors) this.get(id).anchor = anchor;
  }
}

function isOver(kind: State<unknown>["kind"]): boolean {
  return kind === "settled" || reservationOf({ kind }) === "freed";
}

function endOf(kind: State<unknown>["kind"]): "filled" | "given-up" {
  return kind === "settled" ? "filled" : "given-up";
}

/**
 * An upper bound on the publication delay of a fill. While the list was unreadable, only the time until the last
 * successful read counts.
 */
function delayOf(acceptedAt: Millis | undefined, at: Millis, unreadFrom: Millis | undefined): number | undefined {
  if (acceptedAt === undefined) return undefined;
  if (unreadFrom === undefined) return at - acceptedAt;
  return unreadFrom > acceptedAt ? unreadFrom - acceptedAt : undefined;
}

export type PastOrder = "filled" | "given-up" | "unknown";

const ENDS = ["unknown", "filled", "given-up"] as const;

/** How forgotten orders ended: one byte at the counter of each id, grouped by the rest of the id. */
class PastIds {
  private readonly stems = new Map<string, Uint8Array>();

  add(id: string, end: "filled" | "given-up"): void {
    const { stem, count } = split(id);
    let bytes = this.stems.get(stem) ?? new Uint8Array(64);
    if (count >= bytes.length) {
      const longer = new Uint8Array(Math.max(count + 1, bytes.length * 2));
      longer.set(bytes);
      bytes = longer;
    }
    bytes[count] = ENDS.indexOf(end);
    this.stems.set(stem, bytes);
  }

  of(id: string): PastOrder {
    const { stem, count } = split(id);
    return ENDS[this.stems.get(stem)?.[count] ?? 0] ?? "unknown";
  }

  save(): SavedOrders["past"] {
    const trimmed = (bytes: Uint8Array): string => bytes.join("").replace(/0+$/, "");
    return Array.from(this.stems, ([stem, bytes]) => [stem, trimmed(bytes)] as const).sort();
  }

  load(saved: SavedOrders["past"]): void {
    for (const [stem, ends] of saved) this.stems.set(stem, Uint8Array.from(ends, Number));
  }
}

const COUNT_MAX = 100_000_000;

/** `T-k3v9x2qa-17` is number 17 of its stem; an id without a counter is its own stem. */
function split(id: string): { readonly stem: string; readonly count: number } {
  const place = id.lastIndexOf("-");
  const count = Number(id.slice(place + 1));
  return place > 0 && Number.isInteger(count) && count >= 0 && count < COUNT_MAX
    ? { stem: id.slice(0, place), count }
    : { stem: `=${id}`, count: 0 };
}
