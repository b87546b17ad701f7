// Payments on rails of ours, as the venue lists them. A rail moves no money, its payments do: on the way to a bank coins leave
// the account when a payment begins, and its fiat is in flight until it has arrived there; on the way to our own deposit
// address coins are in flight from then on. What goes to a wallet outside never was on the account, and is only followed.

import { Money } from "../domain/money/money.ts";
import type { MovementEvent, MovementReport } from "../domain/movement.ts";
import type { RailIntent } from "../domain/rail.ts";
import type { Millis } from "../domain/time.ts";
import { wordOf } from "../domain/venue-word.ts";
import type { Payment } from "../exchange/port.ts";
import { type Awaited, type Expectation, Expectations } from "./expectations.ts";
import { type MovementTold, toldOfMovement } from "./movement-report.ts";
import type { Submission } from "./submission.ts";

const PREFIX = "payment:";

type OurRail = Pick<Submission<"rail">, "id" | "request">;

type StandingRail = { readonly id: string; readonly railId: string; readonly since: Millis };

/** `problems`: payments that are not what was expected. */
export type Seen = { readonly events: readonly MovementEvent[]; readonly problems: readonly string[] };

export class Payments {
  readonly expectations = new Expectations();
  readonly #told = new Map<string, MovementTold>();
  /** Rails on which something was paid. */
  readonly #paid = new Set<string>();
  #isRead = false;

  /** A step of the journal. */
  fold(event: MovementEvent): void {
    const { id, report } = event;
    this.expectations.fold(event);
    if (id.startsWith(PREFIX)) this.#told.set(id, toldOfMovement(report, this.#told.get(id)));
  }

  /** Of these rails. Of one without an expectation only the list can say that nothing was paid, once it was read. */
  awaited(rails: readonly StandingRail[]): readonly Awaited[] {
    const expected = new Set<string>();
    const found: Awaited[] = [];
    for (const { id, rail, pays, since } of this.expectations.all()) {
      expected.add(rail);
      found.push({ id, rail, pays, since });
    }
    if (!this.#isRead) return found;
    for (const { id, railId, since } of rails)
      if (!expected.has(id) && !this.#paid.has(railId)) found.push({ id, rail: id, pays: undefined, since });
    return found;
  }

  /** What the engine has not heard yet. `railOf`: the rail of ours under the venue's id. */
  see(rows: readonly Payment[], railOf: (railId: string) => OurRail | undefined, receivedAt: Millis): Seen {
    this.#isRead = true;
    const events: MovementEvent[] = [];
    const problems: string[] = [];
    for (const row of rows) {
      const rail = row.railId === undefined ? undefined : railOf(row.railId);
      if (rail === undefined || row.railId === undefined || row.paymentId === undefined) continue;
      const id = `${PREFIX}${row.paymentId}`;
      const told = this.#told.get(id);
      // What did not happen moved nothing, and nobody knows what an unknown word has moved: the balances would tell.
      const word = wordOf(row.status);
      if (told === undefined && (word === "rejected" || word === "unknown")) continue;
      this.#paid.add(row.railId);
      if (told === undefined) events.push(...this.#expected(row, rail, receivedAt, problems));
      for (const report of reportsOf(row, rail.request, told)) {
        this.#told.set(id, toldOfMovement(report, this.#told.get(id)));
        events.push({ kind: "movement", id, report, receivedAt });
      }
    }
    return { events, problems };
  }

  /** What was waited for, or in its place: it is waited for no longer. */
  #expected({ paymentId, amount }: Payment, rail: OurRail, receivedAt: Millis, problems: string[]): MovementEvent[] {
    const expected = this.expectations.on(rail.id);
    const met = expected.find((one) => isMet(one, amount, rail.request)) ?? expected[0];
    if (met === undefined) return [];
    if (!isMet(met, amount, rail.request)) {
      const was = amount === undefined ? "an unknown amount" : `${amount} ${amount.asset}`;
      problems.push(
        `payment ${paymentId} on rail ${rail.id} is of ${was}, expected were ${met.pays} ${met.pays.asset}; it is booked as it is`,
      );
    }
    return [this.expectations.end(met.id, `payment ${paymentId} has come`, receivedAt)];
  }
}

/** Coin and fiat of a rail are at par: the list may name either. */
function isMet({ pays }: Expectation, amount: Money | undefined, { asset, currency }: RailIntent): boolean {
  if (amount === undefined || (amount.asset !== asset && amount.asset !== currency)) return false;
  return Money.of(String(amount), pays.asset).equals(pays);
}

function reportsOf({ amount, status }: Payment, rail: RailIntent, told: MovementTold | undefined): MovementReport[] {
  const word = wordOf(status);
  if (told?.stage === "arrived" || told?.stage === "returned") return [];
  const isBooked = told?.stage === "departed";
  const isNothing = word === "rejected" || word === "unknown";
  const booked = isBooked || isNothing || !mayBeBooked(rail, told) ? undefined : bookingOf(amount, rail);
  const reports: MovementReport[] = [];
  if (booked !== undefined)
    reports.push({ kind: "departed", door: "payment", fee: Money.zero(booked.spent.asset), ...booked });
  if (status !== told?.status) reports.push({ kind: "told", status, reason: undefined });
  if (!isBooked && booked === undefined) return reports;
  // Its coins are back or never left: if they are not, the balances say so. In flight they would be owned twice.
  if (word === "rejected") reports.push({ kind: "returned", reason: "the payment was rejected" });
  if (word === "settled") reports.push({ kind: "arrived", at: rail.toAccount ? "account" : "outside" });
  return reports;
}

/** Of one that had no amount: on the way in the balances show nothing before it has settled, so that nobody took it over. */
function mayBeBooked({ toAccount }: RailIntent, told: MovementTold | undefined): boolean {
  return told === undefined || (toAccount === true && wordOf(told.status ?? "") !== "settled");
}

/** Without its amount nothing can be booked: the balances show a difference, and a person is asked. */
function bookingOf(
  amount: Money | undefined,
  { type, asset, currency, toAccount }: RailIntent,
): { readonly spent: Money; readonly comes: Money } | undefined {
  if (amount === undefined) return undefined;
  if (type === "StablecoinToFiat")
    return amount.asset === asset ? { spent: amount, comes: Money.of(String(amount), currency) } : undefined;
  if (!toAccount || (amount.asset !== currency && amount.asset !== asset)) return undefined;
  // Nothing of ours has left for it: it comes from a bank.
  return { spent: Money.zero(currency), comes: Money.of(String(amount), asset) };
}
