// The venue's histories against the journal: what their rows say about orders of ours, which rows are unattributed, and which
// lists cannot be read. A row that the journal does not account for halts the bot until a person has adopted it.

import { type Asset, assetsOf } from "../domain/asset.ts";
import { environmentOf } from "../domain/client-order-id.ts";
import { fiatOf } from "../domain/coin.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import { quoted } from "../domain/outside-text.ts";
import { isRejected, type Rail } from "../domain/rail.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { Millis, Mono } from "../domain/time.ts";
import { durationText } from "../domain/time-text.ts";
import type { OrderRecord, RailRecord, SupplyChange, TradeRecord } from "../exchange/port.ts";
import type { HistoryMark } from "../journal/record.ts";
import { fitsMint, fitsOrder, fitsRail, isRowOfMint, isSameFill, judgeFills, receiptDifference } from "./evidence.ts";
import type { Answer, Effects } from "./executor.ts";
import { haltForAdoption, lateSubject, unsentSubject } from "./remediation.ts";
import {
  type Conflict,
  hasHappened,
  isKind,
  isUnknown,
  type Moment,
  type MoneyRequest,
  reservationOf,
  type State,
  type Witness,
} from "./request.ts";
import type { RequestStore, TrackedRequest } from "./request-store.ts";
import type { RequestTracker } from "./request-tracker.ts";

// Rows as people read them, each with the one key by which it is told from the others.

export type HistoryRow = {
  /** Like `trade:t17`. */
  readonly key: string;
  readonly at: Millis | undefined;
  readonly text: string;
  /** Without an id: rows of the same content are counted, and each has to be adopted. */
  readonly isNameless?: boolean;
  /** What a halt for it is about: the same for a trade and for its order. */
  readonly subject: string;
  /** What it may have moved. */
  readonly assets: readonly Asset[];
  /** A trade with an order id as this bot makes them that the journal does not have: its record was lost. */
  readonly isLost?: boolean;
  /** The order of ours that the row contradicts; `isUnbooked`: it was given up, and the trade is not booked. */
  readonly contradicts?: { readonly order: string; readonly isUnbooked: boolean } | undefined;
};

export function tradeRow({ clientOrderId, orderId, tradeId, bought, sold, fee, at }: TradeRecord): HistoryRow {
  const name = clientOrderId === undefined ? "without a client order id" : `of ${quoted(clientOrderId)}`;
  const amounts = `${amountText(bought)} for ${amountText(sold)}, fee ${amountText(fee)}`;
  return {
    key: `trade:${tradeId ?? orderId}`,
    at,
    text: `trade ${quoted(tradeId ?? orderId)} of order ${quoted(orderId)} ${name}: ${amounts}`,
    isNameless: tradeId === undefined,
    subject: `order ${orderId}`,
    assets: [bought.asset, sold.asset, fee.asset],
    isLost: clientOrderId !== undefined && environmentOf(clientOrderId) !== undefined,
  };
}

function orderRow({ clientOrderId, orderId, status, symbol, side, quantity, at }: OrderRecord): HistoryRow {
  const name = clientOrderId === undefined ? "without a client order id" : `of ${quoted(clientOrderId)}`;
  const what = [side, quantity, symbol].filter((part) => part !== undefined).join(" ");
  const text = `order ${quoted(orderId ?? "of no id")} ${name}${what === "" ? "" : `: ${what}`}, ${quoted(status ?? "of no status")}`;
  const pair = symbol === undefined || status === "Rejected" ? undefined : assetsOf(symbol);
  const id = orderId ?? clientOrderId;
  const assets = pair === undefined ? [] : [pair.base, pair.quote];
  return { key: `order:${id}`, at, text, isNameless: id === undefined, subject: `order ${id}`, assets };
}

function mintRow({ requestId, transactionId, asset, quantity, status, at }: SupplyChange): HistoryRow {
  const id = requestId ?? transactionId ?? "";
  const text = `mint ${quoted(id)} of ${quantity === undefined ? "" : `${quantity} `}${asset}, ${quoted(status)}`;
  const fiat = fiatOf(asset);
  const assets = fiat === undefined ? [asset] : [asset, fiat];
  return { key: `mint:${asset}:${id}`, at, text, subject: `mint ${id} of ${asset}`, assets };
}

/** By itself it moves nothing. */
function railRow({ railId, status }: Rail): HistoryRow {
  const text = `rail ${quoted(railId)}, ${quoted(status)}`;
  return { key: `rail:${railId}`, at: undefined, text, subject: `rail ${railId}`, assets: [] };
}

