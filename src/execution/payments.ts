// Payments on rails of ours, as the venue lists them. A rail moves no money, its payments do: on the way to a bank coins leave
// the account when a payment begins, and its fiat is in flight until it has arrived there; on the way to our own deposit
// address coins are in flight until the balances show them. What goes to a wallet outside never was on the account.

import type { Asset } from "../domain/asset.ts";
import { invariant } from "../domain/invariant.ts";
import { Money, Quantity } from "../domain/money/money.ts";
import { type CoveredMove, isFromOutside, type MovementEvent, type MovementReport } from "../domain/movement.ts";
import { quoted } from "../domain/outside-text.ts";
import type { RailIntent } from "../domain/rail.ts";
import type { Millis } from "../domain/time.ts";
import { utcText } from "../domain/time-text.ts";
import { wordOf } from "../domain/venue-word.ts";
import type { Payment } from "../exchange/port.ts";
import { AdoptedMoves } from "./adopted-moves.ts";
import { Arrivals, type Arriving, feeMaxOf } from "./arrivals.ts";
import type { Movement } from "./balance-vote.ts";
import { type Awaited, type Expectation, Expectations } from "./expectations.ts";
import { type MovementTold, toldOfMovement } from "./movement-report.ts";
import {
  changeOf,
  endOf,
  isPayment,
  type MovedPayment,
  type PaymentEnd,
  type PaymentFlight,
  PaymentFlights,
  paymentId,
} from "./payment-flights.ts";
import type { Submission } from "./submission.ts";
import type { Mover, Totals } from "./totals.ts";

type OurRail = Pick<Submission<"rail">, "id" | "request">;

type StandingRail = { readonly id: string; readonly railId: string; readonly since: Millis };

/** `problems`: payments that are not what was expected. `held`: in words, those that wait for their value from now on. */
export type Seen = {
  readonly events: readonly MovementEvent[];
  readonly problems: readonly string[];
  readonly held: readonly string[];
};

/** `change`: of what is held, where that can be told. */
type Unsaid = { readonly row: Payment; readonly since: Millis; readonly change: Money | undefined };

/** Whether it can be said what this is worth. */
export type IsValued = (asset: Asset, at: Millis) => boolean;

export class Payments {
  readonly expectations = new Expectations();
  readonly flights = new PaymentFlights();
  readonly #arrivals = new Arrivals();
  readonly #told = new Map<string, MovementTold>();
  /** Rails on which something was paid. */
  readonly #paid = new Set<string>();
  readonly #isValued: IsValued;
  /** As the venue last listed them: what crosses the border of the account waits until it can be valued, or the bases of losses would be lost. */
  #unvalued: readonly { readonly row: Payment; readonly asset: Asset }[] = [];
  /** Under words that nobody knows, as last listed, and since when: what they moved may be in an adoption that is still to come. */
  readonly #unsaid = new Map<string, Unsaid>();
  #isRead = false;
  readonly #adopted = new AdoptedMoves();

  constructor(isValued: IsValued = () => true) {
    this.#isValued = isValued;
  }

  get areValued(): boolean {
    return this.#unvalued.length === 0;
  }

  /** Those that waited for their value and have one now. */
  valuable(at: Millis): readonly Payment[] {
    return this.#unvalued.flatMap(({ row, asset }) => (this.#isValued(asset, at) ? [row] : []));
  }

  /** The books took over what differed: what of it was payments nobody knew yet. */
  adopt(at: Millis, amounts: readonly Money[]): void {
    this.#adopted.add(at, amounts);
  }

  /** Those of which nobody knows what they have moved. */
  unsaid(): readonly Payment[] {
    return Array.from(this.#unsaid.values(), ({ row }) => row);
  }

  /** Those that are booked and not over. */
  open(): readonly PaymentFlight[] {
    return this.flights.open();
  }

  /** Those that move nothing by the books, and what each would. */
  over(): readonly MovedPayment[] {
    const unsaid = [...this.#unsaid].flatMap(([id, { row, change }]): readonly MovedPayment[] => {
      if (change === undefined) return [];
      const what = `would ${change.isNegative() ? "take" : "bring"}, which the venue lists as ${unknownText(row)}`;
      return [{ id, change, what }];
    });
    return [...this.flights.over(), ...unsaid];
  }

