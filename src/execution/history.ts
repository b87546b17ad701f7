// The venue's histories against the journal: what their rows say about orders of ours, which rows are unattributed, and which
// lists cannot be read. A row that the journal does not account for halts the bot until a person has adopted it.

import { type Asset, assetsOf } from "../domain/asset.ts";
import { environmentOf } from "../domain/client-order-id.ts";
import { fiatOf } from "../domain/coin.ts";
import type { MintRecord } from "../domain/mint.ts";
import type { Fill } from "../domain/order.ts";
import { isRejected, type Rail } from "../domain/rail.ts";
import { quoted } from "../domain/sanitise.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { Millis, Mono } from "../domain/time.ts";
import {
  type OrderRecord,
  type RailRecord,
  type SupplyChange,
  type TradeRecord,
  type Unread,
  unreadText,
} from "../exchange/port.ts";
import type { HistoryMark } from "../journal/record.ts";
import type { Answer, Effects } from "./effects.ts";
import {
  amount,
  fitsMint,
  fitsOrder,
  fitsRail,
  isRowOfMint,
  isSameFill,
  judgeFills,
  receiptDifference,
  tradeIdsOf,
} from "./evidence.ts";
import { haltForAdoption, lateSubject, unsentSubject } from "./remediation.ts";
import {
  type Conflict,
  type Finding,
  hasHappened,
  isUnknown,
  type Moment,
  type MoneyKind,
  type MoneyRequest,
  type State,
  type Witness,
} from "./request.ts";
import type { RequestStore, TrackedRequest } from "./request-store.ts";
import type { RequestTracker } from "./request-tracker.ts";

// A row as messages print it, with a unique key.

export type HistoryRow = {
  /** For example `trade:t17`. */
  readonly key: string;
  readonly at: Millis | undefined;
  readonly text: string;
  /** The subject of its halt: the same for a trade and its order. */
  readonly subject: string;
  /** The assets that the row may have moved. */
  readonly assets: readonly Asset[];
  /** What it says of money, without its id: a row of the same id that says something else is another one. */
  readonly content?: string;
  /** A trade whose client order id has this bot's form but is not in the journal: its record was lost. */
  readonly isLost?: boolean;
  /** The order of ours that this row contradicts. */
  readonly contradicts?: string | undefined;
};