function amountText(money: Money): string {
  return `${money} ${money.asset}`;
}

const CONTESTED = "contested:";

/** A row about an order of ours that contradicts the journal. It is adopted by exactly what it shows; its time does not count. */
function contested(row: HistoryRow, contradicts?: HistoryRow["contradicts"]): HistoryRow {
  const { text, subject, assets, isNameless = false } = row;
  const shown = `${text} (the journal has it otherwise)`;
  return { key: `${CONTESTED}${text}`, at: undefined, text: shown, subject, assets, isNameless, contradicts };
}

export function isContested({ key }: Pick<HistoryRow, "key">): boolean {
  return key.startsWith(CONTESTED);
}

/** Counts the rows of one answer by key, with the one at hand. */
class Counted {
  private readonly counts = new Map<string, number>();

  count(key: string): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    return count;
  }
}

/** More rows are counted, and not kept. */
const KEPT_MAX = 1_000;

/** Rows that the journal does not account for, and what was adopted: all rows up to a time of the venue, and rows by id. */
export class Unattributed {
  private until = Number.NEGATIVE_INFINITY;
  /** How often each key was adopted. */
  private readonly adopted = new Map<string, number>();
  private readonly rows = new Map<string, HistoryRow>();
  private hasContested = false;
  /** The venue had no row at all when the books were opened. */
  isUntouched = true;

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  isOld({ at }: Pick<HistoryRow, "at">): boolean {
    return at !== undefined && at <= this.until;
  }

  /** `counted`: the rows before it in the same answer. */
  covers(
    { key, at, isNameless = false }: Pick<HistoryRow, "key" | "at" | "isNameless">,
    counted = new Counted(),
  ): boolean {
    if (this.isOld({ at })) return true;
    const times = this.adopted.get(key);
    return times !== undefined && (!isNameless || counted.count(key) <= times);
  }

  /** Of a row that contradicts the journal: a person has adopted exactly this. */
  isAccepted(row: () => HistoryRow, counted: Counted): boolean {
    return this.hasContested && this.covers(contested(row()), counted);
  }

  add(rows: readonly HistoryRow[]): void {
    for (const row of rows) if (this.rows.size < KEPT_MAX && !this.rows.has(row.key)) this.rows.set(row.key, row);
  }

  adopt({ until, ids }: HistoryMark): void {
    if (until !== undefined || ids.length > 0) this.isUntouched = false;
    if (until !== undefined) this.until = Math.max(this.until, until);
    for (const id of ids) {
      this.adopted.set(id, (this.adopted.get(id) ?? 0) + 1);
      this.rows.delete(id);
      this.hasContested ||= isContested({ key: id });
    }
    for (const row of [...this.rows.values()]) if (this.isOld(row)) this.rows.delete(row.key);
  }

  /** What these rows may have moved: a difference there is their effect. */
  assets(): ReadonlySet<Asset> {
    return new Set([...this.rows.values()].flatMap(({ assets }) => assets));
  }

  get conflict(): Conflict | undefined {
    const [first] = this.rows.values();
    if (first === undefined) return undefined;
    const more = this.rows.size > 1 ? ` and ${this.rows.size - 1} more` : "";
    const reason = `the venue shows ${first.text}${more}, which the journal does not know`;
    return { cause: "foreign", subject: first.subject, reason };
  }
}

/** Adopted, perhaps when the list showed only its transaction. */
export function isAdoptedMint(row: SupplyChange, unattributed: Unattributed): boolean {
  const isCovered = (one: SupplyChange): boolean => unattributed.covers(mintRow(one));
  return (row.transactionId !== undefined && isCovered({ ...row, requestId: undefined })) || isCovered(row);
}

export function isAdoptedRail(row: RailRecord, unattributed: Unattributed): boolean {
  return unattributed.covers(railRow(row));
}

const NONE: readonly never[] = [];

export class Histories {
  readonly unattributed = new Unattributed();
  private readonly tracker: RequestTracker;
  private readonly store: RequestStore;
  private readonly settled = new SettledRows();

  constructor(tracker: RequestTracker) {
    this.tracker = tracker;
    this.store = tracker.store;
  }

  adopt(history: HistoryMark): void {
    this.unattributed.adopt(history);
    if (!this.unattributed.isUntouched) this.store.hasOlderHistory();
  }

