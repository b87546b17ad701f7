// A difference that is, to the last digit, what a payment on a rail of ours took, or was to move.

import type { Money } from "../../domain/money/money.ts";
import { closingPayment, type MovedPayment, type PaymentFlight } from "../payment/payment-flights.ts";
import { givenBack } from "./given-back.ts";
import { isLessFee, isSame, type LateUntil, type Likeness } from "./likeness.ts";

/** What a payment under way had taken is back, or the balances are behind. */
export function paymentGivenBack(
  difference: Money,
  { id, spent, since }: PaymentFlight,
  isUnseen: boolean,
  lateUntil: LateUntil,
): readonly Likeness[] {
  if (spent.isZero() || !isSame(difference, spent)) return [];
  const gone = { command: closingPayment(id), dueAt: lateUntil(since), isUnseen };
  return [givenBack(difference, { id, what: `${id} had taken`, ...gone })];
}

/**
 * The books say that the payment moves nothing: a person, the list or an adoption ended it, or nobody knows what the venue's word for
 * it means. Its money moved all the same.
 */
export function paymentAfterAll(difference: Money, { id, change, what }: MovedPayment): readonly Likeness[] {
  if (difference.asset !== change.asset) return [];
  const isWhole = difference.equals(change);
  if (!isWhole && !isLessFee(difference, change)) return [];
  const text = `${difference} ${difference.asset} is${isWhole ? " just" : ", less a fee,"} what ${id} ${what}`;
  return [{ text, finding: `moved by ${id}`, own: [] }];
}
