// The counters that rules read: order times, turnover, streaks, doubts, peaks. They are folded from entries alone, so
// that the engine and a replay of recorded steps get the same counters; `apply` is the only way to change them.

import type { Asset } from "../domain/asset.ts";
import { standsFor } from "../domain/coin.ts";
import { type Control, type OrderReport, UNFILLED } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import { Money, type Price } from "../domain/money/money.ts";
import type { Door } from "../domain/movement.ts";
import type { ClientOrderId, Fill } from "../domain/order.ts";
import type { Command, MidOfPair, OrderIntent, RiskState } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import { DayCounters, type DayFigures, type SavedDay, type SavedSums, SumCounters } from "./counters/day.ts";
import { Markouts, type SavedMarkouts } from "./counters/markouts.ts";
import { type Doubts, OpenOrders, type SavedOpen } from "./counters/open-orders.ts";
import {
  HourWindow,
  type Minute,
  OrderTimes,
  RecentIntents,
  type SavedIntents,
  type SavedStreaks,
  Streaks,
} from "./counters/recent.ts";
import { FRESH, isPersons, type TradingState, transition } from "./trading-state.ts";

export type SavedCounters = {
  readonly currency: Asset;
  readonly tradingState: TradingState;
  readonly day: SavedDay;
  readonly sums: SavedSums;
  readonly orderTimes: readonly Millis[];
  readonly hour: readonly Minute[];
  readonly unpricedFills: number;
  readonly streaks: SavedStreaks;
  readonly recent: SavedIntents;
  readonly open: SavedOpen;
  readonly markouts: SavedMarkouts;
  readonly filledOrders: number;
  readonly heartbeatAt: Millis | undefined;
  readonly lastFee: FeeOfFill | undefined;
};

export class Counters {
  readonly #currency: Asset;
  readonly #day: DayCounters;
  readonly #open: OpenOrders;
  /** The UTC day as opened by a mark; only a mark resets its figures. */
  readonly day: DayFigures;
  /** The whole of that day regardless of resumes, and all since the counters began. For display; no rule reads them. */
  readonly shown: SumCounters;
  readonly hour: HourWindow;
  readonly orderTimes: OrderTimes;
  readonly recent: RecentIntents;
  readonly streaks: Streaks;
  readonly markouts: Markouts;
  readonly doubts: Doubts;
  /** With its reason and remedy. */
  tradingState: TradingState;
  /** Fills without a known rate; the sums are too low by them. */
  unpricedFills: number;
  /** The number of orders that ever filled, for the ramp. */
  filledOrders: number;
  heartbeatAt: Millis | undefined;
  /** The fee of the last fill; undefined if its asset is not in the pair. */
  lastFee: FeeOfFill | undefined;

  constructor(currency: Asset, data?: SavedCounters) {
    if (data !== undefined) requireCurrency(data.currency, currency);
    this.#currency = currency;
    this.#day = new DayCounters(currency, data?.day);
    this.shown = new SumCounters(currency, data?.sums);
    this.hour = new HourWindow(currency, data?.hour);
    this.#open = new OpenOrders(currency, data?.open);
    this.streaks = new Streaks(data?.streaks);
    this.day = this.#day.figures;
    this.orderTimes = new OrderTimes(data?.orderTimes);
    this.recent = new RecentIntents(data?.recent);
    this.markouts = new Markouts(data?.markouts);
    this.doubts = this.#open.doubts;
    this.tradingState = data?.tradingState ?? FRESH;
    this.unpricedFills = data?.unpricedFills ?? 0;
    this.filledOrders = data?.filledOrders ?? 0;
    this.heartbeatAt = data?.heartbeatAt;
    this.lastFee = data?.lastFee;
  }

  get state(): RiskState {
    return this.tradingState.state;
  }

  /** The highest marked equity; undefined before the first mark. */
  get peak(): Money | undefined {
    return this.#day.peak;
  }

  /** The value that approved orders may still trade. */
  get openValue(): Money {
    return this.#open.value;
  }

  /**
   * Whether this equity opens a day or sets a peak, so that a `mark` entry is due. `at` is the engine's time, which is
   * that of its events, so a day never opens twice.
   */
  needsMark(equity: Money, at: Millis): boolean {
    return this.#day.needsMark(equity, at);
  }