  /** Keeps the rows of an answer that are not ours, and halts for them. */
  guard(answer: Answer, now: Mono): void {
    this.unattributed.add(this.unattributedIn(answer));
    const { conflict } = this.unattributed;
    if (conflict !== undefined) this.tracker.halt(haltForAdoption(conflict, this.store.open.values()), now);
  }

  /** Rows of an answer that neither an intent of ours nor an adoption accounts for. */
  unattributedIn(answer: Answer): readonly HistoryRow[] {
    switch (answer.witness) {
      case "trades":
        return this.others(answer.rows, (row) => this.isOurTrade(row), tradeRow);
      case "orders":
        return this.others(answer.rows, (row) => this.isOurOrder(row), orderRow);
      case "supply-changes": {
        const ours = requestsOf(this.store, "mint");
        const isKnown = (row: SupplyChange): boolean =>
          ours.some((mint) => isOurMint(row, mint)) || isAdoptedMint(row, this.unattributed);
        return this.others(answer.rows, isKnown, mintRow);
      }
      case "rails": {
        const ours = requestsOf(this.store, "rail");
        return this.others(answer.rows, (row) => ours.some((rail) => isOurRail(row, rail)), railRow);
      }
      default:
        return NONE;
    }
  }

  private others<T>(
    rows: readonly T[],
    isOurs: (row: T) => boolean,
    show: (row: T) => HistoryRow,
  ): readonly HistoryRow[] {
    const others = rows.filter((row) => !isOurs(row)).map(show);
    if (others.length === 0) return NONE;
    const counted = new Counted();
    // A row whose time was adopted is one of those that were counted then.
    for (const row of others) if (row.isNameless === true && this.unattributed.isOld(row)) counted.count(row.key);
    const { unattributed } = this;
    return others.filter((row) => !unattributed.covers(row, counted) && !unattributed.isAccepted(() => row, counted));
  }

  /** A late trade of an order that is no longer kept whole is for a person. */
  private isOurTrade(row: TradeRecord): boolean {
    const id = this.store.idOf(row);
    if (id !== undefined) return this.store.find(id) !== undefined || this.store.pastOf(id) === "filled";
    return this.anyOpen((order) => fitsOrder(order, row));
  }

  /** A refused order without any name of ours cannot be told from one of ours, and moved nothing. */
  private isOurOrder(row: OrderRecord): boolean {
    const id = this.store.idOf(row);
    if (id !== undefined) return this.store.find(id) !== undefined || this.store.pastOf(id) !== "unknown";
    if (row.status === "Rejected") return true;
    const { symbol, side, quantity } = row;
    return this.anyOpen(
      (order) => symbol === order.symbol && side === order.side && quantity?.equals(order.quantity) === true,
    );
  }

  private anyOpen(fits: (order: OrderIntent) => boolean): boolean {
    for (const { kind, state, request } of this.store.open.values())
      if (kind === "order" && isUnknown(state) && fits(request as OrderIntent)) return true;
    return false;
  }

  private ownerOf(row: TradeRecord): TrackedRequest | undefined {
    const id = this.store.idOf(row);
    const owner = id === undefined ? undefined : this.store.find(id);
    return owner?.kind === "order" ? owner : undefined;
  }

  /** What history shows is true for the orders of every process, also for those that were given up. */
  trades(rows: readonly TradeRecord[], now: Moment, out: Effects, unreadFrom?: Millis): void {
    const counted = new Counted();
    const own = new Map<TrackedRequest, TradeRecord[]>();
    const open: TradeRecord[] = [];
    for (const row of this.settled.unsettled(rows)) {
      const owner = this.ownerOf(row);
      if (owner === undefined) open.push(row);
      else if (isKnown(owner, row)) continue;
      else if (this.unattributed.isAccepted(() => tradeRow(row), counted)) {
        // A row without an id is counted in every answer.
        if (row.tradeId === undefined) open.push(row);
        if (owner.state.kind === "accepted") this.tracker.shown(owner, owner.state.receipt, now, out);
      } else own.set(owner, [...(own.get(owner) ?? NONE), row]);
    }
    for (const [owner, [first, ...more]] of own) {
      if (first === undefined) continue;
      const finding = judgeFills(owner.request as OrderIntent, first, more);
      if (finding.kind === "landed") this.tracker.shown(owner, finding.receipt, now, out, unreadFrom);
      else if (finding.kind === "contradiction") this.tracker.judged(owner, finding, now, out);
      else if (finding.kind === "split" && finding.shows === "status") owner.listedAs = first.status;
      open.push(...[first, ...more].filter((row) => !isKnown(owner, row)));
    }
    this.settled.replace(rows, open);
  }