  /** A step of the journal. */
  fold(event: MovementEvent): void {
    this.expectations.fold(event);
    if (isPayment(event.id)) this.#take(event);
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
    const held: string[] = [];
    for (const row of rows) {
      const rail = row.railId === undefined ? undefined : railOf(row.railId);
      if (rail === undefined || row.railId === undefined || row.paymentId === undefined) continue;
      const id = paymentId(row.paymentId);
      const told = this.#told.get(id);
      // What did not happen moved nothing.
      const word = wordOf(row.status);
      if (told === undefined && word === "rejected") {
        this.#unsaid.delete(id);
        if (this.#unhold(row.paymentId)) this.#arrivals.forget(id);
        continue;
      }
      const expected = told === undefined ? this.#expected(row.amount, rail) : undefined;
      const booking = bookingOf(row.amount, rail.request, expected);
      const isUnsaid = told === undefined && word === "unknown";
      const taken = isUnsaid ? this.#coveringUnsaid(id, row, booking, receivedAt) : undefined;
      // Nobody knows what an unknown word has moved: the balances would tell.
      if (isUnsaid && taken === undefined) continue;
      this.#unsaid.delete(id);
      this.#paid.add(row.railId);
      const wasHeld = this.#unhold(row.paymentId);
      const listed = taken === undefined ? "late" : `as ${unknownText(row)}`;
      const covered = taken ?? (told === undefined && !wasHeld ? this.#covering(row, booking) : undefined);
      const reports =
        covered === undefined ? reportsOf(row, rail.request, told, booking) : [coveredReport(covered, listed)];
      const place = reports.findIndex((report) => crosses(report, rail.request));
      const asset = comingOf(rail.request);
      const isHeld = place >= 0 && !this.#isValued(asset, receivedAt);
      if (isHeld) {
        this.#unvalued = [...this.#unvalued, { row, asset }];
        if (!wasHeld) held.push(heldText(id, asset));
      }
      if (isHeld && place === 0) {
        if (booking !== undefined && told?.stage !== "departed")
          this.#arrivals.unvalued(id, booking.comes, word === "settled" ? receivedAt : undefined);
        continue;
      }
      const rest = expected && restOf(expected, row.amount, rail.request);
      // Before what was kept for all of it is set free: nothing may spend the rest in between.
      if (rest !== undefined) events.push(this.expectations.expect(rail, Quantity.of(String(rest)), receivedAt));
      if (expected !== undefined) events.push(this.expectations.end(expected.id, cameText(row, rest), receivedAt));
      if (told === undefined)
        problems.push(...problemOf(row, rail, { expected, rest }, howBooked(booking, covered, isUnsaid)));
      for (const report of isHeld ? reports.slice(0, place) : reports) {
        const event: MovementEvent = { kind: "movement", id, report, receivedAt };
        this.#take(event);
        events.push(event);
      }
    }
    return { events, problems, held };
  }

  /** Of a list that is whole: what a person is to be asked about those in flight. */
  overdue(rows: readonly Payment[], receivedAt: Millis): readonly MovementEvent[] {
    const listed = new Set(rows.flatMap((row) => (row.paymentId === undefined ? [] : [row.paymentId])));
    for (const { row } of [...this.#unsaid.values()])
      if (row.paymentId !== undefined && !listed.has(row.paymentId)) this.#unsaid.delete(paymentId(row.paymentId));
    const events = this.flights.overdue(listed, receivedAt);
    for (const event of events) this.#take(event);
    return events;
  }

  /** A person says what became of one that is in flight. */
  close(id: string, end: PaymentEnd, reason: string, receivedAt: Millis): MovementEvent {
    const flight = this.flights.get(id);
    invariant(flight !== undefined, `${id} must be in flight to be closed`);
    const event: MovementEvent = { kind: "movement", id, report: endOf(flight, end, reason).report, receivedAt };
    this.#take(event);
    return event;
  }

  /** What was taken off one that comes onto the account, by the balances; undefined while they do not show that it has come. */
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

  /** Those that the balances may show beside others. */
  beside(movers: readonly Mover[]): readonly Mover[] {
    const payments = this.movers();
    return payments.length === 0 ? movers : [...movers, ...payments];
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

  /** Says whether it waited for its value. */
  #unhold(paymentId: string): boolean {
    const others = this.#unvalued.filter(({ row }) => row.paymentId !== paymentId);
    const wasHeld = others.length < this.#unvalued.length;
    this.#unvalued = others;
    return wasHeld;
  }

  #take({ id, report, receivedAt }: MovementEvent): void {
    this.#told.set(id, toldOfMovement(report, this.#told.get(id)));
    this.#arrivals.take(id, report, receivedAt);
    this.flights.take(id, report, receivedAt);
    if (report.kind === "released" && report.covered !== undefined) this.#adopted.take(report.covered);
  }

  /** On the way in the balances show nothing before it has settled, so that nobody took it over. */
  #covering({ at, status }: Payment, booking: Booking | undefined): CoveredMove | undefined {
    if (booking === undefined || (isFromOutside(booking) && wordOf(status) !== "settled")) return undefined;
    return this.#adopted.covering(at, boundsOf(booking));
  }

  /**
   * What it moved, if anything, was taken over where that is just its amount: then it is over, and waited for no longer. It is no
   * younger than when it was first seen. What waits for its value goes on waiting.
   */
  #coveringUnsaid(id: string, row: Payment, booking: Booking | undefined, receivedAt: Millis): CoveredMove | undefined {
    const since = this.#unsaid.get(id)?.since ?? receivedAt;
    this.#unsaid.set(id, { row, since, change: booking && changeOf(booking) });
    if (booking === undefined || this.#unvalued.some((one) => one.row.paymentId === row.paymentId)) return undefined;
    const at = row.at === undefined || row.at > since ? since : row.at;
    return this.#adopted.covering(at, boundsOf(booking), true);
  }

  /** What was waited for, or what this comes in the place of: it is waited for no longer. */
  #expected(amount: Money | undefined, { id, request }: OurRail): Expectation | undefined {
    const expected = this.expectations.on(id);
    return expected.find((one) => isMet(one, amount, request)) ?? expected[0];
  }
}

/** Undefined where it is in no books. */
function howBooked(
  booking: Booking | undefined,
  covered: CoveredMove | undefined,
  isUnsaid: boolean,
): string | undefined {
  if (covered !== undefined) return `it was taken over ${isUnsaid ? "by an adoption" : "before it was listed"}`;
  return booking === undefined ? undefined : "it is booked as it is";
}

/** What people have to know of a payment when it is first seen. `how`: it is in the books. */
function problemOf(
  { paymentId, amount }: Payment,
  { id, request }: OurRail,
  { expected, rest }: { readonly expected: Expectation | undefined; readonly rest: Money | undefined },
  how: string | undefined,
): readonly string[] {
  const isOther = expected !== undefined && !isMet(expected, amount, request);
  // On the way to our account an amount may be told later; on the way to a wallet outside there is nothing to book.
  const isLost =
    how === undefined && (request.type === "StablecoinToFiat" || (request.toAccount === true && amount !== undefined));
  if (!isOther && !isLost) return [];
  const was = amount === undefined ? "an unknown amount" : `${amount} ${amount.asset}`;
  const wanted = expected === undefined ? "" : `, expected were ${expected.pays} ${expected.pays.asset}`;
  const end = isLost ? `; ${unbooked(request)}` : `; ${how ?? "it is booked as it is"}`;
  const still = rest === undefined ? "" : `; ${rest} ${rest.asset} of it are still waited for`;
  return [`payment ${paymentId} on rail ${id} is of ${was}${wanted}${end}${still}`];
}

function unbooked({ type, asset }: RailIntent): string {
  const what = type === "StablecoinToFiat" ? `left for it` : "come with it";
  return `it is not booked, because the list does not say how many ${asset} ${what}: the balances will differ and halt the bot. Look at the venue's portal, then pegbot adopt and pegbot resume`;
}

function heldText(id: string, asset: Asset): string {
  return `${id} is not booked yet: ${asset} has no rate, and without one losses of the day and from the peak could not be told any more; it is booked as soon as there is one`;
}

/** It moves money over the border of the account, and the bases of losses with it. */
function crosses({ kind }: MovementReport, { type }: RailIntent): boolean {
  return type === "StablecoinToFiat" ? kind === "arrived" : kind === "departed" || kind === "returned";
}

function comingOf({ type, asset, currency }: RailIntent): Asset {
  return type === "StablecoinToFiat" ? currency : asset;
}

/** What is still to be paid: a limit of the bank or the wallet may split a payment. As little as a fee is nothing more to come. */
function restOf({ pays }: Expectation, amount: Money | undefined, { asset, currency }: RailIntent): Money | undefined {
  if (amount === undefined || (amount.asset !== asset && amount.asset !== currency)) return undefined;
  // At par. A fee may be off fiat that goes out: then a little more is kept than is still to be paid, never less.
  const rest = pays.minus(Money.of(String(amount), pays.asset));
  return rest.moreThan(feeMaxOf(pays)) ? rest : undefined;
}

function cameText({ paymentId, amount }: Payment, rest: Money | undefined): string {
  if (rest === undefined || amount === undefined) return `payment ${paymentId} has come`;
  return `payment ${paymentId} of ${amount} ${amount.asset} has come, ${rest} ${rest.asset} are still to come`;
}

/** Coin and fiat of a rail are at par: the list may name either. */
function isMet({ pays }: Expectation, amount: Money | undefined, { asset, currency }: RailIntent): boolean {
  if (amount === undefined || (amount.asset !== asset && amount.asset !== currency)) return false;
  return Money.of(String(amount), pays.asset).equals(pays);
}

function reportsOf(
  { status }: Payment,
  rail: RailIntent,
  told: MovementTold | undefined,
  booking: Booking | undefined,
): MovementReport[] {
  const word = wordOf(status);
  if (told?.stage === "arrived" || told?.stage === "returned" || told?.stage === "released") return [];
  const isBooked = told?.stage === "departed";
  const isNothing = word === "rejected" || word === "unknown";
  const booked = isBooked || isNothing || !mayBeBooked(rail, told) ? undefined : booking;
  const reports: MovementReport[] = [];
  if (booked !== undefined)
    reports.push({ kind: "departed", door: "payment", fee: Money.zero(booked.spent.asset), ...booked });
  if (status !== told?.status) reports.push({ kind: "told", status, reason: undefined });
  if (!isBooked && booked === undefined) return reports;
  // Its coins are back or never left: if they are not, the balances say so. In flight they would be owned twice.
  if (word === "rejected") reports.push({ kind: "returned", reason: "the payment was rejected" });
  // What has come onto the account the balances tell: a fee may be off it.
  if (word === "settled" && rail.toAccount !== true) reports.push({ kind: "arrived", at: "outside" });
  return reports;
}

function unknownText({ status }: Payment): string {
  return `${quoted(status)}, a word that nobody knows`;
}

function coveredReport(covered: CoveredMove, listed: string): MovementReport {
  const { at, amount } = covered;
  const reason = `listed ${listed}: its ${amount} ${amount.asset} were taken over by the adoption of ${utcText(at)}`;
  return { kind: "released", reason, covered };
}

/** Of one that had no amount: on the way in the balances show nothing before it has settled, so that nobody took it over. */
function mayBeBooked({ toAccount }: RailIntent, told: MovementTold | undefined): boolean {
  return told === undefined || (toAccount === true && wordOf(told.status ?? "") !== "settled");
}

type Booking = { readonly spent: Money; readonly comes: Money };

/** Of what it does to the account: coins leave as they are, and a fee may be off those that come. */
function boundsOf(booking: Booking): Movement {
  const most = changeOf(booking);
  return { least: isFromOutside(booking) ? most.minus(feeMaxOf(most)) : most, most };
}

/** Without its amount nothing can be booked: the balances show a difference, and a person is asked. */
function bookingOf(
  amount: Money | undefined,
  rail: RailIntent,
  expected: Expectation | undefined,
): Booking | undefined {
  if (amount === undefined) return undefined;
  const { type, asset, currency, toAccount } = rail;
  if (type === "StablecoinToFiat") {
    // Fiat tells how many coins left only where it is what was to be paid, to the last digit: a fee may be off it.
    const isTold = amount.asset === asset || (expected !== undefined && isMet(expected, amount, rail));
    return isTold ? { spent: Money.of(String(amount), asset), comes: Money.of(String(amount), currency) } : undefined;
  }
  if (!toAccount || (amount.asset !== currency && amount.asset !== asset)) return undefined;
  // Nothing of ours has left for it: it comes from a bank.
  return { spent: Money.zero(currency), comes: Money.of(String(amount), asset) };
}
