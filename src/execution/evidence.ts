// What counts as evidence. For an order the trade history decides, the order history supports and the balances vote; "not found"
// counts only in an answer that provably reaches back to before the order. A mint or a rail carries no id of ours: it is the one
// row that is new since before it was sent, fits, and belongs to no other request.

import { assetsOf } from "../domain/asset.ts";
import { fillInconsistency, lastDigitOf } from "../domain/fill-consistency.ts";
import type { MintIntent, MintRecord } from "../domain/mint.ts";
import { Money } from "../domain/money/money.ts";
import { type Fill, legs } from "../domain/order.ts";
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

/** How the balances vote on an unknown outcome. `moves`: what it moved, where nothing else explains the difference. */
export type Vote =
  | { readonly kind: "landed"; readonly moves?: readonly Money[] | undefined }
  | { readonly kind: "absent" }
  /** `isUnstated`: the venue never states what is pending, and what is available alone says that it did not happen. */
  | { readonly kind: "none"; readonly reason: string; readonly isUnstated?: boolean };

type Testimony = {
  readonly trades: readonly TradeRecord[];
  readonly orders: readonly OrderRecord[];
  readonly anchor: HistoryAnchor;
  readonly vote: Vote;
  /** The answer was an error: no word of the order list contradicts it, except `Filled`. */
  readonly isRefused?: boolean;
  /** No other order of its pair may have happened, so that a row without an id of ours can be its own. */
  readonly isAlone?: boolean;
};