  /** Whether equity cannot set a mark, by a look that is fast. */
  isUnmarked(pricing: { isSurely(side: "below", amount: Money): boolean }, at: Millis): boolean {
    const { peak } = this.#day;
    return peak !== undefined && !this.#day.isMarkDue(at) && pricing.isSurely("below", peak);
  }

  apply(entry: CounterEntry): void {
    switch (entry.kind) {
      case "approved":
        this.#day.countOrder();
        this.shown.totals.orders++;
        this.orderTimes.add(entry.at);
        this.recent.add(entry.intent, entry.at);
        this.#open.open(entry.intent, entry.rate, entry.mid);
        return;
      case "mids":
        this.markouts.priced(entry.mids, entry.at);
        return;
      case "report":
        this.#report(entry);
        return;
      case "mark":
        requireCurrency(entry.equity.asset, this.#currency);
        if (this.#day.mark(entry.equity, entry.at)) this.shown.open(entry.equity);
        if (entry.ownAtPar !== undefined) this.shown.base(entry.ownAtPar);
        return;
      case "adopted":
        this.#day.shift(entry.value);
        // Before the first mark it is part of the opening.
        if (this.day.number !== undefined) this.shown.shift(entry.value, entry.atPar);
        return;
      case "fee":
        this.shown.movementFee(entry.door, entry.fee.asset === this.#currency ? entry.fee : entry.value);
        return;
      case "refused":
        this.shown.totals.refused++;
        return;
      case "state":
        this.#move(entry.command, entry.at);
        return;
      case "control":
        if (entry.control.kind === "heartbeat") this.heartbeatAt = entry.at;
        this.#move(entry.control, entry.at);
        return;
      default:
        unreachable(entry);
        return;
    }
  }

  /** Plain data, amounts as they are. */
  save(): SavedCounters {
    return {
      currency: this.#currency,
      tradingState: this.tradingState,
      day: this.#day.save(),
      sums: this.shown.save(),
      orderTimes: this.orderTimes.list(),
      hour: this.hour.list(),
      unpricedFills: this.unpricedFills,
      streaks: this.streaks.save(),
      recent: this.recent.save(),
      open: this.#open.save(),
      markouts: this.markouts.save(),
      filledOrders: this.filledOrders,
      heartbeatAt: this.heartbeatAt,
      lastFee: this.lastFee,
    };
  }

  #valued(money: Money, rate: Price | undefined, rounding: "up" | "down"): Money | undefined {
    return money.asset === this.#currency ? money : rate && money.valued(rate, this.#currency, rounding);
  }

  #fill(entry: OrderEntry, filled: Fill): void {
    const { clientOrderId, at } = entry;
    const { rate, mid } = this.#open.get(clientOrderId) ?? {};
    const traded = filled.side === "buy" ? filled.sold : filled.bought;
    const feePaid = feeInQuote(filled, traded, entry.intent);
    const turnover = this.#valued(traded, rate, "up");
    const fee = feePaid && this.#valued(feePaid, rate, "up");
    const realised = entry.realised && this.#valued(entry.realised, rate, "down");
    this.lastFee = { clientOrderId, fee: feePaid, traded };
    if (turnover === undefined || fee === undefined || (entry.realised && realised === undefined)) this.unpricedFills++;
    if (turnover !== undefined) {
      this.#day.addTurnover(turnover, isBelowPar(filled));
      this.hour.add(turnover, at);
    }
    if (fee !== undefined) this.#day.addFee(fee);
    if (realised !== undefined) this.#day.addRealised(realised);
    this.shown.fill(turnover, fee, realised);
    if (entry.isRoundTrip) this.shown.totals.roundTrips++;
    this.streaks.filled(filled.symbol, entry.realised?.isNegative(), at);
    const base = filled.side === "buy" ? filled.bought : filled.sold;
    const price = base.isZero() ? undefined : traded.toNumber() / base.toNumber();
    this.markouts.filled(filled.symbol, filled.side, { mid, price }, at);
    this.filledOrders++;
  }

  #report(entry: OrderEntry): void {
    const { clientOrderId, intent, at } = entry;
    switch (entry.report.kind) {
      case "sending":
        return;
      case "doubt":
      case "escalated":
        this.#open.doubt(clientOrderId, intent, at);
        return;
      case "filled":
        if (entry.first) this.#fill(entry, entry.report.fill);
        break;
      case "rejected":
        // An unfilled order was understood by the venue and is not a sign of a fault.
        if (entry.report.code !== UNFILLED) this.streaks.rejected(intent?.symbol, at);
        break;
      case "not-sent":
      case "dead":
        break;
      default:
        unreachable(entry.report);
        return;
    }
    this.#open.close(clientOrderId);
  }

