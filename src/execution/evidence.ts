// What counts as evidence. For an order the trade history decides, the order history supports and the balances vote; "not found"
// counts only in an answer that provably reaches back to before the order. A mint or a rail carries no id of ours: it is the one
// row that is new since before it was sent, fits, and belongs to no other request.

import { fillInconsistency } from "../domain/fill-consistency.ts";
import type { MintIntent, MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Rail, RailIntent } from "../domain/rail.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { OrderRecord, RailRecord, SupplyChange, TradeRecord } from "../exchange/port.ts";
import {
  type AnyReceipt,
  type Finding,
  type MoneyKind,
  type MoneyRequest,
  reservationOf,
  type State,
} from "./request.ts";

/** The last fill of ours before an order. A truncated list lacks it. `none`: the account had no fill. */
export type HistoryAnchor =
  | { readonly kind: "record"; readonly clientOrderId: string }
  | { readonly kind: "none" }
  | { readonly kind: "unknown" };

/** How the balances vote on an unknown outcome. */
export type Vote =
  | { readonly kind: "landed" }
  | { readonly kind: "absent" }
  | { readonly kind: "none"; readonly reason: string };

type Testimony = {
  readonly trades: readonly TradeRecord[];
  readonly orders: readonly OrderRecord[];
  readonly anchor: HistoryAnchor;
  readonly vote: Vote;
};

export function judgeOrder(order: OrderIntent, { trades, orders, anchor, vote }: Testimony): Finding<Fill> {
  const record = orders.find(({ clientOrderId }) => clientOrderId === order.clientOrderId);
  const traded = judgeTrades(order, linked(order, trades, record?.orderId), anchor);
  if (traded.kind === "landed" && record?.status === "Rejected")
    return contradiction("rejected", `trades show ${describeFill(traded.receipt)}; orders show it as Rejected`);
  if (traded.kind === "landed" || traded.kind === "contradiction" || traded.kind === "split") return traded;
  if (record !== undefined && record.status !== "Rejected")
    return split("untraded", `trades do not show it; orders show it as ${record.status ?? "of no status"}`);
  if (vote.kind === "landed")
    return split("untraded", "trades do not show it; the balances are explained only with it");
  if (traded.kind === "silent") return traded;
  if (record === undefined && !reachesBack(orders, anchor))
    return silent("the order history may be cut off: the last order of ours before it is missing");
  if (vote.kind === "none") return silent(vote.reason);
  return record?.status === undefined ? { kind: "absent" } : { kind: "absent", listedAs: record.status };
}

/** Trades that show only the venue's id belong to the order that the order history lists under both ids. */
function linked(
  { clientOrderId }: OrderIntent,
  trades: readonly TradeRecord[],
  orderId: string | undefined,
): readonly TradeRecord[] {
  if (orderId === undefined) return trades;
  const isIts = (row: TradeRecord): boolean => row.clientOrderId === undefined && row.orderId === orderId;
  return trades.map((row) => (isIts(row) ? { ...row, clientOrderId } : row));
}

/** The trade history alone can confirm an order and never release one. */
export function judgeTrades(order: OrderIntent, trades: readonly TradeRecord[], anchor: HistoryAnchor): Finding<Fill> {
  const [first, ...more] = trades.filter((row) => row.clientOrderId === order.clientOrderId);
  if (first !== undefined) return judgeFills(order, first, more);
  const nameless = trades.find((row) => row.clientOrderId === undefined && fitsOrder(order, row));
  if (nameless !== undefined)
    return split(
      "nameless",
      `trade ${nameless.tradeId ?? nameless.orderId} has no client order id and fits; queryOrders does not link the two`,
    );
  return reachesBack(trades, anchor)
    ? { kind: "absent" }
    : silent("the trade history may be cut off: the last trade of ours before it is missing");
}

/** Trades that belong to this order, under whichever id they are listed. */
export function judgeFills(order: OrderIntent, first: TradeRecord, more: readonly TradeRecord[]): Finding<Fill> {
  const fill = fillOf(order, first);
  for (const row of more) {
    const other = fillOf(order, row);
    // Paging may return one row twice; it is one trade.
    if (other.tradeId !== fill.tradeId || describeFill(other) !== describeFill(fill))
      return contradiction("twice", `an order fills once; trades show ${shown(fill)} and ${shown(other)}`);
  }
  const problem = misfit(order, fill);
  if (problem !== undefined) return contradiction("misfit", `trades show ${shown(fill)}, but ${problem}`);
  return isTraded(first)
    ? { kind: "landed", receipt: fill }
    : split("status", `trades show it with status ${first.status}, which venue.profile.statuses does not explain`);
}

/** A trade has happened if its status is the canonical one, or if it has no status. */
function isTraded({ status }: Pick<TradeRecord, "status">): boolean {
  return status === undefined || status === "Filled";
}

/** Whether every field of the trade is compatible with the order. */
export function fitsOrder(order: OrderIntent, row: TradeRecord): boolean {
  return misfit(order, row) === undefined;
}

