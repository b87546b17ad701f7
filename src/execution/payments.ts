// Payments on rails of ours. A listed row is the evidence: it is booked from what it states, with the fee that it states or that
// the configuration states for its rail. A row that says anything else is not booked, freezes rails and is named. Coins on their way
// to the account are an open item of the balances until their row calls them settled.

import type { Asset } from "../domain/asset.ts";
import { invariant, unreachable } from "../domain/invariant.ts";
import { Money, type Quantity } from "../domain/money/money.ts";
import { isFromOutside, type MovementEvent, type MovementReport } from "../domain/movement.ts";
import type { RailIntent } from "../domain/rail.ts";
import { quoted } from "../domain/sanitise.ts";
import { isHeld, settlementOf } from "../domain/settlement-status.ts";
import type { Millis, Mono } from "../domain/time.ts";
import { utcText } from "../domain/time-text.ts";
import type { Payment } from "../exchange/port.ts";
import type { BalanceCheck, OpenItem } from "./balance-check.ts";
import type { RailFee } from "./effects.ts";
import type { HistoryRow, Unattributed } from "./history.ts";
import type { Moment, MoneyRequest } from "./request.ts";
import { ENDED_MAX } from "./request-store.ts";

const PREFIX = "payment:";
const EXPECTED = "expected:";

export type OurRail = Pick<MoneyRequest<"rail">, "id" | "request">;

/** A payment that a plan or a person expects on a rail. */
export type Expectation = {
  readonly id: string;
  /** The request whose rail it is paid on. */
  readonly rail: string;
  /** Fiat for a deposit, coins for a withdrawal. */
  readonly pays: Money;
  /** The amount that leaves the account; zero for a deposit. */
  readonly leaves: Money;
  readonly comes: Money;
  readonly since: Millis;
};

/** What became of an expected payment. */
export type Fate =
  | { readonly kind: "awaited" | "unknown" }
  | { readonly kind: "given-up"; readonly why: string }
  | { readonly kind: "under-way"; readonly payment: string }
  /** `took`: as listed, in units of either asset. */
  | {
      readonly kind: "ended";
      readonly payment: string;
      readonly how: string;
      readonly took: string;
      readonly brought: string;
    };

export type GivenUp = { readonly rail: string; readonly at: Millis; readonly reason: string };

/** A payment that is booked and has not ended. */
export type PaymentFlight = {
  readonly id: string;
  readonly railId: string;
  /** The amount that left the account; zero for a payment from outside. */
  readonly spent: Money;
  readonly comes: Money;
  /** The fee deducted from the incoming amount. */
  readonly fee: Money;
  readonly since: Millis;
  readonly status: string | undefined;
  readonly heldAt: Millis | undefined;
};

/**
 * `back`: the amount was returned or will not come. `through`: it arrived outside. `here`: it arrived on the account.
 */
export type PaymentEnd = "back" | "through" | "here";

type Ended = {
  readonly railId: string | undefined;
  readonly how: string;
  readonly at: Millis;
  readonly status: string | undefined;
  readonly took: string;
  readonly brought: string;
};

/** The result of reading a payment list. Each of the `problems` freezes rails. */
export type SeenPayments = { readonly events: readonly MovementEvent[]; readonly problems: readonly Problem[] };
/** `row`: the payment with what it says, so that a row that says something else is another problem. */
type Problem = { readonly row: string; readonly text: string };

export type IsValued = (asset: Asset, at: Millis) => boolean;

type Parts = {
  readonly balances: BalanceCheck;
  readonly unattributed: Unattributed;
  readonly isValued: IsValued;
  readonly railFee: RailFee;
};

