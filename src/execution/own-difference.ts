// A difference between venue and books that is, to the last digit, a mint, a payment or an order of ours: one that was given up and
// came after all, whose money the venue gave back, or that is booked as filled and never was. It moved outside the books, and so it stops the bot like any other; but whoever is called
// reads whose it is.

import type { MintIntent, MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import { feeMaxOf } from "./arrivals.ts";
import type { Held } from "./held.ts";
import { closingPayment, type MovedPayment, type PaymentFlight } from "./payment-flights.ts";
import type { Payments } from "./payments.ts";
import { reservationOf } from "./reservation.ts";
import { fillMovements } from "./totals.ts";

/** A person reads them, and the reason of a stop is cut off. */
const NAMED_MAX = 3;

/** Empty where none is like a mint or a payment of ours. */
export type Likeness = {
  /** To follow the text of the differences. */
  readonly text: string;
  /** Which of them, and in what way. */
  readonly finding: string;
  /** Money that came back of what is under way: a person closes that, for taken over it would be in the books twice. */
  readonly backs: readonly CameBack[];
};

/** `command`: closes what it is of. */
export type CameBack = { readonly id: string; readonly text: string; readonly command: string };

export function ownDifferences(
  differences: readonly Money[],
  own: Iterable<Held>,
  payments: Pick<Payments, "open" | "over">,
): Likeness {
  const found: Likeness[] = [];
  for (const held of own)
    if (held.kind === "order") found.push(...neverShown(differences, held));
    else if (held.kind === "mint") for (const one of differences) found.push(...likenessOf(one, held));
  for (const payment of payments.over()) for (const one of differences) found.push(...afterAll(one, payment));
  for (const payment of payments.open()) for (const one of differences) found.push(...givenBack(one, payment));
  const named = found.slice(-NAMED_MAX);
  const earlier = found.length - named.length;
  const texts = named.map(({ text }) => `; ${text}`).join("");
  return {
    text: `${texts}${earlier === 0 ? "" : `; ${earlier} earlier ones are like it too`}`,
    finding: named.map(({ finding }) => finding).join(", "),
    backs: found.flatMap(({ backs }) => backs),
  };
}

function likenessOf(difference: Money, { id, request, state }: Held): readonly Likeness[] {
  const { asset, quantity, destination } = request as MintIntent;
  const receipt = "receipt" in state ? (state.receipt as MintRecord) : undefined;
  const entry = receipt === undefined ? "" : ` (request ${receipt.requestId})`;
  const isGivenUp = reservationOf(state) === "freed" || (state.kind === "settled" && state.isGivenBack === true);
  if (isGivenUp)
    return destination === undefined && isSame(difference, quantity.of(asset))
      ? [
          {
            text: `${difference} ${asset} is just what mint ${id}${entry} was to bring, which ${endOf(state)}`,
            finding: `brought by ${id}`,
            backs: [],
          },
        ]
      : [];
  const spent = state.kind === "settled" ? undefined : receipt?.spent;
  if (spent === undefined || !isSame(difference, spent)) return [];
  const command = `pegbot resolve ${id} --not-landed --reason "..."`;
  return [backOf(difference, id, `mint ${id}${entry} had cost`, command)];
}

/** Both legs are missing: booked by its answer or by a person's word, it may never have happened. */
function neverShown(differences: readonly Money[], { id, request, state }: Held): readonly Likeness[] {
  if (!("receipt" in state)) return [];
  const missing = fillMovements(request as OrderIntent, state.receipt as Fill).map(({ least }) => least.negated());
  const isMissing = missing.every((one) => differences.some((difference) => isSame(difference, one)));
  if (!isMissing) return [];
  const amounts = missing.map((one) => `${one} ${one.asset}`).join(", ");
  const text = `${amounts} is just what the books have of order ${id}, and the balances do not show it`;
  return [{ text, finding: `fill of ${id}`, backs: [] }];
}

function backOf(difference: Money, id: string, what: string, command: string): Likeness {
  const text = `${difference} ${difference.asset} is just what ${what}`;
  return {
    text: `${text}: if the venue gave it back, ${command} instead of adopt`,
    finding: `cost of ${id}`,
    backs: [{ id, text, command }],
  };
}

function givenBack(difference: Money, { id, spent }: PaymentFlight): readonly Likeness[] {
  return !spent.isZero() && isSame(difference, spent)
    ? [backOf(difference, id, `${id} had taken`, closingPayment(id))]
    : [];
}

/** It is over by a person's word, by the list or by an adoption, or nobody knows what its word means, and its money moves all the same. */
function afterAll(difference: Money, { id, change, what }: MovedPayment): readonly Likeness[] {
  if (difference.asset !== change.asset) return [];
  const isWhole = difference.equals(change);
  if (!isWhole && !isLessFee(difference, change)) return [];
  const text = `${difference} ${difference.asset} is${isWhole ? " just" : ", less a fee,"} what ${id} ${what}`;
  return [{ text, finding: `moved by ${id}`, backs: [] }];
}

/** Off what comes a fee may be taken. */
function isLessFee(difference: Money, change: Money): boolean {
  return !change.isNegative() && difference.lessThan(change) && difference.atLeast(change.minus(feeMaxOf(change)));
}

function endOf({ kind }: Held["state"]): string {
  if (kind === "rejected") return "the venue had refused";
  return kind === "not-sent" ? "was never sent" : "was closed as not landed";
}

function isSame(one: Money, other: Money): boolean {
  return one.asset === other.asset && one.equals(other);
}