function tradeRow({ clientOrderId, orderId, tradeId, bought, sold, fee, at }: TradeRecord): HistoryRow {
  const name = clientOrderId === undefined ? "without a client order id" : `of ${quoted(clientOrderId)}`;
  const amounts = `${amount(bought)} for ${amount(sold)}, fee ${amount(fee)}`;
  const id = orderId ?? clientOrderId;
  return {
    key: `trade:${tradeId ?? id}`,
    at,
    text: `trade ${quoted(tradeId ?? id)} of order ${quoted(id)} ${name}: ${amounts}`,
    subject: `order ${id}`,
    content: [bought, sold, fee].map(amount).join(", "),
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
  return { key: `order:${id}`, at, text, content: status ?? "", subject: `order ${id}`, assets };
}

function mintRow({ requestId, transactionId, asset, quantity, status, at }: SupplyChange): HistoryRow {
  const id = requestId ?? transactionId ?? "";
  const text = `mint ${quoted(id)} of ${quantity === undefined ? "" : `${quantity} `}${asset}, ${quoted(status)}`;
  const fiat = fiatOf(asset);
  const assets = fiat === undefined ? [asset] : [asset, fiat];
  return { key: `mint:${asset}:${id}`, at, text, subject: `mint ${id} of ${asset}`, assets };
}

/** A rail row moves no money. */
function railRow({ railId, status }: Rail): HistoryRow {
  const text = `rail ${quoted(railId)}, ${quoted(status)}`;
  return { key: `rail:${railId}`, at: undefined, text, subject: `rail ${railId}`, assets: [] };
}

const HISTORIES: ReadonlySet<Witness> = new Set(["trades", "orders", "supply-changes", "rails"]);

/** Its content is its key: that is all it has. */
function unreadRow(witness: Witness, row: Unread): HistoryRow {
  const text = `a row of its ${witness} that cannot be read (${unreadText(row)})`;
  return { key: `unread:${witness}:${row.digest}`, at: undefined, text, subject: `unread ${row.digest}`, assets: [] };
}

function namesOf(receipt: Rail | MintRecord): readonly (string | undefined)[] {
  return "railId" in receipt ? [receipt.railId] : [receipt.requestId, receipt.transactionId];
}

const CONTESTED = "contested:";

/**
 * A row that contradicts the journal about an order of ours. It is adopted by its exact content; its time does not
 * count.
 */
function contested({ key, text, content, subject, assets }: HistoryRow, contradicts?: string): HistoryRow {
  const shown = `${text} (the journal differs)`;
  return { key: `${CONTESTED}${key}: ${content}`, at: undefined, text: shown, subject, assets, contradicts };
}

export function isContested({ key }: Pick<HistoryRow, "key">): boolean {
  return key.startsWith(CONTESTED);
}

const NO_ASSETS: ReadonlySet<Asset> = new Set();
/** Rows beyond this number are counted and not kept. */
const KEPT_MAX = 1_000;

/** Rows that the journal does not account for, and the adoptions: by venue time, and by id. */
export class Unattributed {
  private until = Number.NEGATIVE_INFINITY;
  private readonly adopted = new Set<string>();
  private readonly rows = new Map<string, HistoryRow>();
  private hasContested = false;
  /** The venue's history was empty when the books were opened. */
  isUntouched = true;

  get isEmpty(): boolean {
    return this.rows.size === 0;
  }

  covers({ key, at }: Pick<HistoryRow, "key" | "at">): boolean {
    return (at !== undefined && at <= this.until) || this.adopted.has(key);
  }

  /** Whether a person has adopted exactly this contradicting row. */
  isAccepted(row: () => HistoryRow): boolean {
    return this.hasContested && this.covers(contested(row()));
  }

  add(rows: readonly HistoryRow[]): void {
    for (const row of rows) if (this.rows.size < KEPT_MAX && !this.rows.has(row.key)) this.rows.set(row.key, row);
  }

  /** After `resume`, rows that are still listed are found again. */
  forget(): void {
    this.rows.clear();
  }

  adopt({ until, ids }: HistoryMark): void {
    if (until !== undefined || ids.length > 0) this.isUntouched = false;
    if (until !== undefined) this.until = Math.max(this.until, until);
    for (const id of ids) {
      this.adopted.add(id);
      this.rows.delete(id);
      this.hasContested ||= isContested({ key: id });
    }
    for (const row of [...this.rows.values()]) if (this.covers(row)) this.rows.delete(row.key);
  }

  /** The assets that these rows may have moved; a difference in one of them is attributed to the rows. */
  assets(): ReadonlySet<Asset> {
    return this.isEmpty ? NO_ASSETS : new Set([...this.rows.values()].flatMap(({ assets }) => assets));
  }

  get conflict(): Conflict | undefined {
    const [first] = this.rows.values();
    if (first === undefined) return undefined;
    const more = this.rows.size > 1 ? ` and ${this.rows.size - 1} more` : "";
    const reason = `the venue shows ${first.text}${more}, which the journal does not know`;
    return { cause: "foreign", subject: first.subject, reason };
  }
}

/** Whether the mint was adopted, possibly when the list showed only its transaction. */
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
  /** The last trade list, and those of its rows that disagreed with the journal. */
  private last: readonly TradeRecord[] = NONE;
  private open: readonly TradeRecord[] = NONE;

  constructor(tracker: RequestTracker) {
    this.tracker = tracker;
    this.store = tracker.store;
  }

  adopt(history: HistoryMark): void {
    this.unattributed.adopt(history);
    if (!this.unattributed.isUntouched) this.store.hasOlderHistory();
  }

  /** Keeps unattributed rows of an answer and halts for them. */
  guard(answer: Answer, now: Mono): void {
    this.unattributed.add(this.unattributedIn(answer));
    const { conflict } = this.unattributed;
    if (conflict !== undefined) this.tracker.halts.raise(haltForAdoption(conflict, this.store.open.values()), now);
  }

  /** Rows of an answer that belong to neither an intent nor an adoption of ours. */
  unattributedIn(answer: Answer): readonly HistoryRow[] {
    return [...this.readIn(answer), ...this.unreadIn(answer)];
  }

  /** A row with an id of ours that cannot be read: without it the list says nothing certain. */
  unreadOfOurs(answer: Answer): Unread | undefined {
    return answer.unread?.find(({ words }) => words.some((word) => this.isOurId(word)));
  }

  /** Rows that cannot be read, have no id of ours and were not adopted. A payment without one is on no rail of ours. */
  unreadIn({ witness, unread = NONE }: Pick<Answer, "witness" | "unread">): readonly HistoryRow[] {
    if (unread.length === 0 || !HISTORIES.has(witness)) return NONE;
    const rows = unread.filter(({ words }) => !words.some((word) => this.isOurId(word)));
    return rows.map((row) => unreadRow(witness, row)).filter((row) => !this.unattributed.covers(row));
  }

  private isOurId(word: string): boolean {
    const { store } = this;
    const row = { clientOrderId: undefined, orderId: word };
    if (store.find(word) !== undefined || store.pastOf(word) !== "unknown") return true;
    if (store.idOf(row) !== undefined || store.isPastFill(row)) return true;
    return [...store.treasury.values()].some(
      ({ state }) => "receipt" in state && namesOf(state.receipt as Rail | MintRecord).includes(word),
    );
  }

  private readIn(answer: Answer): readonly HistoryRow[] {
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
    return others.filter((row) => !this.unattributed.covers(row) && !this.unattributed.isAccepted(() => row));
  }

  /** A late trade of an order that is no longer kept in full needs a person. */
  private isOurTrade(row: TradeRecord): boolean {
    const id = this.store.idOf(row);
    if (id !== undefined) return this.store.find(id) !== undefined || this.store.pastOf(id) === "filled";
    return this.store.isPastFill(row) || this.anyOpen((order) => fitsOrder(order, row));
  }

  /** Without the trades of earlier fills and of strangers, whose rows may show no id that is kept. */
  unclaimed(rows: readonly TradeRecord[]): readonly TradeRecord[] {
    return rows.filter(
      (row) =>
        row.clientOrderId !== undefined || !(this.store.isPastFill(row) || this.unattributed.covers(tradeRow(row))),
    );
  }

  /** A rejected order without a client order id may be ours, and moved nothing. */
  private isOurOrder(row: OrderRecord): boolean {
    const id = this.store.idOf(row);
    if (id !== undefined) return this.store.find(id) !== undefined || this.store.pastOf(id) !== "unknown";
    if (row.status === "Rejected" || this.store.isPastFill(row)) return true;
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

  /**
   * Applies the trade history to the orders of every process, including released ones. Returns whether all rows are
   * ours.
   */
  trades(rows: readonly TradeRecord[], now: Moment, out: Effects, unreadFrom?: Millis): boolean {
    const own = new Map<TrackedRequest, TradeRecord[]>();
    const open: TradeRecord[] = [];
    let areOurs = true;
    for (const row of this.unsettled(rows)) {
      const owner = this.ownerOf(row);
      if (owner !== undefined && isKnown(owner, row)) continue;
      open.push(row);
      if (owner === undefined) areOurs = false;
      else if (this.unattributed.isAccepted(() => tradeRow(row))) {
        if (owner.state.kind === "accepted") this.tracker.shown(owner, owner.state.receipt, now, out);
      } else own.set(owner, [...(own.get(owner) ?? NONE), row]);
    }
    for (const [owner, trades] of own) {
      const finding = isCutOff(owner, trades)
        ? undefined
        : judgeFills(owner.request as OrderIntent, trades, owned(owner));
      if (finding !== undefined && (finding.kind !== "split" || isOtherwise(owner, finding)))
        this.tracker.found(
          owner,
          finding.kind === "split" ? { ...finding, kind: "contradiction" } : finding,
          now,
          out,
          unreadFrom,
        );
      areOurs &&= trades.every((row) => isKnown(owner, row));
    }
    [this.last, this.open] = [[...rows], open];
    return areOurs;
  }

  /**
   * Drops the rows that agreed with the journal before: an in-process venue returns the same objects with a few more at
   * one end.
   */
  private unsettled(rows: readonly TradeRecord[]): readonly TradeRecord[] {
    const { last, open } = this;
    const newer = rows.indexOf(last[0] as TradeRecord);
    const shift = newer >= 0 ? newer : -last.indexOf(rows[0] as TradeRecord);
    const left: TradeRecord[] = [];
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] as TradeRecord;
      if (index < shift || row !== last[index - shift] || (open.length > 0 && open.includes(row))) left.push(row);
    }
    return left;
  }

  orders(rows: readonly OrderRecord[], now: Moment, out: Effects): void {
    for (const row of rows) {
      const conflict = this.conflictOf(row);
      if (conflict === undefined || this.unattributed.isAccepted(() => orderRow(row))) continue;
      this.tracker.halts.raise(haltForAdoption(conflict, this.store.open.values()), now.mono);
      out.ask({ witness: "trades", asset: undefined, class: "doubt" });
    }
  }

  private conflictOf(row: OrderRecord): Conflict | undefined {
    const id = this.store.idOf(row);
    const owner = id === undefined ? undefined : this.store.find(id);
    return id === undefined || owner === undefined ? undefined : orderConflict(id, owner.state.kind, row);
  }

  /** Rows that contradict how an order of ours ended, and that no person has adopted. */
  contested(answers: readonly Answer[], at: Millis): readonly HistoryRow[] {
    const rows: HistoryRow[] = [];
    const unbooked = new Set<string>();
    for (const [owner, trades] of this.byOwner(answers)) {
      const odd = oddTrades(owner, trades).filter((row) => !this.unattributed.isAccepted(() => tradeRow(row)));
      if (odd.length > 0) unbooked.add(owner.id);
      rows.push(...odd.map((row) => contested(tradeRow(row), isOtherFee(owner, row) ? undefined : owner.id)));
    }
    for (const answer of answers) {
      if (answer.witness !== "orders") continue;
      for (const row of answer.rows) {
        const conflict = this.conflictOf(row);
        // An order that filled after its release is booked when its trade is listed in time.
        const owner = this.store.find(this.store.idOf(row) ?? "");
        const isAwaited = owner !== undefined && at - owner.intendedAt < this.tracker.parameters(at).escalateAfterMs;
        const isBooked = conflict?.cause === "late_fill" && isAwaited && !unbooked.has(owner.id);
        if (conflict !== undefined && !isBooked && !this.unattributed.isAccepted(() => orderRow(row)))
          rows.push(contested(orderRow(row), this.store.idOf(row)));
      }
    }
    return rows;
  }

  private byOwner(answers: readonly Answer[]): ReadonlyMap<TrackedRequest, TradeRecord[]> {
    const own = new Map<TrackedRequest, TradeRecord[]>();
    for (const answer of answers)
      for (const row of answer.witness === "trades" ? answer.rows : NONE) {
        const owner = this.ownerOf(row);
        if (owner !== undefined) own.set(owner, [...(own.get(owner) ?? NONE), row]);
      }
    return own;
  }
}

