// Do two records speak of the same event? An order fills once, a mint and a rail have one id: whatever else stands under
// the same submission contradicts it, and both are shown.

import { unreachable } from "../domain/invariant.ts";
import type { MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { Rail } from "../domain/rail.ts";
import type { MoneyKind, Receipts } from "./submission.ts";

export function receiptDifference<K extends MoneyKind>(
  kind: K,
  known: Receipts[K],
  seen: Receipts[K],
): string | undefined {
  const which: MoneyKind = kind;
  switch (which) {
    case "order":
      return fillDifference(known as Fill, seen as Fill);
    case "mint":
      return mintDifference(known as MintRecord, seen as MintRecord);
    case "rail":
      return different(`rail ${(known as Rail).railId}`, `rail ${(seen as Rail).railId}`);
    default:
      return unreachable(which);
  }
}

/** What is known already, with what the venue says beyond it now; the very same object when that is nothing. */
export function mergedReceipt<K extends MoneyKind>(kind: K, known: Receipts[K], seen: Receipts[K]): Receipts[K] {
  const which: MoneyKind = kind;
  switch (which) {
    case "order":
      return known;
    case "mint":
      return mergedMint(known as MintRecord, seen as MintRecord) as Receipts[K];
    case "rail":
      return isSameRail(known as Rail, seen as Rail) ? known : seen;
    default:
      return unreachable(which);
  }
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

function isSameRail(known: Rail, seen: Rail): boolean {
  return known.status === seen.status && known.reason === seen.reason;
}

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

/** Texts are made only of what differs: every fill passes here. The answer to an order has no trade id yet. */
function fillDifference(known: Fill, seen: Fill): string | undefined {
  if (!isSameFill(known, seen)) return different(describeFill(known), describeFill(seen));
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
