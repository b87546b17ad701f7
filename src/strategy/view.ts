// What a strategy is shown. Everything here is a signal, so floats, and is valid only during the call: the objects are
// reused from call to call, and reading a number of one afterwards throws.

import type { Instrument } from "../domain/instrument.ts";
import type { Side } from "../domain/order.ts";
import type { Proposal } from "../domain/step.ts";

/** What may wake a strategy. `quote` is the venue's own; `reference` a price of any other source. */
export type Wake = "quote" | "reference" | "bar" | "balances" | "report" | "timer";

/** The venue's last quote of a pair. */
export interface QuoteView {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly mid: number;
  /** Base units; undefined when the venue does not say. */
  readonly bidSize: number | undefined;
  readonly askSize: number | undefined;
  /** Since it was received, or since the time it carries if that is longer ago. */
  readonly ageMs: number;
}

export interface BarView {
  readonly symbol: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number | undefined;
}

export interface BalanceView {
  readonly asset: string;
  /** As the venue last told; undefined before it did. */
  readonly available: number | undefined;
  readonly pending: number | undefined;
  /** What open orders may still spend. */
  readonly reserved: number;
  /** What is available after open orders, before the reserve of the limits. */
  readonly spendable: number | undefined;
  /** What a new order may spend: after the reserve, and with the fee budget kept back (RC17); never below zero. */
  readonly free: number | undefined;
}

export interface FillView {
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: number;
  readonly price: number;
  readonly at: number;
}

export interface OpenOrderView {
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: number;
  readonly limit: number;
  readonly decidedAt: number;
}

export type Ask = {
  readonly limit: number;
  /** Base units: a number is rounded down to the venue's grid, so is a decimal text. */
  readonly size: number | string;
  readonly reason: string;
  readonly lifetimeMs?: number;
};

export interface ViewBase<P, S> {
  /** UTC milliseconds: the time of the event, the only clock there is. */
  readonly now: number;
  readonly wake: Wake;
  /** Of the pair that the event is about. */
  readonly fair: number | undefined;
  readonly state: S;
  readonly params: P;
  quoteOf(symbol: string): QuoteView | undefined;
  fairOf(symbol: string): number | undefined;
  balanceOf(asset: string): BalanceView | undefined;
  readonly balances: readonly BalanceView[];
  instrumentOf(symbol: string): Instrument | undefined;
  readonly instruments: readonly Instrument[];
  /** The last ones, newest last. */
  readonly fills: readonly FillView[];
  /** Approved, and not known to have ended. */
  readonly openOrders: readonly OpenOrderView[];
  readonly buy: (symbol: string, ask: Ask) => Proposal;
  readonly sell: (symbol: string, ask: Ask) => Proposal;
}

/** `quote` is there whenever nothing but quotes can wake the strategy, `bar` likewise; otherwise look first. */
export type View<P = unknown, S = unknown, W extends Wake = Wake> = ViewBase<P, S> & {
  /** The venue's quote of the pair that the event is about. */
  readonly quote: [W] extends ["quote"] ? QuoteView : QuoteView | undefined;
  readonly bar: [W] extends ["bar"] ? BarView : BarView | undefined;
};
