// Payments on rails of ours, as the venue lists them. A rail moves no money, its payments do: on the way to a bank coins leave
// the account when a payment begins, and its fiat is in flight until it has arrived there; on the way to our own deposit
// address coins are in flight until the balances show them. What goes to a wallet outside never was on the account.

import type { Asset } from "../../domain/asset.ts";
import { invariant, unreachable } from "../../domain/invariant.ts";
import { type Money, Quantity } from "../../domain/money/money.ts";
import { isFromOutside, type MovementEvent, type MovementReport } from "../../domain/movement.ts";
import type { Millis } from "../../domain/time.ts";
import type { Payment } from "../../exchange/port.ts";
import { ENDED_MAX } from "../kept/ended-orders.ts";
import { type MovementTold, toldOfMovement } from "../movement-report.ts";
import { goneReport, type Unseen } from "../shown-gone.ts";
import type { Mover, Totals } from "../totals.ts";
import { AdoptedMoves } from "./adopted-moves.ts";
import { Arrivals, type Arriving } from "./arrivals.ts";
import { type Awaited, Expectations } from "./expectations.ts";
import { type Booking, type OtherAmount, otherAmount } from "./listed-amount.ts";
import { type ListedPayment, OddPayments, oddName } from "./odd-payments.ts";
import {
  bookingOf,
  type KnownPayment,
  type OurRail,
  type PaymentFact,
  paymentFact,
  unknownText,
} from "./payment-fact.ts";
import {
  changeOf,
  endOf,
  isPayment,
  type MovedPayment,
  type PaymentEnd,
  type PaymentFlight,
  PaymentFlights,
  paymentId,
  venueIdOf,
} from "./payment-flights.ts";

type StandingRail = { readonly id: string; readonly railId: string; readonly since: Millis };

/** `problems`: payments that are not as expected. `held`: those that wait from now on, for a rate or for a word that we know. All for people to read. */
export type Seen = {
  readonly events: readonly MovementEvent[];
  readonly problems: readonly string[];
  readonly held: readonly string[];
};

type Draft = { readonly events: MovementEvent[]; readonly problems: string[]; readonly held: string[] };

/** A row of the venue's list about a payment on a rail of ours. */
type Listed = {
  readonly id: string;
  readonly venueId: string;
  readonly railId: string;
  readonly row: Payment;
  readonly rail: OurRail;
  readonly receivedAt: Millis;
};

/** `change`: what it would do to holdings, where that can be told. */
type Unsaid = { readonly row: Payment; readonly since: Millis; readonly change: Money | undefined };

/** Whether it is known what the asset is worth. */
export type IsValued = (asset: Asset, at: Millis) => boolean;

export class Payments {
  readonly expectations = new Expectations();
  readonly flights = new PaymentFlights();
  readonly #arrivals = new Arrivals();
  readonly #told = new Map<string, MovementTold>();
  readonly #booked = new Map<string, Booking>();
  /** Booked payments that are listed with another amount. */
  readonly #other = new Map<string, OtherAmount>();
  readonly #odd = new OddPayments();
  /** The rail on which each payment was booked, or first listed; both by the venue's ids. */
  readonly #rails = new Map<string, string>();
  /** Rails on which something was paid. */
  readonly #paid = new Set<string>();
  readonly #isValued: IsValued;
  /** Payments that wait for a rate, as last listed: without one, money that enters or leaves the account would spoil the bases of losses. */
  #unvalued: readonly { readonly row: Payment; readonly asset: Asset }[] = [];
  /** Payments under words that nobody knows, as last listed, and since when: an adoption may still take over what they moved. */
  readonly #unsaid = new Map<string, Unsaid>();
  #isRead = false;
  readonly #adopted = new AdoptedMoves();

  constructor(isValued: IsValued = () => true) {
    this.#isValued = isValued;
  }

  get areValued(): boolean {
    return this.#unvalued.length === 0;
  }

  /** Payments that waited for a rate and have one now. */
  valuable(at: Millis): readonly Payment[] {
    return this.#unvalued.flatMap(({ row, asset }) => (this.#isValued(asset, at) ? [row] : []));
  }

  /** The books took over what differed; some of it may be payments that are listed only later. */
  adopt(at: Millis, amounts: readonly Money[]): void {
    this.#adopted.add(at, amounts);
  }