export class Payments {
  private readonly parts: Parts;
  private readonly flights = new Map<string, PaymentFlight>();
  private readonly over = new Map<string, Ended>();
  private readonly expected = new Map<string, Expectation>();
  private readonly expectedCount = new Map<string, number>();
  private readonly givenUpOn = new Map<string, GivenUp>();
  /** The payment that each expectation ended with, or the reason of the person who gave it up. */
  private readonly fates = new Map<string, { readonly met: string } | { readonly why: string }>();
  /** Venue ids of rails that have had a payment. */
  private readonly paid = new Set<string>();
  /** Unbooked rows of the last list, with the problem of each. */
  private odd: ReadonlyMap<string, { readonly row: Payment; readonly text: string }> = new Map();
  /**
   * Rows that wait for a rate: money that crosses the account's border shifts the base of the loss limits by its value.
   */
  private unvalued: readonly { readonly row: Payment; readonly rail: OurRail; readonly asset: Asset }[] = [];
  /** Payments that were reported to the engine. */
  private readonly noted = new Set<string>();
  private isRead = false;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  get(id: string): PaymentFlight | undefined {
    return this.flights.get(id);
  }

  all(): readonly PaymentFlight[] {
    return [...this.flights.values()];
  }

  /** How and when a payment ended. */
  ended(id: string): string | undefined {
    const ended = this.over.get(id);
    return ended && `${ended.how} at ${utcText(ended.at)}`;
  }

  /** Unbooked rows for messages; one that is adopted by its key is never booked. */
  oddRows(): readonly HistoryRow[] {
    return Array.from(this.odd, ([key, { row, text }]) => ({
      key,
      at: undefined,
      text,
      subject: key,
      assets: row.amount === undefined ? [] : [row.amount.asset],
    }));
  }

  expectations(): readonly Expectation[] {
    return [...this.expected.values()];
  }

  /** A payment meets one expectation at most, and an expectation one payment. */
  fateOf(expectation: string): Fate {
    if (this.expected.has(expectation)) return { kind: "awaited" };
    const fate = this.fates.get(expectation);
    if (fate === undefined) return { kind: "unknown" };
    if ("why" in fate) return { kind: "given-up", why: fate.why };
    const { met: payment } = fate;
    const ended = this.over.get(payment);
    if (ended !== undefined) return { kind: "ended", payment, ...ended };
    return this.flights.has(payment) ? { kind: "under-way", payment } : { kind: "unknown" };
  }

  givenUp(): readonly GivenUp[] {
    return [...this.givenUpOn.values()];
  }

  /** Known once the list has been read. */
  isUnpaid(railId: string): boolean {
    return this.isRead && !this.paid.has(railId);
  }

  get isWaitingForRate(): boolean {
    return this.unvalued.length > 0;
  }

  /** Coins in transit to the account. */
  openItems(): readonly OpenItem[] {
    if (this.flights.size === 0 && this.unvalued.length === 0) return [];
    const coming = this.all().filter(isFromOutside);
    const unbooked = this.unvalued.flatMap(({ row, rail }): readonly OpenItem[] => {
      const terms = this.terms(row, rail);
      return typeof terms === "string" || this.flights.has(idOf(row)) ? [] : itemsOf(idOf(row), terms);
    });
    return [...coming.flatMap((one) => itemsOf(one.id, one)), ...unbooked];
  }

  expect({ id: rail, request }: OurRail, amount: Quantity, receivedAt: Millis): MovementEvent {
    const { type, asset, currency } = request;
    const isOut = type === "StablecoinToFiat";
    const pays = amount.of(isOut ? asset : currency);
    const leaves = isOut ? pays : Money.zero(currency);
    const comes = amount.of(isOut ? currency : asset);
    const id = `${EXPECTED}${rail}:${(this.expectedCount.get(rail) ?? 0) + 1}`;
    const report: MovementReport = { kind: "reserved", door: "payment", leaves, comes, rail, pays };
    return this.take({ kind: "movement", id, report, receivedAt });
  }

  giveUp(id: string, reason: string, receivedAt: Millis, by?: string, met?: string): MovementEvent {
    return this.take({ kind: "movement", id, report: { kind: "released", reason, by, met }, receivedAt });
  }

