// Do two records speak of the same event? An order fills once, a mint and a rail have one id: whatever else stands under
// the same submission contradicts it, and both are shown.

import { unreachable } from "../domain/invariant.ts";
import { type MintRecord, RETURNED } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Rail } from "../domain/rail.ts";
import type { MoneyKind, Receipts } from "./submission.ts";

export function receiptDifference<K extends MoneyKind>(
  kind: K,
  known: Receipts[K],
  seen: Receipts[K],
): string | undefined {
  const pair = { kind, known, seen } as Pair;
  switch (pair.kind) {
    case "order":
      // Texts are made only for what differs: every fill passes here.
      return isSameFill(pair.known, pair.seen)
        ? tradeDifference(pair.known, pair.seen)
        : different(describeFill(pair.known), describeFill(pair.seen));
    case "mint":
      return mintDifference(pair.known, pair.seen);
    case "rail":
      return different(`rail ${pair.known.railId}`, `rail ${pair.seen.railId}`);
    default:
      return unreachable(pair);
  }
}

/** What is known already, with what the venue says beyond it now; the very same object when that is nothing. */
export function mergedReceipt<K extends MoneyKind>(kind: K, known: Receipts[K], seen: Receipts[K]): Receipts[K] {
  const pair = { kind, known, seen } as Pair;
  switch (pair.kind) {
    case "order":
      return known;
    case "mint":
      return mergedMint(pair.known, pair.seen) as Receipts[K];
    case "rail":
      return (isSameRail(pair.known, pair.seen) ? known : seen) as Receipts[K];
    default:
      return unreachable(pair);
  }
}

function mergedMint(known: MintRecord, seen: MintRecord): MintRecord {
  // A person has closed it: what the list calls it afterwards changes nothing.
  if (known.status === RETURNED) return known;
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

function isSameRail(known: Rail, seen: Rail): boolean {
  return known.status === seen.status && known.reason === seen.reason;
}

type Pair = {
  [K in MoneyKind]: { readonly kind: K; readonly known: Receipts[K]; readonly seen: Receipts[K] };
}[MoneyKind];

export function describeFill({ orderId, bought, sold, fee }: Fill): string {
  return `order ${orderId}: ${amount(bought)} for ${amount(sold)}, fee ${amount(fee)}`;
}

/** Whatever the trade id. */
export function isSameFill(one: FillAmounts, other: FillAmounts): boolean {
  return (
    one.orderId === other.orderId &&
    isSame(one.bought, other.bought) &&
    isSame(one.sold, other.sold) &&
    isSame(one.fee, other.fee)
  );
}

type FillAmounts = Pick<Fill, "orderId" | "bought" | "sold" | "fee">;

function isSame(one: Money, other: Money): boolean {
  return one.asset === other.asset && one.equals(other);
}

/** The answer to an order has no trade id yet. */
function tradeDifference(known: Fill, seen: Fill): string | undefined {
  if (known.tradeId === undefined || seen.tradeId === undefined || known.tradeId === seen.tradeId) return undefined;
  return different(`trade ${known.tradeId}`, `trade ${seen.tradeId}`);
}

/** Amounts count where both records have them. */
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

function amount(money: Money): string {
  return `${money} ${money.asset}`;
}
