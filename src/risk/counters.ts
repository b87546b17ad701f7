// The counters that rules read: order times, turnover, streaks, doubts, peaks. They are folded from entries alone, so
// that the engine and a replay of recorded steps get the same counters.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { Control, OrderReport } from "../domain/event.ts";
import type { Money, Price } from "../domain/money/money.ts";
import type { Door } from "../domain/movement.ts";
import type { ClientOrderId, Side } from "../domain/order.ts";
import type { Command, MidOfPair, OrderIntent, RiskState } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import type { Counted } from "./room-from.ts";
import type { TradingState } from "./trading-state.ts";

export interface Counters {
  /** Changes with every change of the counters; while it is equal, everything that rules read is equal. */
  readonly version: number;
  readonly state: RiskState;
  /** The trading state with its reason and remedy. */
  readonly tradingState: TradingState;
  /** The UTC day as opened by a mark; only a mark resets its figures. */
  readonly day: DayFigures;
  /** The whole of that day regardless of resumes, and all since the counters began. For display; no rule reads them. */
  readonly shown: { readonly day: DaySums; readonly totals: Totals };
  /** The highest marked equity; undefined before the first mark. */
  readonly peak: Money | undefined;
  readonly orderTimes: { nthLast(n: number): Millis | undefined };
  /** Value traded in the last hour, in whole minutes: the oldest minute counts until all of it has left the hour. */
  turnoverOfHour(now: Millis): Money;
  /** The same by minute, newest first, each with the time it leaves the hour. */
  minutesOfHour(now: Millis): readonly Counted<Money>[];
  /** The value that approved orders may still trade. */
  readonly openValue: Money;
  /** Fills without a known rate; the figures above are too low by them. */
  readonly unpricedFills: number;
  readonly rejects: Streak;
  rejectsOf(symbol: PairSymbol): Streak;
  readonly losses: Streak;
  readonly markouts: Markouts;
  readonly recent: RecentIntents;
  readonly doubts: Doubts;
  /** The number of orders that ever filled, for the ramp. */
  readonly filledOrders: number;
  readonly heartbeatAt: Millis | undefined;
  /** The fee of the last fill; undefined if its asset is not in the pair. */
  readonly lastFee: FeeOfFill | undefined;
  /**
   * Whether this equity opens a day or sets a peak, so that a `mark` entry is due. `at` is the engine's time, which is
   * that of its events, so a day never opens twice.
   */
  needsMark(equity: Money, at: Millis): boolean;
  apply(entry: CounterEntry): void;
  /** Plain data, amounts as they are. */
  save(): unknown;
}

export type DayFigures = {
  /** Days since 1970; undefined before the first mark. */
  readonly number: number | undefined;
  readonly opening: Money | undefined;
  readonly orders: number;
  readonly turnover: Money;
  /** The part of it from coins sold below par. */
  readonly belowPar: Money;
  readonly fees: Money;
  /** Profit over average cost, in the currency of the limits. */
  readonly realised: Money;
  /** When a person resumed a halt on this day; the figures above count from there. */
  readonly since: Millis | undefined;
};

/** In the currency of the limits. Fills without a known rate are counted and missing from the sums. */
export type DaySums = {
  /**
   * Equity at the opening of the day, shifted by deposits and withdrawals; undefined while one of them has no value.
   */
  readonly opening: Money | undefined;
  readonly orders: number;
  readonly fills: number;
  readonly refused: number;
  readonly turnover: Money;
  /** Trading fees, which are part of the realised profit or of the cost of holdings. */
  readonly fees: Money;
  readonly realised: Money;
  /** Fees of mints and rail payments, which are not in realised profit; undefined if one of the day had no rate. */
  readonly mintFees: Money | undefined;
  readonly railFees: Money | undefined;
};

export type Totals = Omit<DaySums, "opening" | "mintFees" | "railFees"> & {
  readonly mintFees: Money;
  readonly railFees: Money;
  /** How many fees had no rate and are missing from the sums. */
  readonly unvaluedFees: number;
  /** Deposits less withdrawals. */
  readonly brought: Money;
  /** How many deposits or withdrawals had no value. */
  readonly unvalued: number;
  /** All deposits at par, opening included: the base of FX revaluation; undefined before the first mark. */
  readonly placedAtPar: Money | undefined;
};

export type Streak = { readonly count: number; readonly lastAt: Millis | undefined };

/** How far the mid moved in the direction of a trade, at least a minute after it. */
export interface Markouts {
  /** Fills whose minute is not over, or that have no quote yet. */
  readonly waiting: readonly { readonly symbol: PairSymbol; readonly at: Millis }[];
  /**
   * By how much the price moves against our fills at the least, in basis points: the mean of the last ten to
   * twenty, four standard errors in our favour. Zero with fewer fills.
   */
  readonly adverseBps: number;
  /** How many more fills must be measured before that means something. */
  readonly missing: number;
}

export interface RecentIntents {
  /** How many of the latest were approved after this time. */
  countAfter(time: number): number;
  /** 0 is the latest. */
  isOf(back: number, symbol: PairSymbol, side: Side): boolean;
  intent(back: number): OrderIntent;
  at(back: number): Millis;
  /** Approval time of the oldest intent that was dropped for space; undefined while all are kept. */
  readonly forgottenAt: Millis | undefined;
}

export interface Doubts {
  readonly count: number;
  countOf(asset: Asset): number;
  /** The oldest open one and its order. */
  readonly oldest: { readonly clientOrderId: ClientOrderId; readonly since: Millis } | undefined;
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
  readonly at: Millis;
};
