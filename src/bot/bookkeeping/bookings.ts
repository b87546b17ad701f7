// The journal as bookings: each movement of money once, with its fee, cost and profit. No figure is computed
// independently: each record is applied by the bot's own books, and the booking is the resulting change in the books.

import { Accounts } from "../../books/accounts/accounts.ts";
import { type Closed, closedBy, type Position } from "../../books/accounts/profit.ts";
import { crossingOf } from "../../books/adoption.ts";
import { Books } from "../../books/books.ts";
import { HiddenPrices } from "../../books/hidden-prices.ts";
import { Valuation } from "../../books/valuation.ts";
import { type Asset, assetsOf, type PairSymbol } from "../../domain/asset.ts";
import { standsFor } from "../../domain/coin.ts";
import type { AdoptionEvent, ReportEvent } from "../../domain/event.ts";
import { invariant } from "../../domain/invariant.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import { isFromOutside, type MovementEvent, type MovementReport } from "../../domain/movement.ts";
import type { Fill, Side } from "../../domain/order.ts";
import type { Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import { isPayment, venueIdOf } from "../../execution/payments.ts";
import type { Adoption, Entry, JournalRecord, ReceiptRecord } from "../../journal/record.ts";
import { Pricing } from "../../market/pricing.ts";
import { Counters } from "../../risk/counters.ts";

export type Place = "account" | "in flight";

/** An amount that came, went or was taken as a fee, its place, and the holding of the asset there afterwards. */
export type Leg = { readonly amount: Money; readonly place: Place; readonly after: Money };

type Door = "mint" | "payment-in" | "payment-out";
type End = "arrived" | "returned";
export type BookingKind = "opening" | "adoption" | "trade" | Door | `${Door}-${End}`;

/** The change of the pair's traded position, which the accounts keep at average cost. */
export type PairChange = {
  readonly pair: PairSymbol;
  readonly side: Side;
  readonly price: Price | undefined;
  /** Signed as they moved the position, fees included. */
  readonly base: Money;
  readonly quote: Money;
  readonly closed: Closed | undefined;
  readonly realised: Money | undefined;
  readonly after: Position;
};

export type Booking = {
  readonly sequence: number;
  readonly at: Millis;
  readonly kind: BookingKind;
  /** Our id of the order, mint or payment. */
  readonly id?: string | undefined;
  readonly venueId?: string | undefined;
  /** Filled in later if history shows them later. */
  tradeId?: string | undefined;
  venueAt?: Millis | undefined;
  /** The venue may still report the trade id. */
  isWaiting?: boolean;
  readonly came?: Leg | undefined;
  readonly went?: Leg | undefined;
  /** Negative for a refund. */
  readonly fee?: Leg | undefined;
  readonly trade?: PairChange | undefined;
  /** The part of the amount without a known cost: it was there before, or was deposited. */
  readonly costless?: Money | undefined;
  /**
   * In the currency of the limits, at the journaled rate; the first booking of an adoption has the value of all of it.
   */
  readonly value?: Money | undefined;
  readonly feeValue?: Money | undefined;
  readonly realisedValue?: Money | undefined;
  readonly by?: string | undefined;
  readonly note?: string | undefined;
};

/** The maximum number of remembered trades without a trade id. */
const UNNAMED_MAX = 10_000;
const PLACES: readonly Place[] = ["account", "in flight"];

type Row = { readonly account: Money; readonly flight: Money; readonly fees: Money };
type Decided = { readonly by: string; readonly reason: string };
type Legs = { readonly came: readonly Leg[]; readonly went: readonly Leg[]; readonly fee: Leg | undefined };

/** Empty books without prices, for replaying a journal: recorded steps carry the values of their moment. */
export function replayedBooks(currency: Asset): Books {
  // The fee bound only affects open orders.
  const accounts = new Accounts(0);
  const prices = new Pricing({
    par: new Map(),
    venueAgeMsMax: 0,
    referenceAgeMsMax: 0,
    sourcesMin: 1,
    disagreementBpsMax: 0,
  });
  const pricing = new Valuation(accounts, prices, currency);
  return new Books({
    ...{ accounts, prices, pricing },
    counters: new Counters(currency),
    hiddenPrices: new HiddenPrices(),
  });
}

export class Bookings {
  readonly accounts: Accounts;
  readonly counters: Counters;
  readonly currency: Asset;
  readonly #books: Books;
  readonly #unnamed = new Map<string, Booking>();
  /** Not bounded, because mints are few. */
  readonly #mints = new Map<string, Extract<ReceiptRecord, { kind: "mint" }>["mint"]>();
  readonly #decided = new Map<string, Decided>();
  #adoption: Adoption | undefined;
  #isOpened = false;

  constructor(currency: Asset) {
    this.currency = currency;
    this.#books = replayedBooks(currency);
    this.accounts = this.#books.accounts;
    this.counters = this.#books.counters;
  }

  /** Returns the bookings of the record, usually none. Requires all records in order from the first. */
  take({ sequence, record }: Pick<Entry, "sequence" | "record">): readonly Booking[] {
    if (record.kind !== "step") {
      this.#hear(record);
      return NONE;
    }
    const { step } = record;
    switch (step.event.kind) {
      case "adoption":
        return this.#adopted(sequence, step, step.event);
      case "report":
        return this.#reported(sequence, step, step.event);
      case "movement":
        return this.#moved(sequence, step, step.event);
      default:
        this.#books.replay(step);
        return NONE;
    }
  }

  /** The current holdings as bookings, for a period that starts here. `sequence`: of the last record before it. */
  held(sequence: number, at: Millis): readonly Booking[] {
    const { ledger } = this.accounts;
    return [...ledger.assets()].sort().flatMap((asset) => {
      const { account, flight } = this.#row(asset);
      return PLACES.flatMap((place) => {
        const amount = place === "account" ? account : flight;
        if (amount.isZero()) return [];
        const came = { amount, place, after: amount };
        return [{ sequence, at, kind: "opening" as const, came, note: "held when the period began" }];
      });
    });
  }

  /** Remembers who caused a later booking, and the venue's ids for it. */
  #hear(record: JournalRecord): void {
    if (record.kind === "adoption") this.#adoption = record;
    if (record.kind === "outcome" && record.outcome.kind === "accepted")
      this.#receive(record.id, record.outcome.receipt);
    if (record.kind === "evidence" && record.finding.kind === "landed")
      this.#receive(record.id, record.finding.receipt);
    if (record.kind !== "resolution") return;
    if (record.verdict.kind === "landed") this.#receive(record.id, record.verdict.receipt);
    // A released mint may mean that its money came back; a released order moves nothing.
    const { id, verdict } = record;
    if (verdict.kind === "landed" || (verdict.kind === "released" && this.#mints.has(id)))
      this.#decided.set(id, record);
  }

  #receive(id: string, receipt: ReceiptRecord): void {
    if (receipt.kind === "mint") this.#mints.set(id, receipt.mint);
  }

  #adopted(sequence: number, step: Step, event: AdoptionEvent): readonly Booking[] {
    const by = this.#adoption?.by;
    this.#adoption = undefined;
    const kind = this.#isOpened ? "adoption" : "opening";
    this.#isOpened = true;
    const legs = this.#changed(step, "account");
    return [...(legs?.came ?? []), ...(legs?.went ?? [])].map((leg, i) => {
      const isIn = legs?.came.includes(leg);
      return {
        ...{ sequence, at: step.at, kind, by, note: event.reason },
        came: isIn ? leg : undefined,
        went: isIn ? undefined : leg,
        ...(isIn ? this.#opening(leg.amount, event) : {}),
        value: i === 0 ? event.value : undefined,
      };
    });
  }

  /** An opening amount with a stated cost is a lot from the start. */
  #opening(amount: Money, { costs = [] }: AdoptionEvent): Pick<Booking, "trade" | "costless"> {
    const price = costs.find(({ asset }) => asset === amount.asset)?.price;
    const pair = `${amount.asset}/${standsFor(amount.asset)}` as PairSymbol;
    const after = this.accounts.profit.positions.get(pair);
    if (price === undefined || after === undefined) return { trade: undefined, costless: amount };
    const none = { closed: undefined, realised: undefined };
    const trade = { pair, side: "buy", price, base: amount, quote: after.cost.negated(), after: { ...after } } as const;
    return { trade: { ...trade, ...none }, costless: undefined };
  }

  #reported(sequence: number, step: Step, { clientOrderId: id, report }: ReportEvent): readonly Booking[] {
    if (report.kind !== "filled") {
      this.#books.replay(step);
      return NONE;
    }
    const { fill } = report;
    const { accounts, counters } = this;
    const isLate = accounts.open.get(id) === undefined;
    const { base, quote } = assetsOf(fill.symbol);
    const none = { amount: Money.zero(base), cost: Money.zero(quote), realised: Money.zero(quote) };
    const before = { ...(accounts.profit.positions.get(fill.symbol) ?? none) };
    const shown = { ...counters.shown.totals };
    const unpriced = counters.unpricedFills;
    const legs = this.#changed(step, "account");
    if (legs === undefined) {
      this.#name(id, fill);
      return NONE;
    }
    const { turnover, fees, realised } = counters.shown.totals;
    const isPriced = counters.unpricedFills === unpriced;
    const known = (now: Money, then: Money): Money | undefined => {
      const value = now.minus(then);
      return isPriced || !value.isZero() ? value : undefined;
    };
    const trade = this.#trade(fill, before, legs);
    const decided = this.#decided.get(id);
    this.#decided.delete(id);
    const unclosed = trade.base.size().minus(trade.closed?.amount ?? Money.zero(base));
    const booking: Booking = {
      ...{ sequence, at: step.at, kind: "trade", id, venueId: fill.orderId, tradeId: fill.tradeId, venueAt: fill.at },
      isWaiting: !report.confirmed && fill.tradeId === undefined,
      ...{ came: legs.came[0], went: legs.went[0], fee: legs.fee, trade },
      // Sold without a buy before it: the books count it as short until it is bought back.
      costless: fill.side === "sell" && unclosed.isPositive() ? unclosed : undefined,
      value: known(turnover, shown.turnover),
      feeValue: known(fees, shown.fees),
      realisedValue: trade.realised && known(realised, shown.realised),
      by: decided?.by,
      note: isLate ? "filled after it had been given up" : decided?.reason,
    };
    if (booking.isWaiting) this.#remember(id, booking);
    return [booking];
  }

  #trade({ symbol, side }: Fill, before: Position, { came, went }: Legs): PairChange {
    const position = this.accounts.profit.positions.get(symbol);
    invariant(position !== undefined, `a booked trade of ${symbol} must have a position`);
    const after = { ...position };
    const realised = after.realised.minus(before.realised);
    const closed = closedBy(before, after);
    const [base, quote] = side === "buy" ? [came[0], went[0]] : [went[0], came[0]];
    const quantity = base && Quantity.ofMoney(base.amount);
    return {
      ...{ pair: symbol, side, closed, after },
      price: quote && quantity && Price.implied(quote.amount, quantity, "down"),
      base: after.amount.minus(before.amount),
      // Money in and out equals profit less cost.
      quote: realised.minus(after.cost.minus(before.cost)),
      realised: closed === undefined ? undefined : realised,
    };
  }

  #moved(sequence: number, step: Step, event: MovementEvent): readonly Booking[] {
    const { id, report } = event;
    const flight = this.accounts.movements.flight(id);
    // A fee deducted on arrival was never on the account.
    const legs = this.#changed(step, report.kind === "arrived" ? "in flight" : "account");
    if (legs === undefined) return NONE;
    const moved = report.kind === "departed" ? report : flight;
    invariant(moved !== undefined, `what ${id} moved must have departed`);
    const door = moved.door === "mint" ? "mint" : isFromOutside(moved) ? "payment-in" : "payment-out";
    const kind: BookingKind = isEnd(report) ? `${door}-${report.kind}` : door;
    const crossing = crossingOf(report, flight);
    const way = crossing?.way;
    const decided = this.#decided.get(id);
    this.#decided.delete(id);
    const mint = this.#mints.get(id);
    const fee = legs.fee?.amount;
    const booking: Booking = {
      ...{ sequence, at: step.at, kind, id, came: legs.came[0], went: legs.went[0], fee: legs.fee },
      venueId: isPayment(id) ? venueIdOf({ id }) : mint?.requestId,
      tradeId: mint?.transactionId,
      costless: way === "in" ? crossing?.comes : undefined,
      value: way === "out" ? event.value?.negated() : event.value,
      feeValue: fee?.asset === this.currency ? fee : event.feeValue,
      by: decided?.by,
      note: report.kind === "returned" ? report.reason : decided?.reason,
    };
    return [booking];
  }

  /** Folds the step; undefined if it moved no money. `feeFrom`: the place the fee is taken from. */
  #changed(step: Step, feeFrom: Place): Legs | undefined {
    const { ledger } = this.accounts;
    const { version } = ledger;
    const before = new Map<Asset, Row>();
    for (const asset of ledger.assets()) before.set(asset, this.#row(asset));
    this.#books.replay(step);
    if (ledger.version === version) return undefined;
    const came: Leg[] = [];
    const went: Leg[] = [];
    let fee: Leg | undefined;
    for (const asset of ledger.assets()) {
      const now = this.#row(asset);
      const then = before.get(asset);
      const taken = less(now.fees, then?.fees);
      for (const place of PLACES) {
        const after = place === "account" ? now.account : now.flight;
        const change = less(after, place === "account" ? then?.account : then?.flight);
        const amount = place === feeFrom ? change.plus(taken) : change;
        if (amount.isPositive()) came.push({ amount, place, after });
        if (amount.isNegative()) went.push({ amount: amount.negated(), place, after });
        if (place === feeFrom && !taken.isZero()) fee = { amount: taken, place, after };
      }
    }
    return { came, went, fee };
  }

  #row(asset: Asset): Row {
    const row = this.accounts.ledger.row(asset);
    const zero = Money.zero(asset);
    return { account: row?.holdings ?? zero, flight: row?.inFlight ?? zero, fees: row?.fees ?? zero };
  }

  #remember(id: string, booking: Booking): void {
    this.#unnamed.set(id, booking);
    if (this.#unnamed.size <= UNNAMED_MAX) return;
    for (const [oldest, left] of this.#unnamed) {
      left.isWaiting = false;
      this.#unnamed.delete(oldest);
      break;
    }
  }

  #name(id: string, { tradeId, at }: Fill): void {
    const booking = this.#unnamed.get(id);
    if (booking === undefined) return;
    booking.tradeId = tradeId;
    booking.venueAt ??= at;
    booking.isWaiting = false;
    this.#unnamed.delete(id);
  }
}

function isEnd(report: MovementReport): report is Extract<MovementReport, { kind: End }> {
  return report.kind === "arrived" || report.kind === "returned";
}

const NONE: readonly Booking[] = [];

function less(now: Money, then: Money | undefined): Money {
  return then === undefined ? now : now.minus(then);
}
