// The counters that rules read: order times, turnover, streaks, doubts, peaks. Folded from entries alone, so that the
// engine and a fold over recorded steps come to the same counters.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { Control, OrderReport } from "../domain/event.ts";
import type { Money, Price } from "../domain/money/money.ts";
import type { Door } from "../domain/movement.ts";
import type { ClientOrderId, Side } from "../domain/order.ts";
import type { Command, OrderIntent, RiskState } from "../domain/step.ts";
import type { Millis } from "../domain/time.ts";
import type { Counted } from "./room-from.ts";
import type { TradingState } from "./trading-state.ts";

export interface Counters {
  /** Another one after whatever changed here: while it stands still, so does all that rules read. */
  readonly version: number;
  readonly state: RiskState;
  /** The state with its reason and the way out of it. */
  readonly tradingState: TradingState;
  /** The UTC day as opened by a mark: its figures start at zero there, and nowhere else. */
  readonly day: DayFigures;
  /** The whole of that day, whatever was resumed in it, and all since the counters began: to show, no rule reads them. */
  readonly shown: { readonly day: DaySums; readonly totals: Totals };
  /** Highest equity marked; undefined before the first mark. */
  readonly peak: Money | undefined;
  readonly orderTimes: { nthLast(n: number): Millis | undefined };
  /** Value traded in the last hour, in whole minutes: the oldest counts until all of it is out. */
  turnoverOfHour(now: Millis): Money;
  /** The same minute by minute, newest first, each with when it is out. */
  minutesOfHour(now: Millis): readonly Counted<Money>[];
  /** What approved orders may still trade. */
  readonly openValue: Money;
  /** Fills that no rate was known for: the figures above are too low by them. */
  readonly unpricedFills: number;
  readonly rejects: Streak;
  rejectsOf(symbol: PairSymbol): Streak;
  readonly losses: Streak;
  readonly recent: RecentIntents;
  readonly doubts: Doubts;
  /** Orders that filled, ever: for the ramp. */
  readonly filledOrders: number;
  readonly heartbeatAt: Millis | undefined;
  /** Of the last fill; undefined when the fee's asset is none of the pair. */
  readonly lastFee: FeeOfFill | undefined;
  /**
   * Whether this equity opens a day or sets a peak, so that a `mark` entry is due. `at` is the engine's time, which is that
   * of its events: a day never opens twice.
   */
  needsMark(equity: Money, at: Millis): boolean;
  apply(entry: CounterEntry): void;
  /** Plain data, good for JSON. */
  save(): unknown;
}

export type DayFigures = {
  /** Days since 1970; undefined before the first mark. */
  readonly number: number | undefined;
  readonly opening: Money | undefined;
  readonly orders: number;
  readonly turnover: Money;
  /** Of that, coins that were sold for less than they stand for. */
  readonly belowPar: Money;
  readonly fees: Money;
  /** Profit over average cost, in the currency of the limits. */
  readonly realised: Money;
  /** When a person resumed a halt on this day, the figures above count from there. */
  readonly since: Millis | undefined;
};

/** In the currency of the limits. Fills that no rate was known for are counted, and missing in the sums. */
export type DaySums = {
  /** Equity when the day was opened, moved by what people put in or took out; undefined where that has no value. */
  readonly opening: Money | undefined;
  readonly orders: number;
  readonly fills: number;
  readonly refused: number;
  readonly turnover: Money;
  /** Of trades: they are in what was realised, or in the cost of what is held. */
  readonly fees: Money;
  readonly realised: Money;
  /** Of mints and of payments on rails, in nothing that was realised; undefined where one of the day had no rate. */
  readonly mintFees: Money | undefined;
  readonly railFees: Money | undefined;
};

export type Totals = Omit<DaySums, "opening" | "mintFees" | "railFees"> & {
  readonly mintFees: Money;
  readonly railFees: Money;
  /** How many of these had no rate, and are missing in the sums. */
  readonly unvaluedFees: number;
  /** What people and payments put in, less what they took out. */
  readonly brought: Money;
  /** How often something was brought that nobody could value. */
  readonly unvalued: number;
  /** All that was put in, opening included, with coins at par: what FX revaluation counts from; undefined before the first mark. */
  readonly placedAtPar: Money | undefined;
};

export type Streak = { readonly count: number; readonly lastAt: Millis | undefined };

export interface RecentIntents {
  /** How many of the last ones were approved after this time. */
  countAfter(time: number): number;
  /** 0 is the last one. */
  isOf(back: number, symbol: PairSymbol, side: Side): boolean;
  intent(back: number): OrderIntent;
  at(back: number): Millis;
  /** When the oldest one that had to be forgotten was approved; undefined while all are kept. */
  readonly forgottenAt: Millis | undefined;
}

export interface Doubts {
  readonly count: number;
  countOf(asset: Asset): number;
  /** Since when the oldest is open, and its order. */
  readonly oldest: { readonly clientOrderId: ClientOrderId; readonly since: Millis } | undefined;
}

export type FeeOfFill = {
  readonly clientOrderId: ClientOrderId;
  /** Both in the quote asset. */
  readonly fee: Money | undefined;
  readonly traded: Money;
};

/**
 * What the counters of the rules are told, in order, by the engine, and by a fold over recorded steps alike: so an entry
 * carries every price it needs, and nothing is looked up when it is applied.
 */
export type CounterEntry =
  /** `rate` is the value of one unit of the pair's quote asset in `currency` when it was approved. */
  | { readonly kind: "approved"; readonly intent: OrderIntent; readonly rate: Price | undefined; readonly at: Millis }
  | OrderEntry
  /** Equity where it opens a day or sets a new peak. */
  | { readonly kind: "mark"; readonly equity: Money; readonly ownAtPar?: Money | undefined; readonly at: Millis }
  /** The value of what a person adopted: no profit and no loss, so the bases of both losses move by it, or are unknown with it. */
  | {
      readonly kind: "adopted";
      readonly value: Money | undefined;
      readonly atPar?: Money | undefined;
      readonly at: Millis;
    }
  /** What a mint or a payment cost, less than nothing where it was given back; `value` where it is not in the currency itself. */
  | {
      readonly kind: "fee";
      readonly door: Door;
      readonly fee: Money;
      readonly value: Money | undefined;
      readonly at: Millis;
    }
  /** A proposal was refused. */
  | { readonly kind: "refused"; readonly at: Millis }
  | { readonly kind: "state"; readonly command: StateCommand; readonly at: Millis }
  | { readonly kind: "control"; readonly control: Control; readonly at: Millis };

export type StateCommand = Extract<Command, { kind: "state" }>;

export type OrderEntry = {
  readonly kind: "report";
  /** Undefined when the counters of the engine do not know the order. */
  readonly intent: OrderIntent | undefined;
  readonly clientOrderId: ClientOrderId;
  readonly report: OrderReport;
  /** False when a fill was booked before: the provisional one, now confirmed. */
  readonly first: boolean;
  /** Of a first fill: profit over average cost in the quote asset, fees included; undefined for an opening buy. */
  readonly realised: Money | undefined;
  readonly at: Millis;
};