  orders(rows: readonly OrderRecord[], now: Moment, out: Effects): void {
    const counted = new Counted();
    for (const row of rows) {
      const conflict = this.conflictOf(row);
      if (conflict === undefined || this.unattributed.isAccepted(() => orderRow(row), counted)) continue;
      this.tracker.halt(haltForAdoption(conflict, this.store.open.values()), now.mono);
      out.ask({ witness: "trades", asset: undefined, class: "doubt" });
    }
  }

  private conflictOf(row: OrderRecord): Conflict | undefined {
    const id = this.store.idOf(row);
    const owner = id === undefined ? undefined : this.store.find(id);
    return id === undefined || owner === undefined ? undefined : orderConflict(id, owner.state.kind, row);
  }

  /** Rows about orders of ours that ended otherwise, and that no person has adopted. */
  contested(answers: readonly Answer[]): readonly HistoryRow[] {
    const trades = answers.flatMap((answer) => (answer.witness === "trades" ? answer.rows : NONE));
    const orders = answers.flatMap((answer) => (answer.witness === "orders" ? answer.rows : NONE));
    const unbooked = this.unbookedIn(trades);
    const counted = new Counted();
    const odd = orders.filter((row) => {
      const conflict = this.conflictOf(row);
      // An order that filled after it was given up is booked when its trade is shown, unless that trade is not booked.
      const isShown = conflict?.cause === "late_fill" && !unbooked.has(this.store.idOf(row) ?? "");
      return conflict !== undefined && !isShown && !this.unattributed.isAccepted(() => orderRow(row), counted);
    });
    return [
      ...this.contestedTrades(trades, unbooked),
      ...odd.map((row) => contested(orderRow(row), this.contradictedBy(row))),
    ];
  }

  private contradictedBy(row: OrderRecord): HistoryRow["contradicts"] {
    const id = this.store.idOf(row);
    const owner = id === undefined ? undefined : this.store.find(id);
    return owner !== undefined && "receipt" in owner.state ? { order: owner.id, isUnbooked: false } : undefined;
  }

  /** Orders that were given up, and whose listed trades are not booked: all that they moved is to be adopted. */
  private unbookedIn(rows: readonly TradeRecord[]): ReadonlySet<string> {
    const own = new Map<TrackedRequest, TradeRecord[]>();
    for (const row of rows) {
      const owner = this.ownerOf(row);
      if (owner !== undefined && reservationOf(owner.state) === "freed")
        own.set(owner, [...(own.get(owner) ?? NONE), row]);
    }
    const isUnbooked = (owner: TrackedRequest, [first, ...more]: readonly TradeRecord[]): boolean =>
      first !== undefined && judgeFills(owner.request as OrderIntent, first, more).kind === "contradiction";
    return new Set([...own].filter(([owner, trades]) => isUnbooked(owner, trades)).map(([{ id }]) => id));
  }

  private contestedTrades(rows: readonly TradeRecord[], unbooked: ReadonlySet<string>): readonly HistoryRow[] {
    // The answer to an order names no trade: the first that fits is its own, and any other is a second one.
    const fitting = new Map<string, Fill>();
    const counted = new Counted();
    return rows.flatMap((row): readonly HistoryRow[] => {
      const owner = this.ownerOf(row);
      if (owner === undefined || this.unattributed.isAccepted(() => tradeRow(row), counted)) return NONE;
      if (unbooked.has(owner.id)) return [contested(tradeRow(row), { order: owner.id, isUnbooked: true })];
      if (!("receipt" in owner.state)) return NONE;
      const fill = { ...row, clientOrderId: owner.id as Fill["clientOrderId"] };
      const known = fitting.get(owner.id) ?? (owner.state.receipt as Fill);
      if (receiptDifference("order", known, fill) === undefined) {
        fitting.set(owner.id, fill);
        return NONE;
      }
      // Another fee of the same trade: what was ordered is what the strategy knows.
      const isSameTrade =
        fill.tradeId !== undefined && fill.tradeId === known.tradeId && isSameFill(known, { ...fill, fee: known.fee });
      return [contested(tradeRow(row), isSameTrade ? undefined : { order: owner.id, isUnbooked: false })];
    });
  }
}

/** History has shown exactly this before. */
function isKnown({ state }: MoneyRequest, row: TradeRecord): boolean {
  if (state.kind !== "settled" && !hasHappened(state)) return false;
  const fill = state.receipt as Fill;
  return fill.tradeId === row.tradeId && isSameFill(fill, row);
}

