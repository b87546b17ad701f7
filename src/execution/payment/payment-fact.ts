// What a row of the venue's list says of a payment on a rail of ours, given what is known of it: one pure function. What follows
// from it, in books, arrivals and expectations, is `payments`.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { type CoveredMove, isFromOutside, type MovementReport } from "../../domain/movement.ts";
import { quoted } from "../../domain/outside-text.ts";
import type { RailIntent } from "../../domain/rail.ts";
import type { Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import { wordOf } from "../../domain/venue-word.ts";
import type { Payment } from "../../exchange/port.ts";
import type { Movement } from "../balance-vote.ts";
import type { MovementTold } from "../movement-report.ts";
import type { Submission } from "../submission.ts";
import type { AdoptedMoves } from "./adopted-moves.ts";
import { feeMaxOf } from "./arrivals.ts";
import type { Expectation } from "./expectations.ts";
import type { Booking, OtherAmount } from "./listed-amount.ts";
import { changeOf } from "./payment-flights.ts";

export type OurRail = Pick<Submission<"rail">, "id" | "request">;

export type KnownPayment = {
  readonly told: MovementTold | undefined;
  /** Set where the list has another amount than was booked. */
  readonly other: Pick<OtherAmount, "text" | "booking"> | undefined;
  /** Payments that are waited for on its rail. */
  readonly expected: readonly Expectation[];
  /** It is not booked yet, because its asset has no rate. */
  readonly isHeld: boolean;
  /** When it was first seen under a word that nobody knows; now, if never. */
  readonly since: Millis;
  readonly adopted: Pick<AdoptedMoves, "covering">;
  readonly isValued: (asset: Asset) => boolean;
};

/** `waitsFor`: the asset that must have a rate before the rest is booked. */
export type PaymentFact =
  /** It did not happen, and moved nothing. */
  | { readonly kind: "refused" }
  /** The venue's word for it is unknown, so that only the balances tell what it moved. `change`: what it would do to holdings, where that can be told. */
  | { readonly kind: "unsaid"; readonly since: Millis; readonly change: Money | undefined }
  /** Nothing is booked yet. `comes`: coins that the balances may show already. */
  | {
      readonly kind: "waits";
      readonly waitsFor: Asset;
      readonly comes: Money | undefined;
      readonly hasSettled: boolean;
    }
  /** It is booked. `expected`: the expectation that it ends. `rest`: what of that is still to come. */
  | {
      readonly kind: "moves";
      readonly waitsFor: Asset | undefined;
      readonly reports: readonly MovementReport[];
      readonly problems: readonly string[];
      readonly expected: Expectation | undefined;
      readonly rest: Money | undefined;
    };

export function paymentFact(row: Payment, rail: OurRail, known: KnownPayment): PaymentFact {
  const { told } = known;
  const { request } = rail;
  const word = wordOf(row.status);
  if (told === undefined && word === "rejected") return { kind: "refused" };
  const expected = told === undefined ? expectedOf(known.expected, row.amount, request) : undefined;
  const booking = bookingOf(row.amount, request, expected);
  const isUnsaid = told === undefined && word === "unknown";
  const covered = isUnsaid ? coveringUnsaid(row, booking, known) : covering(row, booking, known);
  if (isUnsaid && covered === undefined)
    return { kind: "unsaid", since: known.since, change: booking && changeOf(booking) };
  const listed = isUnsaid ? `as ${unknownText(row)}` : "late";
  const reports = covered === undefined ? reportsOf(row, request, known, booking) : [coveredReport(covered, listed)];
  const place = reports.findIndex((report) => crosses(report, request));
  const asset = comingOf(request);
  const waitsFor = place >= 0 && !known.isValued(asset) ? asset : undefined;
  if (waitsFor !== undefined && place === 0) {
    const comes = told?.stage === "departed" ? undefined : booking?.comes;
    return { kind: "waits", waitsFor, comes, hasSettled: word === "settled" };
  }
  const rest = expected && restOf(expected, row.amount, request);
  const how = howBooked(booking, covered, isUnsaid);
  return {
    kind: "moves",
    waitsFor,
    reports: waitsFor === undefined ? reports : reports.slice(0, place),
    problems: told === undefined ? problemOf(row, rail, { expected, rest }, how) : otherOf(row, rail, known),
    expected,
    rest,
  };
}

/** The expectation that this payment meets; or the oldest one, in whose place it comes. */
function expectedOf(
  expected: readonly Expectation[],
  amount: Money | undefined,
  request: RailIntent,
): Expectation | undefined {
  return expected.find((one) => isMet(one, amount, request)) ?? expected[0];
}

/** The adoption that took it over before it was listed. Not on the way in before it has settled: the balances did not show it then. */
function covering(
  { at, status }: Payment,
  booking: Booking | undefined,
  { told, isHeld, adopted }: KnownPayment,
): CoveredMove | undefined {
  if (told !== undefined || isHeld || booking === undefined) return undefined;
  if (isFromOutside(booking) && wordOf(status) !== "settled") return undefined;
  return adopted.covering(at, boundsOf(booking));
}

/**
 * For a payment under an unknown word: an adoption of just its amount took over what it moved, and then it is over. It happened no later
 * than it was first seen. One that waits for its value goes on waiting.
 */
function coveringUnsaid(
  { at }: Payment,
  booking: Booking | undefined,
  { isHeld, since, adopted }: KnownPayment,
): CoveredMove | undefined {
  if (booking === undefined || isHeld) return undefined;
  return adopted.covering(at === undefined || at > since ? since : at, boundsOf(booking), true);
}

/** Undefined where it is not booked. */
function howBooked(
  booking: Booking | undefined,
  covered: CoveredMove | undefined,
  isUnsaid: boolean,
): string | undefined {
  if (covered !== undefined) return `it was taken over ${isUnsaid ? "by an adoption" : "before it was listed"}`;
  return booking === undefined ? undefined : "it is booked as it is";
}

/** What people have to know of a payment when it is first seen. `how`: how it is booked. */
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

/** The same for a payment that was seen before and is listed with another amount: told once. */
function otherOf(row: Payment, { id }: OurRail, known: KnownPayment): readonly string[] {
  const { told, other } = known;
  if (other === undefined || other.text === told?.reason) return [];
  const then =
    correctionOf(row, known) === undefined
      ? "what the balances then differ by is taken over by pegbot adopt"
      : "it is booked as it is listed now";
  return [
    `payment ${row.paymentId} on rail ${id} is not as it was: ${other.text}; look at the venue's portal: ${then}`,
  ];
}

/** The books follow the list while the payment is in flight, and its word says that it moves. */
function correctionOf({ status }: Payment, { told, other }: KnownPayment): MovementReport | undefined {
  const word = wordOf(status);
  if (other?.booking === undefined || told?.stage !== "departed" || word === "rejected" || word === "unknown")
    return undefined;
  return { kind: "corrected", ...other.booking, reason: other.text };
}

function unbooked({ type, asset }: RailIntent): string {
  const what = type === "StablecoinToFiat" ? `left for it` : "come with it";
  return `it is not booked, because the list does not say how many ${asset} ${what}: the balances will differ and halt the bot. Look at the venue's portal, then pegbot adopt and pegbot resume`;
}

/** It moves money over the border of the account, and the bases of losses with it. */
function crosses({ kind }: MovementReport, { type }: RailIntent): boolean {
  return type === "StablecoinToFiat"
    ? kind === "arrived"
    : kind === "departed" || kind === "corrected" || kind === "returned";
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

/** Coin and fiat of a rail are at par: the list may name either. */
function isMet({ pays }: Expectation, amount: Money | undefined, { asset, currency }: RailIntent): boolean {
  if (amount === undefined || (amount.asset !== asset && amount.asset !== currency)) return false;
  return Money.of(String(amount), pays.asset).equals(pays);
}

function reportsOf(
  row: Payment,
  rail: RailIntent,
  known: KnownPayment,
  booking: Booking | undefined,
): MovementReport[] {
  const { status } = row;
  const { told } = known;
  const correction = correctionOf(row, known);
  // Corrected, it is as it is listed.
  const other = correction === undefined ? known.other?.text : undefined;
  const word = wordOf(status);
  if (told?.stage === "returned" || told?.stage === "released") return [];
  // It is over, and stays so: that its amount is another one now people know all the same.
  if (told?.stage === "arrived") return other === told.reason ? [] : [{ kind: "told", status, reason: other }];
  const isBooked = told?.stage === "departed";
  const isNothing = word === "rejected" || word === "unknown";
  const booked = isBooked || isNothing || !mayBeBooked(rail, told) ? undefined : booking;
  const reports: MovementReport[] = correction === undefined ? [] : [correction];
  if (booked !== undefined)
    reports.push({
      kind: "departed",
      door: "payment",
      fee: Money.zero(booked.spent.asset),
      ...booked,
      railId: row.railId,
    });
  if (status !== told?.status || other !== told.reason) reports.push({ kind: "told", status, reason: other });
  if (!isBooked && booked === undefined) return reports;
  // Its coins are back or never left: if they are not, the balances say so. In flight they would be owned twice.
  if (word === "rejected") reports.push({ kind: "returned", reason: "the payment was rejected" });
  // What has come onto the account the balances tell: a fee may be off it.
  if (word === "settled" && rail.toAccount !== true) reports.push({ kind: "arrived", at: "outside" });
  return reports;
}

export function unknownText({ status }: Payment): string {
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

/** Of what it does to the account: coins leave as they are, and a fee may be off those that come. */
function boundsOf(booking: Booking): Movement {
  const most = changeOf(booking);
  return { least: isFromOutside(booking) ? most.minus(feeMaxOf(most)) : most, most };
}

/** Without its amount nothing can be booked: the balances show a difference, and a person is asked. */
export function bookingOf(
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
