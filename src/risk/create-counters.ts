// The rule counters, composed of their parts. `apply` is the only way to change them.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import { standsFor } from "../domain/coin.ts";
import { UNFILLED } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import { Money, type Price } from "../domain/money/money.ts";
import type { Fill } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import { DayCounters, type SavedDay } from "./counters/day-figures.ts";
import { type SavedSums, SumCounters } from "./counters/day-sums.ts";
import { MarkoutCounters, type SavedMarkouts } from "./counters/markouts.ts";
import { OpenOrders, type SavedOpen } from "./counters/open-orders.ts";
import {
  HourWindow,
  type Minute,
  OrderTimes,
  RecentCounters,
  type SavedIntents,
  type SavedStreaks,
  Streaks,
} from "./counters/recent.ts";
import type { CounterEntry, Counters, FeeOfFill, OrderEntry, Streak } from "./counters.ts";
import { requireCurrency } from "./other-currency.ts";
import type { Counted } from "./room-from.ts";
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

/** `saved` is the result of `save`. */
export function createCounters(currency: Asset, saved?: unknown): Counters {
  const data = saved as SavedCounters | undefined;
  if (data !== undefined) requireCurrency(data.currency, currency);
  return new RuleCounters(currency, data);
}

// A class and not closures: rules read many figures for every order, and all counters of a process then share one
// shape.
class RuleCounters implements Counters {
  readonly #currency: Asset;
  readonly #day: DayCounters;
  readonly shown: SumCounters;
  readonly #hour: HourWindow;
  readonly #open: OpenOrders;
  readonly #streaks: Streaks;
  readonly day: Counters["day"];
  readonly orderTimes: OrderTimes;
  readonly recent: RecentCounters;
  readonly markouts: MarkoutCounters;
  readonly doubts: Counters["doubts"];
  version = 0;
  tradingState: TradingState;
  unpricedFills: number;
  filledOrders: number;
  heartbeatAt: Millis | undefined;
  lastFee: FeeOfFill | undefined;

  constructor(currency: Asset, data: SavedCounters | undefined) {
    this.#currency = currency;
    this.#day = new DayCounters(currency, data?.day);
    this.shown = new SumCounters(currency, data?.sums);
    this.#hour = new HourWindow(currency, data?.hour);
    this.#open = new OpenOrders(currency, data?.open);
    this.#streaks = new Streaks(data?.streaks);
    this.day = this.#day.figures;
    this.orderTimes = new OrderTimes(data?.orderTimes);
    this.recent = new RecentCounters(data?.recent);
    this.markouts = new MarkoutCounters(data?.markouts);
    this.doubts = this.#open.doubts;
    this.tradingState = data?.tradingState ?? FRESH;
    this.unpricedFills = data?.unpricedFills ?? 0;
    this.filledOrders = data?.filledOrders ?? 0;
    this.heartbeatAt = data?.heartbeatAt;
    this.lastFee = data?.lastFee;
  }

  get state(): TradingState["state"] {
    return this.tradingState.state;
  }

  get peak(): Money | undefined {
    return this.#day.peak;
  }

  get openValue(): Money {
    return this.#open.value;
  }

  get rejects(): Streak {
    return this.#streaks.rejects;
  }

  get losses(): Streak {
    return this.#streaks.losses;
  }

  turnoverOfHour(now: Millis): Money {
    return this.#hour.total(now);
  }

  minutesOfHour(now: Millis): readonly Counted<Money>[] {
    return this.#hour.newestFirst(now);
  }

  rejectsOf(symbol: PairSymbol): Streak {
    return this.#streaks.rejectsOf(symbol);
  }

  needsMark(equity: Money, at: Millis): boolean {
    return this.#day.needsMark(equity, at);
  }

  apply(entry: CounterEntry): void {
    if (this.#take(entry)) this.version++;
  }

  /** False if nothing changed. */
  #take(entry: CounterEntry): boolean {
    switch (entry.kind) {
      case "approved":
        this.#day.countOrder();
        this.shown.totals.orders++;
        this.orderTimes.add(entry.at);
        this.recent.add(entry.intent, entry.at);
        this.#open.open(entry.intent, entry.rate, entry.mid);
        return true;
      case "mids":
        this.markouts.priced(entry.mids, entry.at);
        return true;
      case "report":
        return this.#report(entry);
      case "mark":
        requireCurrency(entry.equity.asset, this.#currency);
        if (this.#day.mark(entry.equity, entry.at)) this.shown.open(entry.equity);
        if (entry.ownAtPar !== undefined) this.shown.base(entry.ownAtPar);
        return true;
      case "adopted":
        this.#day.shift(entry.value);
        // Before the first mark it is part of the opening.
        if (this.day.number !== undefined) this.shown.shift(entry.value, entry.atPar);
        return true;
      case "fee":
        this.shown.movementFee(entry.door, entry.fee.asset === this.#currency ? entry.fee : entry.value);
        return false;
      case "refused":
        this.shown.totals.refused++;
        return false;
      case "state":
        this.#move(entry.command, entry.at);
        return true;
      case "control":
        if (entry.control.kind === "heartbeat") this.heartbeatAt = entry.at;
        this.#move(entry.control, entry.at);
        return true;
      default:
        return unreachable(entry);
    }
  }

  save(): SavedCounters {
    return {
      currency: this.#currency,
      tradingState: this.tradingState,
      day: this.#day.save(),
      sums: this.shown.save(),
      orderTimes: this.orderTimes.list(),
      hour: this.#hour.list(),
      unpricedFills: this.unpricedFills,
      streaks: this.#streaks.save(),
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
      this.#hour.add(turnover, at);
    }
    if (fee !== undefined) this.#day.addFee(fee);
    if (realised !== undefined) this.#day.addRealised(realised);
    this.shown.fill(turnover, fee, realised);
    this.#streaks.filled(filled.symbol, entry.realised?.isNegative(), at);
    const base = filled.side === "buy" ? filled.bought : filled.sold;
    const price = base.isZero() ? undefined : traded.toNumber() / base.toNumber();
    this.markouts.filled(filled.symbol, filled.side, { mid, price }, at);
    this.filledOrders++;
  }

  #report(entry: OrderEntry): boolean {
    const { clientOrderId, intent, at } = entry;
    switch (entry.report.kind) {
      case "sending":
        return false;
      case "doubt":
      case "escalated":
        this.#open.doubt(clientOrderId, intent, at);
        return true;
      case "filled":
        if (entry.first) this.#fill(entry, entry.report.fill);
        // A provisional fill that is now confirmed was closed before.
        return this.#open.close(clientOrderId) || entry.first;
      case "rejected":
        // An unfilled order was understood by the venue and is not a sign of a fault.
        if (entry.report.code !== UNFILLED) this.#streaks.rejected(intent?.symbol, at);
        this.#open.close(clientOrderId);
        return true;
      case "not-sent":
      case "dead":
        return this.#open.close(clientOrderId);
      default:
        return unreachable(entry.report);
    }
  }

  #move(change: Parameters<typeof transition>[1], at: TradingState["since"]): void {
    const before = this.tradingState;
    this.tradingState = transition(before, change, at);
    if (change.kind !== "resume" || this.tradingState === before) return;
    // A person's own stop broke no limit, so resuming it resets none: halt and resume must not buy another day's loss.
    if (isPersons(before)) return;
    // Resuming a halt accepts what happened; otherwise the same figures would halt the bot again at once.
    this.#day.restart(at);
    this.#hour.clear();
    this.#streaks.clear();
    this.markouts.clear();
    this.unpricedFills = 0;
    this.lastFee = undefined;
  }
}

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
