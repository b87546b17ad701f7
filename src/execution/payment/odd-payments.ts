// Rows of the venue's list on rails of ours that nobody books: without an id, under the id of another payment, or of one that had
// arrived and that the list calls otherwise since. What they move differs and stops the bot, which names them.

import type { Money } from "../../domain/money/money.ts";
import { quoted } from "../../domain/outside-text.ts";
import { wordOf } from "../../domain/venue-word.ts";
import type { Payment } from "../../exchange/port.ts";
import { DIFFERENCE_TAKEN } from "../way-out.ts";
import { type MovedPayment, type PaymentFlights, paymentId } from "./payment-flights.ts";

/** `isOthers`: the one that is booked under its id is on another rail. `change`: of what is held, where that can be told. */
export type ListedPayment = {
  readonly row: Payment;
  readonly rail: string;
  readonly isOthers: boolean;
  readonly change: Money | undefined;
};

export class OddPayments {
  #odd: ReadonlyMap<string, MovedPayment> = new Map();

  /** Of a list that is whole, those on rails of ours. Gives back those that are news, in words. */
  see(listed: readonly ListedPayment[], flights: Pick<PaymentFlights, "undone">): readonly string[] {
    const odd = new Map<string, MovedPayment>();
    for (const one of listed) {
      const found = unbookedOf(one) ?? undoneOf(one, flights);
      if (found !== undefined) odd.set(`${found.id} ${found.what} ${found.change}`, found);
    }
    const news = [...odd].flatMap(([key, one]) => (this.#odd.has(key) ? [] : [noteOf(one)]));
    this.#odd = odd;
    return news;
  }

  all(): Iterable<MovedPayment> {
    return this.#odd.values();
  }
}

/** As people read it. */
export function oddName({ id, change, what }: MovedPayment): string {
  return `${change} ${change.asset} are what ${id} ${what}`;
}

function unbookedOf({ row, rail, isOthers, change }: ListedPayment): MovedPayment | undefined {
  const { status, paymentId: venueId } = row;
  if (wordOf(status) === "rejected" || change === undefined) return undefined;
  const would = `would ${change.isNegative() ? "take" : "bring"}, which`;
  if (venueId === undefined)
    return { id: `a payment on rail ${rail}`, change, what: `${would} is listed without an id and cannot be booked` };
  if (!isOthers) return undefined;
  const what = `${would} is listed under the id of a payment on another rail and cannot be booked`;
  return { id: `${paymentId(venueId)} on rail ${rail}`, change, what };
}

function undoneOf(
  { row: { status, paymentId: venueId }, isOthers }: ListedPayment,
  flights: Pick<PaymentFlights, "undone">,
) {
  const undone = venueId === undefined || isOthers ? undefined : flights.undone(paymentId(venueId));
  if (undone === undefined || wordOf(status) === "settled") return undefined;
  return { ...undone, what: `${undone.what} and is listed as ${quoted(status)} since` };
}

function noteOf(payment: MovedPayment): string {
  return `${oddName(payment)}; ${DIFFERENCE_TAKEN}`;
}