/** Trades of one order that contradict its end; the first that matches its receipt is its own. */
function oddTrades(owner: TrackedRequest, rows: readonly TradeRecord[]): readonly TradeRecord[] {
  const { state, request } = owner;
  if (rows.length === 0 || isUnknown(state) || state.kind === "intended" || isCutOff(owner, rows)) return NONE;
  const finding = judgeFills(request as OrderIntent, rows, owned(owner));
  if (!("receipt" in state)) return finding.kind === "contradiction" || isOtherwise(owner, finding) ? rows : NONE;
  let known = state.receipt as Fill;
  if (finding.kind === "landed" && receiptDifference("order", known, finding.receipt) === undefined) return NONE;
  if (finding.kind === "split" && !isOtherwise(owner, finding)) return NONE;
  return rows.filter((row) => {
    const fill = { ...row, clientOrderId: known.clientOrderId };
    if (receiptDifference("order", known, fill) !== undefined) return true;
    known = fill;
    return false;
  });
}

function owned({ state }: TrackedRequest): { readonly receipt: Fill | undefined } {
  return { receipt: "receipt" in state ? (state.receipt as Fill) : undefined };
}

/** Of a fill in several trades the list shows only some. */
function isCutOff({ state }: TrackedRequest, rows: readonly TradeRecord[]): boolean {
  const ids = "receipt" in state ? tradeIdsOf(state.receipt as Fill) : [];
  return rows.length < ids.length && rows.every(({ tradeId }) => tradeId !== undefined && ids.includes(tradeId));
}