  /** Rows of the last list that nobody books, in words. */
  oddNames(): readonly string[] {
    return Array.from(this.#odd.all(), oddName);
  }

  /** Payments of which nobody knows what they have moved. */
  unsaid(): readonly Payment[] {
    return Array.from(this.#unsaid.values(), ({ row }) => row);
  }

  /** Payments that are booked and not over. */
  open(): readonly PaymentFlight[] {
    return this.flights.open();
  }

  /** Payments that move nothing by the books, and what each would move. */
  over(): readonly MovedPayment[] {
    const unsaid = [...this.#unsaid].flatMap(([id, { row, change }]): readonly MovedPayment[] => {
      if (change === undefined) return [];
      const what = `would ${change.isNegative() ? "take" : "bring"}, which the venue lists as ${unknownText(row)}`;
      return [{ id, change, what }];
    });
    const other = [...this.#other].flatMap(([id, { text, change }]): readonly MovedPayment[] =>
      change === undefined ? [] : [{ id, change, what: `is off by: ${text}` }],
    );
    return [...this.flights.over(), ...unsaid, ...other, ...this.#odd.all()];
  }

  /** A step of the journal. */
  fold(event: MovementEvent): void {
    this.expectations.fold(event);
    if (isPayment(event.id)) this.#take(event);
  }

  told(id: string): MovementTold | undefined {
    return this.#told.get(id);
  }

  /** Payments on the way to a bank that no balances have shown to be gone. */
  unseen(): readonly Unseen[] {
    return this.flights.open().flatMap((flight) => {
      const isSeen = isFromOutside(flight) || goneReport(this.#told.get(flight.id)) === undefined;
      return isSeen ? [] : [flight];
    });
  }

  /** What is waited for on these rails. A rail without an expectation counts only once the list was read, and shows no payment on it. */
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
    const seen: Draft = { events: [], problems: [], held: [] };
    for (const listed of this.#own(rows, railOf, receivedAt))
      this.#follow(listed, paymentFact(listed.row, listed.rail, this.#known(listed)), seen);
    return seen;
  }

  /** One row for each id: of several, the payment's own. Another would be taken for news about it. */
  #own(
    rows: readonly Payment[],
    railOf: (railId: string) => OurRail | undefined,
    receivedAt: Millis,
  ): Iterable<Listed> {
    const own = new Map<string, Listed>();
    for (const row of rows) {
      const { railId, paymentId: venueId } = row;
      const rail = railId === undefined ? undefined : railOf(railId);
      if (rail === undefined || railId === undefined || venueId === undefined) continue;
      if (this.#isOthers(venueId, railId, rail)) continue;
      const listed = { row, rail, railId, venueId, id: paymentId(venueId), receivedAt };
      const before = own.get(venueId);
      if (before === undefined || this.#isRather(listed, before)) own.set(venueId, listed);
    }
    return own.values();
  }

  /**
   * Whether the row is another payment with the same id: it is on another rail. Where an earlier version booked the payment without its
   * rail, a row counts as its own if it goes in the direction that was booked.
   */
  #isOthers(venueId: string, railId: string, { request }: OurRail): boolean {
    const [known, booked] = [this.#rails.get(venueId), this.#booked.get(paymentId(venueId))];
    if (known !== undefined || booked === undefined) return known !== undefined && known !== railId;
    return isFromOutside(booked) !== (request.type === "FiatToStablecoin");
  }

  /** Of two rows that may be the payment: the one on its rail. Where its rail is not known: the one with the booked amount, then with its last word. */
  #isRather(listed: Listed, before: Listed): boolean {
    const { id, venueId, railId } = listed;
    if (this.#rails.has(venueId)) return true;
    if (!this.#isAsBooked(listed)) return false;
    return before.railId === railId || !this.#isAsBooked(before) || before.row.status !== this.#told.get(id)?.status;
  }

  #isAsBooked({ id, row, rail }: Listed): boolean {
    const booked = this.#booked.get(id);
    return booked !== undefined && otherAmount(row.amount, rail.request, booked) === undefined;
  }

  /** The row of this payment in a list that was just seen, and not that of another payment with its id. */
  listed(id: string, rows: readonly Payment[]): Payment | undefined {
    const venueId = venueIdOf({ id });
    const named = rows.filter((row) => row.paymentId === venueId);
    const rail = this.#rails.get(venueId);
    if (rail === undefined) return named[0];
    return named.find(({ railId }) => railId === rail) ?? named.find(({ railId }) => railId === undefined);
  }

  /** For a list that is complete: rows that nobody books, in words, where they are news. */
  odd(rows: readonly Payment[], railOf: (railId: string) => OurRail | undefined): readonly string[] {
    const listed = rows.flatMap((row): readonly ListedPayment[] => {
      const rail = row.railId === undefined ? undefined : railOf(row.railId);
      const booking = rail && bookingOf(row.amount, rail.request, undefined);
      if (rail === undefined) return [];
      const { railId, paymentId: venueId } = row;
      const isOthers = railId !== undefined && venueId !== undefined && this.#isOthers(venueId, railId, rail);
      return [{ row, rail: rail.id, isOthers, change: booking && changeOf(booking) }];
    });
    return this.#odd.see(listed, this.flights);
  }

  #known({ id, row, rail, venueId, receivedAt }: Listed): KnownPayment {
    return {
      told: this.#told.get(id),
      other: this.#untaken(id, this.#otherAmount(id, row, rail)),
      expected: this.expectations.on(rail.id),
      isHeld: this.#waits(venueId),
      since: this.#unsaid.get(id)?.since ?? receivedAt,
      adopted: this.#adopted,
      isValued: (asset) => this.#isValued(asset, receivedAt),
    };
  }

  #follow(listed: Listed, fact: PaymentFact, seen: Draft): void {
    const { id, row, venueId } = listed;
    switch (fact.kind) {
      case "unsaid":
        if (!this.#unsaid.has(id) && !this.#waits(venueId)) seen.held.push(unsaidText(listed));
        this.#unsaid.set(id, { row, since: fact.since, change: fact.change });
        return;
      case "refused":
        this.#unsaid.delete(id);
        if (this.#unhold(venueId)) this.#arrivals.forget(id);
        return;
      case "waits":
      case "moves": {
        this.#unsaid.delete(id);
        this.#paid.add(listed.railId);
        if (!this.#rails.has(venueId)) this.#rails.set(venueId, listed.railId);
        const wasHeld = this.#unhold(venueId);
        if (fact.waitsFor !== undefined) {
          this.#unvalued = [...this.#unvalued, { row, asset: fact.waitsFor }];
          if (!wasHeld) seen.held.push(heldText(id, fact.waitsFor));
        }
        if (fact.kind === "moves") this.#move(listed, fact, seen);
        else if (fact.comes !== undefined)
          this.#arrivals.unvalued(id, fact.comes, fact.hasSettled ? listed.receivedAt : undefined);
        return;
      }
      default:
        unreachable(fact);
    }
  }

  #move({ id, row, rail, receivedAt }: Listed, fact: Extract<PaymentFact, { kind: "moves" }>, seen: Draft): void {
    const { expected, rest, problems, reports } = fact;
    const { events } = seen;
    // First the rest is expected, then the whole is set free: nothing may spend the rest in between.
    if (rest !== undefined) events.push(this.expectations.expect(rail, Quantity.of(String(rest)), receivedAt));
    if (expected !== undefined) events.push(this.expectations.end(expected.id, cameText(row, rest), receivedAt));
    seen.problems.push(...problems);
    for (const report of reports) {
      const event: MovementEvent = { kind: "movement", id, report, receivedAt };
      this.#take(event);
      events.push(event);
    }
  }

  /** For a list that is complete: what a person is to be asked about payments in flight. */
  overdue(rows: readonly Payment[], receivedAt: Millis): readonly MovementEvent[] {
    this.#forget(new Set(rows.map((row) => row.paymentId)));
    const listed = new Set(
      rows.flatMap(({ paymentId, railId }) =>
        paymentId === undefined || (this.#rails.get(paymentId) ?? railId) !== railId ? [] : [paymentId],
      ),
    );
    for (const { row } of [...this.#unsaid.values()])
      if (row.paymentId !== undefined && !listed.has(row.paymentId)) this.#unsaid.delete(paymentId(row.paymentId));
    const events = this.flights.overdue(listed, receivedAt);
    for (const event of events) this.#take(event);
    return events;
  }

  /** Forgets payments that are over and no longer listed, the oldest first, beyond `ENDED_MAX`. What is listed stays known, or it would be booked again. */
  #forget(listed: ReadonlySet<string | undefined>): void {
    for (const id of this.#told.keys()) {
      if (this.#told.size <= ENDED_MAX) return;
      const venueId = venueIdOf({ id });
      if (listed.has(venueId) || this.flights.get(id) !== undefined || this.#waits(venueId)) continue;
      for (const known of [this.#told, this.#booked, this.#other]) known.delete(id);
      this.#rails.delete(venueId);
      this.flights.forget(id);
    }
  }

  /** A person says what became of a payment in flight. */
  close(id: string, end: PaymentEnd, reason: string, receivedAt: Millis): MovementEvent {
    const flight = this.flights.get(id);
    invariant(flight !== undefined, `${id} must be in flight to be closed`);
    const event: MovementEvent = { kind: "movement", id, report: endOf(flight, end, reason).report, receivedAt };
    this.#take(event);
    return event;
  }

  /** The fee that was taken off a payment onto the account; undefined while the balances do not show that it has come. */
  arrivalFee(id: string, totals: Totals, movers: readonly Mover[]): Money | undefined {
    return this.#arrivals.feeOf(id, totals, movers);
  }

  /** Coins that the balances may show already, and that are not booked as held. */
  movers(): readonly Mover[] {
    return this.#arrivals.movers();
  }

  arriving(asset: Asset): readonly Arriving[] {
    return this.#arrivals.of(asset);
  }

  /** These movers, and the payments that the balances may show as well. `left`: payments that left, and that the balances may not show yet. */
  beside(movers: readonly Mover[], left: readonly Mover[] = []): readonly Mover[] {
    const payments = this.movers();
    return payments.length + left.length === 0 ? movers : [...movers, ...payments, ...left];
  }

  /** What the balances say of payments that have settled by the list. */
  arrived(totals: Totals, movers: readonly Mover[], now: Millis, patienceMs: number): readonly MovementEvent[] {
    return this.#arrivals.seen(totals, movers, now, patienceMs).map(({ id, fee }) => {
      const report: MovementReport = { kind: "arrived", at: "account", fee };
      const event: MovementEvent = { kind: "movement", id, report, receivedAt: now };
      this.#take(event);
      return event;
    });
  }

  /** Whether it waits for a rate. */
  #waits(paymentId: string): boolean {
    return this.#unvalued.some(({ row }) => row.paymentId === paymentId);
  }

  /** It waits for a rate no longer; says whether it did. */
  #unhold(paymentId: string): boolean {
    const others = this.#unvalued.filter(({ row }) => row.paymentId !== paymentId);
    const wasHeld = others.length < this.#unvalued.length;
    this.#unvalued = others;
    return wasHeld;
  }

  #otherAmount(id: string, { amount }: Payment, { request }: OurRail): OtherAmount | undefined {
    const other = otherAmount(amount, request, this.#booked.get(id));
    if (other === undefined) this.#other.delete(id);
    else this.#other.set(id, other);
    return other;
  }

  /** Where a person took over just that amount since, it is in the books already. */
  #untaken(id: string, other: OtherAmount | undefined): OtherAmount | undefined {
    const change = other?.change;
    if (other === undefined || change === undefined) return other;
    const covered = this.#adopted.covering(this.flights.get(id)?.since, { least: change, most: change }, true);
    return covered === undefined ? other : { ...other, booking: undefined };
  }

  #take({ id, report, receivedAt }: MovementEvent): void {
    if (report.kind === "departed" || report.kind === "corrected") this.#booked.set(id, report);
    if (report.kind === "departed" && report.railId !== undefined) this.#rails.set(venueIdOf({ id }), report.railId);
    if (report.kind === "corrected") this.#other.delete(id);
    this.#told.set(id, toldOfMovement(report, this.#told.get(id)));
    this.#arrivals.take(id, report, receivedAt);
    this.flights.take(id, report, receivedAt);
    if (report.kind === "released" && report.covered !== undefined) this.#adopted.take(report.covered);
  }
}

function unsaidText({ row, rail }: Listed): string {
  return `${unsaidName(row)}, on rail ${rail.id}: it is not booked; what it moves differs and halts the bot, and pegbot adopt takes it over`;
}

/** How people read of a payment under a word that nobody knows. */
export function unsaidName(row: Payment): string {
  const amount = row.amount === undefined ? "an unknown amount" : `${row.amount} ${row.amount.asset}`;
  return `${paymentId(row.paymentId ?? "")} of ${amount}, listed as ${unknownText(row)}`;
}

function heldText(id: string, asset: Asset): string {
  return `${id} is not booked yet: ${asset} has no rate, and without one losses of the day and from the peak could not be told any more; it is booked as soon as there is one`;
}

function cameText({ paymentId, amount }: Payment, rest: Money | undefined): string {
  if (rest === undefined || amount === undefined) return `payment ${paymentId} has come`;
  return `payment ${paymentId} of ${amount} ${amount.asset} has come, ${rest} ${rest.asset} are still to come`;
}
