// A difference between venue and books that is, to the last digit, a mint, a payment or an order of ours: one that was given up and
// came after all, whose money the venue gave back, or that is booked as filled and never was; or the last orders together, which
// balances that are behind do not show yet. It stops the bot like any other difference, but whoever is called reads whose it is.

import type { Money } from "../domain/money/money.ts";
import type { OpenDoubt } from "./balance-vote.ts";
import type { Held } from "./kept/held.ts";
import { besideCoins } from "./likeness/beside-coins.ts";
import { filledAfterAll } from "./likeness/filled-after-all.ts";
import { departedMints, departedPayments, fromBefore } from "./likeness/from-before.ts";
import { fillsNotShown } from "./likeness/late-fills.ts";
import type { LateUntil, Likeness } from "./likeness/likeness.ts";
import { mintLikeness } from "./likeness/mint-likeness.ts";
import { paymentAfterAll, paymentGivenBack } from "./likeness/payment-likeness.ts";
import type { Payments } from "./payment/payments.ts";
import { mayBeBefore } from "./shown-gone.ts";

/** A person reads them, and the reason of a stop is cut off. */
const NAMED_MAX = 3;

type Own = {
  /** Mints and rails, also those that are over. */
  readonly moving: Iterable<Held>;
  /** The last orders that are booked as filled, the latest first. */
  readonly fills: readonly Held[];
  /** Orders presumed dead, and what they would have moved. */
  readonly givenUp: readonly OpenDoubt[];
};

type Differing = {
  readonly differences: readonly Money[];
  /**
   * All that differs, also where it is no reason to stop yet, or where coins in flight explain it. Absent where `differences` are
   * already without those coins.
   */
  readonly all?: readonly Money[] | undefined;
  readonly lateUntil?: LateUntil;
};

export function ownDifferences(
  { differences, all: whole, lateUntil = () => undefined }: Differing,
  { moving, fills, givenUp }: Own,
  payments: Pick<Payments, "open" | "over" | "told">,
): Likeness {
  const found: Likeness[] = [];
  const all = whole ?? differences;
  const mints = [...moving].filter(({ kind }) => kind === "mint");
  for (const held of mints) for (const one of differences) found.push(...mintLikeness(one, held, lateUntil));
  const ways = besideCoins(all, mints);
  // At a take-over there is no `all`, and only what differs itself is taken over.
  found.push(...fillsNotShown(ways, fills), ...filledAfterAll(whole === undefined ? [differences] : ways, givenUp));
  found.push(...fromBefore(all, fills, [...departedMints(mints), ...departedPayments(payments)]));
  for (const payment of payments.over()) for (const one of differences) found.push(...paymentAfterAll(one, payment));
  for (const payment of payments.open())
    for (const one of differences)
      found.push(...paymentGivenBack(one, payment, mayBeBefore(payments.told(payment.id)), lateUntil));
  const named = found.slice(-NAMED_MAX);
  const earlier = found.length - named.length;
  const texts = named.map(({ text }) => `; ${text}`).join("");
  return {
    text: `${texts}${earlier === 0 ? "" : `; ${earlier} earlier ones are like it too`}`,
    finding: named.map(({ finding }) => finding).join(", "),
    own: found.flatMap(({ own }) => own),
    filled: found.flatMap(({ filled = [] }) => filled),
  };
}