type Traded = Pick<Fill, "symbol" | "side" | "bought" | "sold" | "fee">;

function misfit(order: OrderIntent, row: Traded): string | undefined {
  const { symbol, side } = order;
  return row.symbol === symbol && row.side === side
    ? fillInconsistency(order, row)
    : `it must be a ${side} of ${symbol}, was a ${row.side} of ${row.symbol}`;
}

function reachesBack(rows: readonly { readonly clientOrderId: string | undefined }[], anchor: HistoryAnchor): boolean {
  if (anchor.kind !== "record") return anchor.kind === "none";
  return rows.some(({ clientOrderId }) => clientOrderId === anchor.clientOrderId);
}

function fillOf({ clientOrderId }: OrderIntent, row: TradeRecord): Fill {
  const { orderId, tradeId, symbol, side, bought, sold, fee, at } = row;
  return { clientOrderId, orderId, tradeId, symbol, side, bought, sold, fee, at };
}

function shown(fill: Fill): string {
  return `trade ${fill.tradeId ?? "of no id"} of ${describeFill(fill)}`;
}

function silent(reason: string): Finding<never> {
  return { kind: "silent", reason };
}

function split(shows: string, reason: string): Finding<never> {
  return { kind: "split", shows, reason, cause: "contradiction" };
}

function contradiction(shows: string, reason: string): Finding<never> {
  return { kind: "contradiction", shows, reason, cause: "contradiction" };
}

export type Found = { readonly id: string; readonly finding: Finding<AnyReceipt> };

/** How the rows of a list are compared with requests of one kind. */
type Listing<K extends "mint" | "rail", R> = {
  /** Whether the row belongs to this request, which already has its receipt. */
  readonly isIts: (row: R, state: Extract<MoneyRequest<K>["state"], { receipt: unknown }>) => boolean;
  /** Whether every field of the row is compatible with the request. */
  readonly fits: (request: MoneyRequest<K>["request"], row: R) => boolean;
  /** Whether the row proves that a released request happened after all. */
  readonly isTelling: (row: R) => boolean;
  readonly receiptOf: (row: R, before?: AnyReceipt) => AnyReceipt;
};

export const MINTS: Listing<"mint", SupplyChange> = {
  isIts: (row, { receipt }) => isRowOfMint(row, receipt),
  fits: fitsMint,
  isTelling: ({ quantity }) => quantity !== undefined,
  receiptOf: (row, before) => mintOf(row, (before as MintRecord | undefined)?.requestId),
};

export const RAILS: Listing<"rail", RailRecord> = {
  isIts: (row, { receipt }) => row.railId === receipt.railId,
  fits: fitsRail,
  isTelling: () => false,
  receiptOf: ({ railId, status, reason }) => ({ railId, status, reason }),
};

/** Finds every request that the list shows. `isAdopted`: the row was adopted, so it belongs to no request. */
export function findIn<K extends "mint" | "rail", R>(
  rows: readonly R[],
  requests: readonly MoneyRequest<K>[],
  isAdopted: (row: R) => boolean,
  { isIts, fits, isTelling, receiptOf }: Listing<K, R>,
): readonly Found[] {
  const found: Found[] = [];
  const claimed = new Set<R>();
  for (const { id, state } of requests) {
    if (!("receipt" in state)) continue;
    const row = rows.find((one) => isIts(one, state));
    if (row === undefined) continue;
    claimed.add(row);
    found.push({ id, finding: { kind: "landed", receipt: receiptOf(row, state.receipt) } });
  }
  // The answer of a request in flight will name its row, so no other request may claim that row until then.
  for (const { request, state } of requests)
    if (state.kind === "sending") for (const row of rows) if (fits(request, row)) claimed.add(row);
  const free = rows.filter((row) => !claimed.has(row) && !isAdopted(row));
  const open = requests.filter(({ state }) => state.kind === "unknown");
  for (const { kind, id, request, state } of [...open, ...requests.filter((one) => isGivenUp(one.state))]) {
    const fitting = free.filter((row) => !claimed.has(row) && fits(request, row));
    const telling = fitting.filter(isTelling);
    const [row, ...others] = telling.length > 0 || isGivenUp(state) ? telling : fitting;
    if (row === undefined) continue;
    for (const one of [row, ...others]) claimed.add(one);
    const several = `the venue lists several new ${kind}s that may be ${id}`;
    found.push({
      id,
      finding:
        others.length === 0
          ? { kind: "landed", receipt: receiptOf(row) }
          : { kind: "contradiction", shows: "several", reason: several, cause: "foreign" },
    });
  }
  return found;
}

function isGivenUp(state: State<unknown>): boolean {
  return reservationOf(state) === "freed" && state.kind !== "not-sent";
}

export function fitsMint({ asset, quantity, blockchain, known }: MintIntent, row: SupplyChange): boolean {
  return (
    row.asset === asset &&
    !namesOf(row).some((name) => known.includes(name)) &&
    (row.quantity === undefined || row.quantity.equals(quantity)) &&
    (row.blockchain === undefined || row.blockchain === blockchain)
  );
}

