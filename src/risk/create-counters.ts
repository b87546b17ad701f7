// The rule counters, composed of their parts. `apply` is the only way to change them.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import { standsFor } from "../domain/coin.ts";
import { UNFILLED } from "../domain/event.ts";
import { unreachable } from "../domain/invariant.ts";
import { Money, type Price } from "../domain/money/money.ts";
import type { ClientOrderId, Fill } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import { type Millis, millis } from "../domain/time.ts";
import { type CountersData, countersData } from "./counters/data.ts";
import { createDayCounters, type DayCounters } from "./counters/day-figures.ts";
import { createSumCounters, type SumCounters } from "./counters/day-sums.ts";
import { MarkoutCounters } from "./counters/markouts.ts";
import { createOpenOrders, type OpenOrders } from "./counters/open-orders.ts";
import { createRecentIntents, type RecentCounters } from "./counters/recent-intents.ts";
import { createStreaks, type Streaks } from "./counters/streaks.ts";
import type { CounterEntry, Counters, FeeOfFill, OrderEntry, Streak } from "./counters.ts";
import { requireCurrency } from "./other-currency.ts";
import type { Counted } from "./room-from.ts";
import { FRESH, isPersons, type TradingState, transition } from "./trading-state.ts";

/** `saved` is the result of `save`, possibly through JSON; data that does not fit throws. */
export function createCounters(currency: Asset, saved?: unknown): Counters {
  const data = saved === undefined ? undefined : countersData.parse(saved);
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

  constructor(currency: Asset, data: CountersData | undefined) {
    this.#currency = currency;
    this.#day = createDayCounters(currency, data);
    this.shown = createSumCounters(currency, data?.sums);
    this.#hour = createHourWindow(currency, data?.hour ?? []);
    this.#open = createOpenOrders(currency, data ?? { open: [], doubts: [] });
    this.#streaks = createStreaks(data);
    this.day = this.#day.figures;
    this.orderTimes = createOrderTimes(data?.orderTimes ?? []);
    this.recent = createRecentIntents(data?.recent ?? [], data?.forgottenAt ?? null);
    this.markouts = new MarkoutCounters(data?.markouts);
    this.doubts = this.#open.doubts;
    this.tradingState = data?.tradingState ?? FRESH;
    this.unpricedFills = data?.unpricedFills ?? 0;
    this.filledOrders = data?.filledOrders ?? 0;
    this.heartbeatAt = data?.heartbeatAt == null ? undefined : millis(data.heartbeatAt);
    this.lastFee = loadedFee(data?.lastFee ?? null);
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
        this.shown.countOrder();
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
        this.shown.countRefusal();
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

  save(): CountersData {
    return {
      version: 1,
      currency: this.#currency,
      tradingState: this.tradingState,
      ...this.#day.save(),
      ...this.shown.save(),
      orderTimes: this.orderTimes.list(),
      hour: this.#hour.list(),
      unpricedFills: this.unpricedFills,
      ...this.#streaks.save(),
      recent: this.recent.list(),
      forgottenAt: this.recent.forgottenAt ?? null,
      ...this.#open.save(),
      ...this.markouts.save(),
      filledOrders: this.filledOrders,
      heartbeatAt: this.heartbeatAt ?? null,
      lastFee: savedFee(this.lastFee),
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

function loadedFee(data: CountersData["lastFee"]): FeeOfFill | undefined {
  if (data === null) return undefined;
  const money = (text: string): Money => Money.of(text, data.quote as Asset);
  return {
    clientOrderId: data.clientOrderId as ClientOrderId,
    fee: data.fee === null ? undefined : money(data.fee),
    traded: money(data.traded),
  };
}

function savedFee(fee: FeeOfFill | undefined): CountersData["lastFee"] {
  if (fee === undefined) return null;
  return {
    clientOrderId: fee.clientOrderId,
    quote: fee.traded.asset,
    fee: fee.fee?.toString() ?? null,
    traded: fee.traded.toString(),
  };
}

// Value traded in the last hour, in buckets of a minute. The oldest bucket counts until all of it has left the hour, so
// the sum is never too low. Reading changes nothing that is saved.

const MINUTE_MS = 60_000;
/** Fifty-nine whole minutes and two partial ones. */
const BUCKETS = 61;

type HourWindow = {
  add(value: Money, at: Millis): void;
  total(now: Millis): Money;
  /** The parts of the total. */
  newestFirst(now: Millis): Counted<Money>[];
  clear(): void;
  list(): { minute: number; value: string }[];
};

export function createHourWindow(
  currency: Asset,
  saved: readonly { readonly minute: number; readonly value: string }[],
): HourWindow {
  const values = new Map<number, Money>();
  /** Cached for the current minute: the gate reads it far more often. */
  let sum = Money.zero(currency);
  let summedTo = Number.NaN;

  const of = (hour: number) => [...values].filter(([minute]) => minute > hour - BUCKETS);
  const put = (minute: number, value: Money): void => {
    const before = values.get(minute);
    values.set(minute, before?.plus(value) ?? value);
    if (before === undefined) for (const known of values.keys()) if (known <= minute - BUCKETS) values.delete(known);
    if (minute > summedTo - BUCKETS) sum = sum.plus(value);
  };
  for (const { minute, value } of saved) put(minute, Money.of(value, currency));

  return {
    add: (value, at) => put(Math.floor(at / MINUTE_MS), value),
    total(now) {
      const minute = Math.floor(now / MINUTE_MS);
      if (minute !== summedTo) {
        sum = Money.zero(currency);
        for (const [known, value] of values) if (known > minute - BUCKETS) sum = sum.plus(value);
        summedTo = minute;
      }
      return sum;
    },
    newestFirst: (now) =>
      of(Math.floor(now / MINUTE_MS))
        .sort(([a], [b]) => b - a)
        .map(([minute, amount]) => ({ amount, leavesAt: (minute + BUCKETS) * MINUTE_MS })),
    clear() {
      values.clear();
      summedTo = Number.NaN;
    },
    list: () => [...values].sort(([a], [b]) => a - b).map(([minute, value]) => ({ minute, value: value.toString() })),
  };
}

/** At least the largest `ordersPerMinuteMax`. */
const CAPACITY = 64;

type OrderTimes = {
  /** 1 is the latest; undefined if there were fewer. */
  nthLast(n: number): Millis | undefined;
  add(at: Millis): void;
  /** Oldest first. */
  list(): number[];
};

function createOrderTimes(saved: readonly number[]): OrderTimes {
  const times = saved.slice(-CAPACITY).map(millis);
  return {
    nthLast: (n) => times[times.length - n],
    add(at) {
      times.push(at);
      if (times.length > CAPACITY) times.shift();
    },
    list: () => [...times],
  };
}