  /** `rows`: the whole list. `railOf`: our rail for a venue id. */
  see(rows: readonly Payment[], railOf: (railId: string) => OurRail | undefined, now: Moment): SeenPayments {
    this.isRead = true;
    const events: MovementEvent[] = [];
    const odd = new Map<string, { row: Payment; text: string }>();
    const ours = rows.flatMap((row) => {
      const rail = row.railId === undefined ? undefined : railOf(row.railId);
      return rail === undefined ? [] : [{ row, rail, key: keyOf(row) }];
    });
    const times = new Map<string, number>();
    for (const { key } of ours) times.set(key, (times.get(key) ?? 0) + 1);
    this.unvalued = [];
    for (const { row, rail, key } of ours) {
      this.paid.add(row.railId as string);
      if (this.parts.unattributed.covers({ key, at: undefined })) continue;
      const isTwice = row.paymentId !== undefined && times.get(key) !== 1;
      const problem = isTwice ? "its id is listed twice" : this.follow(row, rail, now, events);
      if (problem === undefined) continue;
      odd.set(key, { row, text: `${nameOf(row)} on rail ${rail.id}, listed as ${quoted(row.status)}: ${problem}` });
    }
    const news = [...odd].filter(([key, { row }]) => contentOf(this.odd.get(key)?.row) !== contentOf(row));
    this.odd = odd;
    this.forget(times);
    return {
      events,
      problems: news.map(([key, { row, text }]) => ({
        row: `${key} ${contentOf(row)}`,
        text: `${text}; it is not booked: pegbot adopt takes over what it moved`,
      })),
    };
  }

  /** Rows that waited for a rate and have one now. */
  valued(now: Moment): readonly MovementEvent[] {
    const due = this.unvalued.filter(({ asset }) => this.parts.isValued(asset, now.at));
    if (due.length === 0) return [];
    this.unvalued = this.unvalued.filter((one) => !due.includes(one));
    const events: MovementEvent[] = [];
    for (const { row, rail } of due) this.follow(row, rail, now, events);
    return events;
  }

  /** Books what the row states, and returns what is wrong with it, if anything. */
  private follow(row: Payment, rail: OurRail, now: Moment, events: MovementEvent[]): string | undefined {
    if (row.paymentId === undefined) return "it has no id";
    const id = idOf(row);
    const word = settlementOf(row.status);
    const ended = this.over.get(id);
    if (ended !== undefined) return oddAfterEnd(ended, row);
    const flight = this.flights.get(id);
    if (flight !== undefined && flight.railId !== row.railId)
      return `its id is that of a payment on rail ${flight.railId}`;
    if (flight === undefined && word === "rejected") return undefined;
    if (word === "unknown") return "its status is unknown: name its meaning in venue.profile.statuses";
    if (row.odd !== undefined) return row.isEither === true ? this.either(row, row.odd, rail) : row.odd;
    const terms = this.terms(row, rail);
    if (typeof terms === "string") return terms;
    // The venue may state the fee only when the payment settles.
    const isUnstated = flight?.fee.isZero() === true && word === "settled";
    const isOtherFee = flight !== undefined && !isUnstated && !flight.fee.equals(terms.fee);
    if (flight !== undefined && (isOtherFee || !flight.comes.equals(terms.comes)))
      return `it is booked with ${flight.comes} ${flight.comes.asset}, fee ${flight.fee}`;
    const isElsewhere = terms.spent.isZero() && terms.comes.isZero();
    if (isElsewhere) return this.note(row, rail, now, events);
    const departure = flight === undefined ? [departureOf(terms, row.railId as string)] : [];
    this.book(row, rail, [...departure, ...progressOf(row, word, rail, terms, flight)], now, events);
    return undefined;
  }