export function fitsRail({ known, ...request }: RailIntent, row: RailRecord): boolean {
  if (known.includes(row.railId)) return false;
  const listed = row.request ?? {};
  return (Object.keys(listed) as (keyof typeof listed)[]).every(
    (field) => listed[field] === undefined || listed[field] === request[field],
  );
}

/** The id under which the venue lists it. */
export function idOfChange({ requestId, transactionId }: SupplyChange): string {
  return requestId ?? transactionId ?? "";
}

/** A row that shows only its transaction may show a request id later, so it is known by both. */
function namesOf({ requestId, transactionId }: SupplyChange): readonly string[] {
  return [requestId, transactionId].filter((name) => name !== undefined);
}

/** Matches by the venue's request id, or by the transaction where either side has nothing else. */
export function isRowOfMint(row: SupplyChange, { requestId, transactionId }: MintRecord): boolean {
  const isSameTransaction = row.transactionId !== undefined && row.transactionId === transactionId;
  const isNamedByIt = row.requestId === undefined || requestId === transactionId;
  return row.requestId === requestId || (isSameTransaction && isNamedByIt) || idOfChange(row) === requestId;
}

function mintOf(row: SupplyChange, requestId: string = idOfChange(row)): MintRecord {
  const { transactionId, status, reason } = row;
  return { requestId, transactionId, fee: undefined, spent: undefined, status, reason };
}

// Receipts: an order fills once, and a mint or a rail has one id. Any other receipt under the same request contradicts
// it.

export function receiptDifference(kind: MoneyKind, known: AnyReceipt, seen: AnyReceipt): string | undefined {
  if (kind === "order") return fillDifference(known as Fill, seen as Fill);
  if (kind === "mint") return mintDifference(known as MintRecord, seen as MintRecord);
  return different(`rail ${(known as Rail).railId}`, `rail ${(seen as Rail).railId}`);
}

/** The known receipt completed with what the venue adds; the same object if it adds nothing. */
export function mergedReceipt(kind: MoneyKind, known: AnyReceipt, seen: AnyReceipt): AnyReceipt {
  if (kind === "order") return known;
  if (kind === "mint") return mergedMint(known as MintRecord, seen as MintRecord);
  const [before, now] = [known as Rail, seen as Rail];
  return before.status === now.status && before.reason === now.reason ? known : seen;
}

function mergedMint(known: MintRecord, seen: MintRecord): MintRecord {
  const { status = known.status } = seen;
  const merged = {
    requestId: known.requestId,
    transactionId: known.transactionId ?? seen.transactionId,
    fee: known.fee ?? seen.fee,
    spent: known.spent ?? seen.spent,
    status,
    reason: seen.status === undefined ? known.reason : seen.reason,
  };
  const isNews = (Object.keys(merged) as (keyof MintRecord)[]).some((key) => merged[key] !== known[key]);
  return isNews ? merged : known;
}

function describeFill({ orderId, bought, sold, fee }: Fill): string {
  return `order ${orderId ?? "of no id"}: ${amount(bought)} for ${amount(sold)}, fee ${amount(fee)}`;
}

type FillAmounts = Pick<Fill, "orderId" | "bought" | "sold" | "fee">;

/** Compares the amounts and ignores the trade id; a row may lack the order id, and a fee of nothing a currency. */
export function isSameFill(one: FillAmounts, other: FillAmounts): boolean {
  return (
    (one.orderId === undefined || other.orderId === undefined || one.orderId === other.orderId) &&
    isSame(one.bought, other.bought) &&
    isSame(one.sold, other.sold) &&
    (isSame(one.fee, other.fee) || (one.fee.isZero() && other.fee.isZero()))
  );
}

function isSame(one: Money, other: Money): boolean {
  return one.asset === other.asset && one.equals(other);
}

/** An order's answer does not have a trade id yet. */
function fillDifference(known: Fill, seen: Fill): string | undefined {
  if (!isSameFill(known, seen)) return different(describeFill(known), describeFill(seen));
  if (known.tradeId === undefined || seen.tradeId === undefined || known.tradeId === seen.tradeId) return undefined;
  return different(`trade ${known.tradeId}`, `trade ${seen.tradeId}`);
}

/** Compares only amounts that both records state. */
function mintDifference(known: MintRecord, seen: MintRecord): string | undefined {
  const both = (one: Money | undefined, other: Money | undefined): string | undefined =>
    one === undefined || other === undefined ? undefined : different(amount(one), amount(other));
  return (
    different(`mint ${known.requestId}`, `mint ${seen.requestId}`) ??
    both(known.spent, seen.spent) ??
    both(known.fee, seen.fee)
  );
}

function different(known: string, seen: string): string | undefined {
  return known === seen ? undefined : `known is ${known}; seen is ${seen}`;
}

export function amount(money: Money): string {
  return `${money} ${money.asset}`;
}
