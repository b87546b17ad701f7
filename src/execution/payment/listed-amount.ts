// The amount that the venue lists of a payment that is booked already. Of what is given it stays as it was; off what arrives a fee may
// be taken. Another one was corrected, or partly returned: people are told, and as long as it is in flight the books follow the list
// where that says how many coins moved.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { isFromOutside } from "../../domain/movement.ts";
import type { RailIntent } from "../../domain/rail.ts";
import { feeMaxOf } from "./arrivals.ts";

export type Booking = { readonly spent: Money; readonly comes: Money };

/**
 * `change`: of what is held, by what is listed instead; undefined where it is in another currency. `booking`: as it is listed;
 * undefined where nobody can say how many coins that is.
 */
export type OtherAmount = {
  readonly text: string;
  readonly change: Money | undefined;
  readonly booking: Booking | undefined;
};

export function otherAmount(
  amount: Money | undefined,
  rail: Pick<RailIntent, "asset" | "currency">,
  booked: Booking | undefined,
): OtherAmount | undefined {
  if (amount === undefined || booked === undefined) return undefined;
  const isIn = isFromOutside(booked);
  const given = isIn ? rail.currency : rail.asset;
  const arrives = isIn ? rail.asset : rail.currency;
  // Coin and fiat of a rail are at par.
  const listed = Money.of(String(amount), rail.asset);
  const whole = Money.of(String(booked.comes), rail.asset);
  const least = amount.asset === arrives ? whole.minus(feeMaxOf(whole)) : whole;
  const isOfRail = amount.asset === given || amount.asset === arrives;
  if (isOfRail && listed.atLeast(least) && listed.atMost(whole)) return undefined;
  const shown: Asset = isOfRail ? amount.asset : rail.asset;
  const change = isIn ? listed.minus(whole) : whole.minus(listed);
  return {
    text: `it is listed with ${amount} ${amount.asset}, and booked with ${whole} ${shown}`,
    change: isOfRail ? change : undefined,
    booking: isOfRail && isTold(amount, booked, rail) ? asListed(amount, booked) : undefined,
  };
}

/** Of what goes to a bank only coins tell it, and not where a fee may be all that is off them: nobody gave that back. */
function isTold(amount: Money, booked: Booking, { asset }: Pick<RailIntent, "asset">): boolean {
  if (amount.isZero()) return false;
  if (isFromOutside(booked)) return true;
  const { spent } = booked;
  return amount.asset === asset && (amount.moreThan(spent) || amount.lessThan(spent.minus(feeMaxOf(spent))));
}

/** At par. */
function asListed(amount: Money, { spent, comes }: Booking): Booking {
  const as = (asset: Asset): Money => Money.of(String(amount), asset);
  return { spent: isFromOutside({ spent }) ? spent : as(spent.asset), comes: as(comes.asset) };
}