  private book(
    row: Payment,
    rail: OurRail,
    reports: readonly MovementReport[],
    now: Moment,
    events: MovementEvent[],
  ): void {
    const id = idOf(row);
    const receivedAt = now.at;
    for (const report of reports) {
      const asset = crossing(report, rail.request);
      if (asset !== undefined && !this.parts.isValued(asset, receivedAt)) {
        this.unvalued = [...this.unvalued, { row, rail, asset }];
        return;
      }
      if (report.kind === "departed") this.meet(row, rail, receivedAt, events);
      events.push(this.take({ kind: "movement", id, report, receivedAt }, now.mono));
    }
  }

  /** A payment to an external wallet does not touch the account; it only ends its expectation. */
  private note(row: Payment, rail: OurRail, { at: receivedAt }: Moment, events: MovementEvent[]): undefined {
    const id = idOf(row);
    if (this.noted.has(id)) return;
    this.meet(row, rail, receivedAt, events);
    const report: MovementReport = { kind: "told", status: row.status, reason: undefined };
    events.push(this.take({ kind: "movement", id, report, receivedAt }));
  }

  /** The payment meets the expectation of the same amount on its rail, else the oldest one. */
  private meet(row: Payment, { id: rail }: OurRail, at: Millis, events: MovementEvent[]): void {
    const open = this.expectations().filter((one) => one.rail === rail);
    const met = open.find(({ pays }) => row.amount !== undefined && isAtPar(row.amount, pays)) ?? open[0];
    if (met === undefined) return;
    const expected =
      row.amount !== undefined && isAtPar(row.amount, met.pays) ? "" : `; expected were ${met.pays} ${met.pays.asset}`;
    events.push(this.giveUp(met.id, `${nameOf(row)} has come${expected}`, at, undefined, idOf(row)));
  }

  /** The amounts that the row moves, or why they cannot be determined. Coin and fiat of a rail are at par. */
  private terms({ amount, fee, isNet }: Payment, { request }: OurRail): Terms | string {
    const { type, asset, currency, toAccount } = request;
    if (amount === undefined) return "its amount is not listed";
    if (amount.asset !== asset && amount.asset !== currency) return `its amount is in ${amount.asset}`;
    const at = (money: Money, as: Asset): Money => Money.of(String(money), as);
    if (type === "StablecoinToFiat") {
      if (amount.asset !== asset && (fee === undefined || isNet === true) && !this.isExpected(amount, asset))
        return `its list states ${amount} ${amount.asset}, and not how many ${asset} left`;
      return { spent: at(amount, asset), comes: at(amount, currency), fee: Money.zero(currency) };
    }
    // Coins sent to an external wallet were never on the account.
    if (toAccount !== true) return { spent: Money.zero(currency), comes: Money.zero(asset), fee: Money.zero(asset) };
    const comes = at(amount, asset);
    const off = fee === undefined ? this.parts.railFee(request, comes) : fee;
    if (off === undefined) return { spent: Money.zero(currency), comes, fee: Money.zero(asset) };
    if (off.asset !== asset && off.asset !== currency) return `its fee is in ${off.asset}`;
    return { spent: Money.zero(currency), comes, fee: at(off, asset) };
  }

  /** The balances tell which of the two readings is meant. */
  private either({ amount, fee }: Payment, odd: string, { request }: OurRail): string {
    const { asset, type } = request;
    const [paid, cost] = [amount, fee].map((money) => Money.of(String(money), asset)) as [Money, Money];
    const moves =
      type === "StablecoinToFiat" ? { gross: paid, net: paid.plus(cost) } : { gross: paid.minus(cost), net: paid };
    const seen = this.parts.balances.difference(asset)?.size();
    for (const [how, move] of Object.entries(moves))
      if (seen?.equals(move) === true) return `${odd}; the balance moved by ${move} ${asset}, so it is ${how}`;
    return `${odd}: gross if the balance moves by ${moves.gross} ${asset}, net if by ${moves.net}`;
  }

  private isExpected(amount: Money, asset: Asset): boolean {
    return this.expectations().some(({ pays }) => pays.asset === asset && isAtPar(amount, pays));
  }