  #move(change: Parameters<typeof transition>[1], at: TradingState["since"]): void {
    const before = this.tradingState;
    this.tradingState = transition(before, change, at);
    if (change.kind !== "resume" || this.tradingState === before) return;
    // A person's own stop broke no limit, so resuming it resets none: halt and resume must not buy another day's loss.
    if (isPersons(before)) return;
    // Resuming a halt accepts what happened; otherwise the same figures would halt the bot again at once.
    this.#day.restart(at);
    this.hour.clear();
    this.streaks.clear();
    this.markouts.clear();
    this.unpricedFills = 0;
    this.lastFee = undefined;
  }
}

export type FeeOfFill = {
  readonly clientOrderId: ClientOrderId;
  /** Both in the quote asset. */
  readonly fee: Money | undefined;
  readonly traded: Money;
};

/**
 * The entries of the counters, in order, from the engine or from a replay. An entry carries every price that it needs;
 * applying it looks nothing up.
 */
export type CounterEntry =
  /** `rate` is the value of one unit of the pair's quote asset in `currency` at approval. */
  | {
      readonly kind: "approved";
      readonly intent: OrderIntent;
      readonly rate: Price | undefined;
      /** The venue's mid of the pair. */
      readonly mid?: number | undefined;
      readonly at: Millis;
    }
  | { readonly kind: "mids"; readonly mids: readonly MidOfPair[]; readonly at: Millis }
  | OrderEntry
  /** Equity that opens a day or sets a new peak. */
  | { readonly kind: "mark"; readonly equity: Money; readonly ownAtPar?: Money | undefined; readonly at: Millis }
  /**
   * The value of an adoption: neither profit nor loss, so the bases of both loss limits shift by it, or become unknown
   * without it.
   */
  | {
      readonly kind: "adopted";
      readonly value: Money | undefined;
      readonly atPar?: Money | undefined;
      readonly at: Millis;
    }
  /** The cost of a mint or a payment, negative for a refund; `value` if it is not in the currency itself. */
  | {
      readonly kind: "fee";
      readonly door: Door;
      readonly fee: Money;
      readonly value: Money | undefined;
      readonly at: Millis;
    }
  | { readonly kind: "refused"; readonly at: Millis }
  | { readonly kind: "state"; readonly command: StateCommand; readonly at: Millis }
  | { readonly kind: "control"; readonly control: Control; readonly at: Millis };

export type StateCommand = Extract<Command, { kind: "state" }>;

export type OrderEntry = {
  readonly kind: "report";
  /** Undefined if the engine's counters do not know the order. */
  readonly intent: OrderIntent | undefined;
  readonly clientOrderId: ClientOrderId;
  readonly report: OrderReport;
  /** False if the provisional fill was booked before and is now confirmed. */
  readonly first: boolean;
  /** For a first fill: profit over average cost in the quote asset, including fees; undefined for an opening buy. */
  readonly realised: Money | undefined;
  readonly isRoundTrip?: boolean | undefined;
  readonly at: Millis;
};

/** A coin was sold below par. */
function isBelowPar({ side, sold, bought }: Fill): boolean {
  return side === "sell" && standsFor(sold.asset) === bought.asset && bought.toNumber() < sold.toNumber();
}

/** A fee may be taken in either asset of the pair; undefined for any other. */
function feeInQuote(
  { fee, side, bought, sold }: Fill,
  traded: Money,
  intent: OrderIntent | undefined,
): Money | undefined {
  if (fee.asset === traded.asset) return fee;
  const base = side === "buy" ? bought : sold;
  if (fee.asset === base.asset && intent !== undefined) return fee.valued(intent.limit, traded.asset, "up");
  return fee.isZero() ? Money.zero(traded.asset) : undefined;
}

export class OtherCurrency extends Error {
  override readonly name = "OtherCurrency";
}

function requireCurrency(counted: string, currency: Asset): void {
  if (counted === currency) return;
  const cause = `the journal counts in ${counted}, and the limits are in ${currency}: equity, peak and turnover of both cannot be one`;
  const next = `set risk.currency back to ${counted}, or give journal.path another place and begin there with pegbot adopt`;
  throw new OtherCurrency(`${cause}; ${next}`);
}