export function judgeOrder(order: OrderIntent, testimony: Testimony): Finding<Fill> {
  const { orders, anchor, vote, isRefused = false } = testimony;
  const records = orders.filter(({ clientOrderId }) => clientOrderId === order.clientOrderId);
  // A list with a row for each event: what it became, not what it was first.
  const record = records.find(({ status }) => status === "Filled") ?? records[0];
  const traded = judgeTrades(order, { ...testimony, trades: linked(order, testimony.trades, record?.orderId) });
  if (traded.kind === "landed" && record?.status === "Rejected")
    return contradiction("rejected", `trades show ${describeFill(traded.receipt)}; orders show it as Rejected`);
  if (traded.kind === "landed" || traded.kind === "contradiction" || traded.kind === "split") return traded;
  const listed = record && { status: record.status ?? "of no status" };
  if (listed?.status === "Filled" || vote.kind === "landed") {
    const shows = vote.kind === "landed" ? "the balances are explained only with it" : "orders show it as Filled";
    return split("untraded", `trades do not show it; ${shows}`);
  }
  // A word alone decides nothing.
  if (listed !== undefined && listed.status !== "Rejected" && !isRefused)
    return silent(`orders list it as ${listed.status}: name its meaning in venue.profile.statuses`);
  if (new Set(records.map(({ status }) => status)).size > 1) return silent("orders list it with several statuses");
  if (traded.kind === "silent") return traded;
  if (listed === undefined && !reachesBack(orders, anchor))
    return silent("the order history may be cut off: the last order of ours before it is missing");
  if (vote.kind === "none" && !(isRefused && vote.isUnstated === true)) return silent(vote.reason);
  return listed === undefined ? { kind: "absent" } : { kind: "absent", listedAs: listed.status };
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
export function judgeTrades(
  order: OrderIntent,
  { trades, anchor, vote, isAlone = false }: Pick<Testimony, "trades" | "anchor" | "isAlone"> & Partial<Testimony>,
): Finding<Fill> {
  const own = trades.filter((row) => row.clientOrderId === order.clientOrderId);
  if (own.length > 0) return judgeFills(order, own, { vote });
  const nameless = trades.filter((row) => row.clientOrderId === undefined && fitsOrder(order, row));
  const [row, ...others] = nameless;
  if (row === undefined)
    return reachesBack(trades, anchor)
      ? { kind: "absent" }
      : silent("the trade history may be cut off: the last trade of ours before it is missing");
  if (isAlone && others.length === 0 && vote?.kind === "landed") return judgeFills(order, [row], { vote });
  const known = `trade ${row.tradeId ?? row.orderId} has no client order id and fits`;
  return split("nameless", `${known}; nothing shows that it is this order's and no other's`);
}

/** What is known of the order apart from the rows: the receipt, else how the balances vote. */
type Basis = { readonly receipt?: Fill | undefined; readonly vote?: Vote | undefined };

/**
 * Trades that belong to this order, under whichever id they are listed. Several are one fill if together they are what the
 * answer said, or what was ordered and the balances show.
 */
export function judgeFills(
  order: OrderIntent,
  rows: readonly TradeRecord[],
  { receipt, vote }: Basis = {},
): Finding<Fill> {
  // Paging may return one row twice; it is one trade.
  const parts = rows.filter((row, place) => rows.findIndex((one) => isSameTrade(one, row)) === place);
  const ids = new Set(parts.map(({ tradeId }) => tradeId));
  const fees = new Set(parts.flatMap(({ fee }) => (fee.isZero() ? [] : [fee.asset])));
  const [first] = parts as [TradeRecord];
  const problem = parts.map((row) => sideProblem(order, row)).find((one) => one !== undefined);
  if (problem !== undefined) return misfitting(parts, problem);
  if (ids.size < parts.length || fees.size > 1) return misfitting(parts, "an order fills once");
  const traded = parts.length === 1 ? first : summed(parts as [TradeRecord, ...TradeRecord[]]);
  const fill = fillOf(order, traded);
  const base = (one: Fill): Money => (order.side === "buy" ? one.bought : one.sold);
  const size = receipt === undefined ? order.quantity.of(base(fill).asset) : base(receipt);
  const net = fill.fee.asset === size.asset && order.side === "buy" ? size.minus(fill.fee) : size;
  if (base(fill).lessThan(net)) return split("parts", `trades show ${amount(base(fill))} of ${amount(size)} so far`);
  const odd = misfit(order, fill);
  if (odd !== undefined) return misfitting(parts, odd);
  const isWhole = parts.length === 1 && traded.isProduct !== true;
  if (receipt !== undefined)
    return isWhole || isSameFill(receipt, traded)
      ? { kind: "landed", receipt: isWhole ? fill : { ...receipt, tradeId: fill.tradeId } }
      : misfitting(parts, `the answer said ${describeFill(receipt)}`);
  const word = parts.map(({ status }) => status).find((one) => one !== undefined && one !== "Filled");
  if (isWhole && word === undefined) return { kind: "landed", receipt: fill };
  if (vote?.kind !== "landed") {
    const seen =
      word === undefined
        ? `as ${parts.map(shown).join(" and ")}`
        : `with status ${word}, which venue.profile.statuses does not explain`;
    return split(
      word === undefined ? "unsure" : "status",
      `trades show it ${seen}, and the balances do not confirm it`,
    );
  }
  return traded.isProduct === true ? statedBy(order, fill, vote.moves ?? []) : { kind: "landed", receipt: fill };
}

/** The balances state the quote leg where the trade only multiplies. */
function statedBy({ side }: OrderIntent, fill: Fill, moves: readonly Money[]): Finding<Fill> {
  const product = side === "buy" ? fill.sold : fill.bought;
  const fee = fill.fee.asset === product.asset ? fill.fee : Money.zero(product.asset);
  const move = moves.find(({ asset }) => asset === product.asset);
  const leg = side === "buy" ? move?.negated().minus(fee) : move?.plus(fee);
  if (leg === undefined || !isNear(leg, product))
    return split("product", `trades show it as quantity x price, ${amount(product)}, and the balances do not state it`);
  return { kind: "landed", receipt: side === "buy" ? { ...fill, sold: leg } : { ...fill, bought: leg } };
}

function isSameTrade(one: TradeRecord, other: TradeRecord): boolean {
  return one.tradeId === other.tradeId && describeFill(one) === describeFill(other);
}

function misfitting(parts: readonly TradeRecord[], problem: string): Finding<never> {
  return contradiction("misfit", `trades show ${parts.map(shown).join(" and ")}, but ${problem}`);
}

const TOGETHER = " + ";

/** The trades that make up a fill. */
export function tradeIdsOf({ tradeId }: Pick<Fill, "tradeId">): readonly string[] {
  return tradeId?.split(TOGETHER) ?? [];
}

function summed(parts: readonly [TradeRecord, ...TradeRecord[]]): TradeRecord {
  const [first] = parts;
  const sum = (of: (row: TradeRecord) => Money): Money => Money.sum(parts.map(of), of(first).asset);
  const { asset } = (parts.find(({ fee }) => !fee.isZero()) ?? first).fee;
  return {
    ...first,
    tradeId: parts
      .map(({ tradeId }) => tradeId)
      .sort()
      .join(TOGETHER),
    bought: sum(({ bought }) => bought),
    sold: sum(({ sold }) => sold),
    fee: Money.sum(
      parts.flatMap(({ fee }) => (fee.isZero() ? [] : [fee])),
      asset,
    ),
    isProduct: parts.some(({ isProduct }) => isProduct === true),
  };
}

/** Whether every field of the trade is compatible with the order. */
export function fitsOrder(order: OrderIntent, row: TradeRecord): boolean {
  return misfit(order, row) === undefined;
}

type Traded = Pick<Fill, "symbol" | "side" | "bought" | "sold" | "fee">;

function misfit(order: OrderIntent, row: Traded): string | undefined {
  return sideProblem(order, row) ?? fillInconsistency(order, row);
}

function sideProblem({ symbol, side }: OrderIntent, row: Traded): string | undefined {
  const { base, quote } = assetsOf(symbol);
  const { bought, sold } = legs(side, base, quote);
  return row.symbol === symbol && row.side === side && row.bought.asset === bought && row.sold.asset === sold
    ? undefined
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

function shown(fill: Pick<TradeRecord, "tradeId"> & FillAmounts): string {
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
  /** Whether the row has the very id of this request, which already has its receipt. */
  readonly isNamed: (row: R, state: Extract<MoneyRequest<K>["state"], { receipt: unknown }>) => boolean;
  /** Whether it belongs to it by that id or by another. */
  readonly isIts: (row: R, state: Extract<MoneyRequest<K>["state"], { receipt: unknown }>) => boolean;
  /** Whether every field of the row is compatible with the request. */
  readonly fits: (request: MoneyRequest<K>["request"], row: R) => boolean;
  /** Why the row of a known request is not what was ordered. */
  readonly oddIn: (request: MoneyRequest<K>["request"], row: R) => string | undefined;
  /** Whether the row states what it is of, and so can be recognised; a row without content asks a person. */
  readonly isTelling: (row: R) => boolean;
  /** Whether such a row proves that a released request happened after all. */
  readonly isLate: boolean;
  readonly receiptOf: (row: R, before?: AnyReceipt) => AnyReceipt;
};

export const MINTS: Listing<"mint", SupplyChange> = {
  isNamed: (row, { receipt }) => row.requestId === receipt.requestId,
  isIts: (row, { receipt }) => isRowOfMint(row, receipt),
  fits: fitsMint,
  oddIn: ({ asset, quantity }, row) =>
    row.asset === asset && (row.quantity?.equals(quantity) ?? true)
      ? undefined
      : `listed are ${row.quantity ?? ""} ${row.asset}, ordered were ${quantity} ${asset}`,
  isTelling: ({ quantity }) => quantity !== undefined,
  isLate: true,
  receiptOf: (row, before) => mintOf(row, (before as MintRecord | undefined)?.requestId),
};

export const RAILS: Listing<"rail", RailRecord> = {
  isNamed: (row, { receipt }) => row.railId === receipt.railId,
  isIts: (row, { receipt }) => row.railId === receipt.railId,
  fits: fitsRail,
  oddIn: () => undefined,
  isTelling: ({ request }) => request?.destination !== undefined && request.type !== undefined,
  isLate: false,
  receiptOf: ({ railId, status, reason }) => ({ railId, status, reason }),
};

/** Finds every request that the list shows. `isAdopted`: the row was adopted, so it belongs to no request. */
export function findIn<K extends "mint" | "rail", R>(
  rows: readonly R[],
  requests: readonly MoneyRequest<K>[],
  isAdopted: (row: R) => boolean,
  { isNamed, isIts, fits, oddIn, isTelling, isLate, receiptOf }: Listing<K, R>,
): readonly Found[] {
  const found: Found[] = [];
  const claimed = new Set<R>();
  const named = new Set<string>();
  for (const isOne of [isNamed, isIts])
    for (const { id, state, request } of requests) {
      if (!("receipt" in state) || named.has(id)) continue;
      const row = rows.find((one) => !claimed.has(one) && isOne(one, state));
      if (row === undefined) continue;
      claimed.add(row);
      named.add(id);
      const odd = oddIn(request, row);
      const receipt = receiptOf(row, state.receipt);
      found.push({ id, finding: odd === undefined ? { kind: "landed", receipt } : contradiction("content", odd) });
    }
  // The answer of a request in flight will name its row, so no other request may claim that row until then.
  for (const { request, state } of requests)
    if (state.kind === "sending") for (const row of rows) if (fits(request, row)) claimed.add(row);
  const free = rows.filter((row) => !claimed.has(row) && !isAdopted(row));
  const open = requests.filter(({ state }) => state.kind === "unknown");
  for (const { kind, id, request, state } of [...open, ...requests.filter((one) => isGivenUp(one.state))]) {
    const fitting = free.filter((row) => !claimed.has(row) && fits(request, row));
    const [row, ...others] = isGivenUp(state) && !isLate ? [] : fitting.filter(isTelling);
    const [blank] = fitting;
    if (row === undefined && blank !== undefined && !isGivenUp(state)) {
      for (const one of fitting) claimed.add(one);
      const shown = describeBlank(receiptOf(blank));
      found.push({ id, finding: silent(`the venue lists ${shown}, without what it is of: it may be ${id}`) });
    }
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

function describeBlank(receipt: AnyReceipt): string {
  return "railId" in receipt ? `rail ${receipt.railId}` : `mint ${(receipt as MintRecord).requestId}`;
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

/** By the venue's request id or by the transaction, as the interface has it. */
export function isRowOfMint(row: SupplyChange, { requestId, transactionId }: MintRecord): boolean {
  const isSameTransaction = row.transactionId !== undefined && row.transactionId === transactionId;
  return row.requestId === requestId || isSameTransaction || idOfChange(row) === requestId;
}

function mintOf(row: SupplyChange, requestId: string = idOfChange(row)): MintRecord {
  const { transactionId, status, reason, spent, fee } = row;
  return { requestId, transactionId, fee: spent && fee, spent, status, reason };
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
  if (kind === "order") return mergedFill(known as Fill, seen as Fill);
  if (kind === "mint") return mergedMint(known as MintRecord, seen as MintRecord);
  const [before, now] = [known as Rail, seen as Rail];
  return before.status === now.status && before.reason === now.reason ? known : seen;
}

/** The trade has the id; the amounts stay as they are booked. */
function mergedFill(known: Fill, { tradeId, orderId, at }: Fill): Fill {
  const merged = { ...known, tradeId: known.tradeId ?? tradeId, orderId: known.orderId ?? orderId, at: known.at ?? at };
  return (["tradeId", "orderId", "at"] as const).some((key) => merged[key] !== known[key]) ? merged : known;
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

function describeFill({ orderId, bought, sold, fee }: FillAmounts): string {
  return `order ${orderId ?? "of no id"}: ${amount(bought)} for ${amount(sold)}, fee ${amount(fee)}`;
}

type FillAmounts = Pick<TradeRecord, "orderId" | "bought" | "sold" | "fee" | "side" | "isProduct">;

/**
 * Compares the amounts and ignores the trade id; a row may lack the order id, a fee of nothing has any currency, and
 * quantity x price confirms what is known to the last digit.
 */
export function isSameFill(known: FillAmounts, row: FillAmounts): boolean {
  const isSameQuote = row.isProduct === true ? isNear : isSame;
  const [isBought, isSold] = row.side === "buy" ? [isSame, isSameQuote] : [isSameQuote, isSame];
  return (
    (known.orderId === undefined || row.orderId === undefined || known.orderId === row.orderId) &&
    isBought(known.bought, row.bought) &&
    isSold(known.sold, row.sold) &&
    (isSame(known.fee, row.fee) || (known.fee.isZero() && row.fee.isZero()))
  );
}

function isSame(one: Money, other: Money): boolean {
  return one.asset === other.asset && one.equals(other);
}

function isNear(stated: Money, product: Money): boolean {
  return stated.asset === product.asset && stated.minus(product).size().atMost(lastDigitOf(stated));
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