  /** Closes a payment in flight by a person's decision. */
  close(id: string, end: PaymentEnd, reason: string, receivedAt: Millis): MovementEvent {
    const flight = this.flights.get(id);
    invariant(flight !== undefined, `${id} must be in flight to be closed`);
    return this.take({ kind: "movement", id, report: endOf(flight, end, reason), receivedAt });
  }

  /**
   * Also applies a journal step. `mono` is set where the venue's list has just shown it, so the balances may be late.
   */
  take(event: MovementEvent, mono?: Mono): MovementEvent {
    if (isExpected(event.id)) this.takeExpectation(event);
    if (isPayment(event.id)) this.takePayment(event, mono);
    return event;
  }

  private takeExpectation({ id, report, receivedAt }: MovementEvent): void {
    if (report.kind === "reserved" && report.rail !== undefined && report.pays !== undefined) {
      const { rail, pays, leaves, comes } = report;
      this.expectedCount.set(rail, (this.expectedCount.get(rail) ?? 0) + 1);
      this.expected.set(id, { id, rail, pays, leaves, comes, since: receivedAt });
    }
    if (report.kind !== "released") return;
    const rail = this.expected.get(id)?.rail;
    this.expected.delete(id);
    if (rail === undefined) return;
    this.fates.set(id, report.met === undefined ? { why: report.reason } : { met: report.met });
    if (report.by !== undefined) this.givenUpOn.set(rail, { rail, at: receivedAt, reason: report.reason });
    else this.givenUpOn.delete(rail);
  }

  private takePayment({ id, report, receivedAt: at }: MovementEvent, mono: Mono | undefined): void {
    const { balances } = this.parts;
    this.noted.add(id);
    if (report.kind === "departed") {
      const { spent, comes, railId } = report;
      const flight = { id, railId: railId ?? "", spent, comes, since: at, status: undefined, heldAt: undefined };
      this.flights.set(id, { ...flight, fee: report.feeAtArrival ?? Money.zero(comes.asset) });
      if (!isFromOutside(report)) balances.booked(id, [spent.negated()], at, mono);
      return;
    }
    const flight = this.flights.get(id);
    if (flight === undefined) return;
    if (report.kind === "told") {
      const heldAt = isHeld(report.status) ? (flight.heldAt ?? at) : undefined;
      this.flights.set(id, { ...flight, status: report.status, heldAt });
    }
    if (report.kind !== "returned" && report.kind !== "arrived") return;
    this.flights.delete(id);
    const { railId, status } = flight;
    this.over.set(id, { railId, how: howEnded(flight, report), at, status, ...movedBy(flight, report) });
    // A person's decision is not a booking that the balances may be late with.
    if (report.kind === "returned" ? report.isListed !== true : report.reason !== undefined) return;
    if (report.kind === "arrived" && report.at === "account")
      balances.booked(id, [flight.comes.minus(report.fee ?? Money.zero(flight.comes.asset))], at, mono);
    if (report.kind === "returned" && !isFromOutside(flight)) balances.booked(id, [flight.spent], at, mono);
  }

  /**
   * Forgets ended payments that are no longer listed, oldest first. A listed one stays known, or it would be booked
   * again.
   */
  private forget(listed: ReadonlyMap<string, number>): void {
    for (const id of this.over.keys()) {
      if (this.over.size <= ENDED_MAX) return;
      if (!listed.has(id)) this.over.delete(id);
    }
  }
}

type Terms = { readonly spent: Money; readonly comes: Money; readonly fee: Money };

export function isPayment(id: string): boolean {
  return id.startsWith(PREFIX);
}

export function isExpected(id: string): boolean {
  return id.startsWith(EXPECTED);
}

export function venueIdOf({ id }: Pick<PaymentFlight, "id">): string {
  return id.slice(PREFIX.length);
}

function idOf({ paymentId }: Payment): string {
  return `${PREFIX}${paymentId ?? ""}`;
}