export function requestsOf<K extends "mint" | "rail">(store: RequestStore, kind: K): readonly MoneyRequest<K>[] {
  return [...store.movements()].flatMap((one: MoneyRequest) => (isKind(one, kind) ? [one] : []));
}

function isOurMint(row: SupplyChange, { request, state }: MoneyRequest<"mint">): boolean {
  if ("receipt" in state) return isRowOfMint(row, state.receipt);
  return isUnknown(state) && fitsMint(request, row);
}

/** A refused rail is listed too, and moved nothing: only its content tells whose it is. */
function isOurRail(row: RailRecord, { request, state }: MoneyRequest<"rail">): boolean {
  if ("receipt" in state) return row.railId === state.receipt.railId;
  return (isUnknown(state) || (state.kind === "rejected" && isRejected(row))) && fitsRail(request, row);
}

/** Trades decide about money; a list of orders that says something else about one that ended is shown to a person. */
function orderConflict(id: string, state: State<unknown>["kind"], { status }: OrderRecord): Conflict | undefined {
  switch (state) {
    case "intended":
    case "not-sent":
      return { ...unsentSubject(id), reason: `the venue lists ${id}, which was never sent` };
    case "rejected":
    case "released":
      if (status !== "Filled") return undefined;
      return { ...lateSubject(id), reason: `the venue lists ${id} as Filled, which had been given up (${state})` };
    case "accepted":
    case "confirmed":
    case "settled":
    case "late": {
      if (status !== "Rejected") return undefined;
      const reason = `the venue lists ${id} as Rejected, which is booked as filled`;
      return { cause: "contradiction", subject: `listed ${id}`, reason };
    }
    default:
      return undefined;
  }
}

/** Rows that agree with the journal. A venue in process hands out the same objects again, with a few more at one end. */
class SettledRows {
  private last: readonly TradeRecord[] = [];
  private open: readonly TradeRecord[] = [];

  unsettled(rows: readonly TradeRecord[]): readonly TradeRecord[] {
    const { last, open } = this;
    const [first, before] = [rows[0], last[0]];
    if (first === undefined || before === undefined) return rows;
    const place = last.indexOf(first);
    const shift = place >= 0 ? place : -rows.indexOf(before);
    const isSettled = (row: TradeRecord, index: number): boolean => row === last[index + shift] && !open.includes(row);
    return rows.filter((row, index) => !isSettled(row, index));
  }

  replace(rows: readonly TradeRecord[], open: readonly TradeRecord[]): void {
    this.last = [...rows];
    this.open = open;
  }
}

type Failing = { readonly since: Mono; readonly code: string; readonly times: number };

/** Of supply changes there is one list for each coin. */
export type List = { readonly witness: Witness; readonly asset?: Asset | undefined };

/** The lists that the books rest on. */
export const ESSENTIAL: readonly Witness[] = ["balances", "trades", "orders"];

/** Which lists cannot be read, and since when: bookings that no list can confirm are not followed by more. */
export class UnreadLists {
  private readonly failing = new Map<string, Failing>();

  /** How often in a row it has failed in this way. */
  failed(list: List, code: string, at: Mono): number {
    const key = this.nameOf(list);
    const before = this.failing.get(key);
    const times = before?.code === code ? before.times + 1 : 1;
    this.failing.set(key, { since: before?.since ?? at, code, times });
    return times;
  }

  answered(list: List): void {
    if (this.failing.size > 0) this.failing.delete(this.nameOf(list));
  }

  has(list: List): boolean {
    return this.failing.size > 0 && this.failing.has(this.nameOf(list));
  }

  isFor(list: List, forMs: number, now: Mono): boolean {
    if (this.failing.size === 0) return false;
    const failing = this.failing.get(this.nameOf(list));
    return failing !== undefined && now - failing.since >= forMs;
  }

  /** Why nothing may be sent. */
  reason(afterMs: number, now: Mono): string | undefined {
    const witness =
      this.failing.size === 0 ? undefined : ESSENTIAL.find((one) => this.isFor({ witness: one }, afterMs, now));
    return witness && `the venue's ${witness} cannot be read for ${durationText(afterMs)} or more`;
  }

  nameOf({ witness, asset }: List): string {
    return witness === "supply-changes" ? `supply changes${asset === undefined ? "" : ` of ${asset}`}` : witness;
  }
}