/** What is split while an order waits is a contradiction once it has ended otherwise; a word alone never is. */
function isOtherwise({ state }: TrackedRequest, finding: Finding<Fill>): finding is Finding<Fill> & { kind: "split" } {
  return finding.kind === "split" && finding.shows !== "status" && state.kind !== "accepted" && !isUnknown(state);
}

/** The same trade with another fee. */
function isOtherFee({ state }: TrackedRequest, row: TradeRecord): boolean {
  if (!("receipt" in state)) return false;
  const known = state.receipt as Fill;
  return row.tradeId !== undefined && row.tradeId === known.tradeId && isSameFill(known, { ...row, fee: known.fee });
}

/** Whether history has shown exactly this row before. */
function isKnown({ state }: MoneyRequest, row: TradeRecord): boolean {
  if (state.kind !== "settled" && !hasHappened(state)) return false;
  const fill = state.receipt as Fill;
  return fill.tradeId === row.tradeId && isSameFill(fill, row);
}

type TreasuryRequest<K extends MoneyKind> = MoneyRequest<K> & Pick<TrackedRequest, "bookedAt">;

export function requestsOf<K extends "mint" | "rail">(store: RequestStore, kind: K): readonly TreasuryRequest<K>[] {
  return [...store.treasury.values()].filter((one) => one.kind === kind) as unknown as readonly TreasuryRequest<K>[];
}

function isOurMint(row: SupplyChange, { request, state }: MoneyRequest<"mint">): boolean {
  if ("receipt" in state) return isRowOfMint(row, state.receipt);
  return isUnknown(state) && fitsMint(request, row);
}

/** A rejected rail is listed too and moved nothing; only its content identifies it. */
function isOurRail(row: RailRecord, { request, state }: MoneyRequest<"rail">): boolean {
  if ("receipt" in state) return row.railId === state.receipt.railId;
  return (isUnknown(state) || (state.kind === "rejected" && isRejected(row))) && fitsRail(request, row);
}

/** Trades decide about money. An order list that contradicts an ended order is shown to a person. */
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