/** What a row says of itself. */
function contentOf(row: Payment | undefined): string {
  const { railId, amount, fee, status, odd } = row ?? {};
  return [railId, status, amount, amount?.asset, fee, fee?.asset, odd].join(" ");
}

/** A row without an id is identified by its content. */
function keyOf(row: Payment): string {
  const { paymentId, railId, amount, status, at } = row;
  return paymentId === undefined ? `${PREFIX}none:${railId} ${amount} ${status} ${at}` : idOf(row);
}

function nameOf(row: Payment): string {
  const amount = row.amount === undefined ? "an unknown amount" : `${row.amount} ${row.amount.asset}`;
  return `${row.paymentId === undefined ? "a payment" : idOf(row)} of ${amount}`;
}

function itemsOf(id: string, { comes, fee }: Pick<Terms, "comes" | "fee">): readonly OpenItem[] {
  const net = comes.minus(fee);
  return net.isZero()
    ? []
    : [{ id, text: `${id}, ${net} ${net.asset} on the way`, moves: [{ least: net, most: net }] }];
}

function isAtPar(amount: Money, other: Money): boolean {
  return Money.of(String(amount), other.asset).equals(other);
}

function departureOf({ spent, comes, fee }: Terms, railId: string): MovementReport {
  const zero = Money.zero(spent.asset);
  return { kind: "departed", door: "payment", spent, fee: zero, comes, railId, feeAtArrival: fee };
}

/** The stage that the row states, if beyond the known one. */
function progressOf(
  { status }: Payment,
  word: ReturnType<typeof settlementOf>,
  { request: { toAccount } }: OurRail,
  { fee }: Terms,
  flight: PaymentFlight | undefined,
): readonly MovementReport[] {
  const told: readonly MovementReport[] =
    status === flight?.status ? [] : [{ kind: "told", status, reason: undefined }];
  if (word === "rejected") return [...told, { kind: "returned", reason: "the payment was rejected", isListed: true }];
  if (word !== "settled") return told;
  return [...told, toAccount === true ? { kind: "arrived", at: "account", fee } : { kind: "arrived", at: "outside" }];
}

/** The asset that crosses the account's border, if any. */
function crossing({ kind }: MovementReport, { type, asset, currency, toAccount }: RailIntent): Asset | undefined {
  if (type === "StablecoinToFiat") return kind === "arrived" ? currency : undefined;
  return toAccount === true && (kind === "departed" || kind === "returned") ? asset : undefined;
}

/** For an ended payment: the contradiction if the list now says otherwise. */
function oddAfterEnd({ railId, how, status }: Ended, row: Payment): string | undefined {
  if (railId !== row.railId) return `its id is that of a payment on rail ${railId}`;
  return status === undefined || settlementOf(status) === settlementOf(row.status)
    ? undefined
    : `${how}, but now the list says otherwise`;
}

function howEnded(flight: PaymentFlight, report: Extract<MovementReport, { kind: "arrived" | "returned" }>): string {
  const by = report.reason === undefined ? "" : ` (${report.reason})`;
  if (report.kind === "returned") return `it ${isFromOutside(flight) ? "does not come" : "was given back"}${by}`;
  return `${report.at === "outside" ? "it arrived outside" : "it came onto the account"}${by}`;
}

/** A returned payment has moved nothing. */
function movedBy({ spent, comes }: PaymentFlight, report: Extract<MovementReport, { kind: "arrived" | "returned" }>) {
  if (report.kind === "returned") return { took: "0", brought: "0" };
  const took = String(isFromOutside({ spent }) ? comes : spent);
  return { took, brought: String(report.fee === undefined ? comes : comes.minus(report.fee)) };
}

function endOf(flight: PaymentFlight, end: PaymentEnd, reason: string): MovementReport {
  switch (end) {
    case "through":
      return { kind: "arrived", at: "outside", reason };
    case "here":
      return { kind: "arrived", at: "account", fee: flight.fee, reason };
    case "back":
      return { kind: "returned", reason };
    default:
      return unreachable(end);
  }
}
