// What a strategy is shown. Everything here is a signal, so floats, and is valid only during the call: the objects are
// reused from call to call, and reading a number of one afterwards throws.

import type { NoFair } from "../domain/fair.ts";
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
  /** The id of its order. */
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: number;
  readonly price: number;
  /** An amount in `feeAsset`. */
  readonly fee: number;
  readonly feeAsset: string;
  /** As the order was proposed. */
  readonly reason: string;
  /** When its order was proposed: by this a strategy knows its own, since anybody's fills are shown. */
  readonly decidedAt: number;
  readonly at: number;
}

export interface OpenOrderView {
  /** As journal and log name it. It is drawn anew in each run: for finding an order again, not for deciding by. */
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  /** As the gate let it out: it may be less than was proposed. */
  readonly quantity: number;
  readonly limit: number;
  readonly reason: string;
  readonly decidedAt: number;
}

/** What became of an order. */
export type ReportView =
  | { readonly kind: "filled"; readonly order: OpenOrderView; readonly fill: FillView; readonly at: number }
  /** By the venue. `code` is one of ours (`unfilled`: nothing took it at its limit), `why` the venue's words. */
  | {
      readonly kind: "rejected";
      readonly order: OpenOrderView;
      readonly code: string;
      readonly why: string;
      readonly at: number;
    }
  /** It did not happen: no byte left, or it was in doubt and all evidence is against it. */
  | { readonly kind: "not-sent" | "dead"; readonly order: OpenOrderView; readonly why: string; readonly at: number }
  /** No end: it may have happened, and is open until that is known; of `escalated` a person decides. */
  | { readonly kind: "doubt" | "escalated"; readonly order: OpenOrderView; readonly why: string; readonly at: number };

/** How a proposal ended. */
export type OutcomeView =
  | Exclude<ReportView, { readonly kind: "doubt" | "escalated" }>
  /** It never became an order. `rule` is RC07 and the like; `proposal` is undefined when what was returned was none. */
  | {
      readonly kind: "refused";
      readonly proposal: Proposal | undefined;
      readonly rule: string;
      readonly why: string;
      readonly at: number;
    };

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
  /** Why there is none; undefined where there is one, and when the event is about no pair. */
  readonly noFair: NoFair | undefined;
  /** Of the `report` that woke it; undefined when that only confirms what was told before. */
  readonly report: ReportView | undefined;
  readonly state: S;
  readonly params: P;
  quoteOf(symbol: string): QuoteView | undefined;
  fairOf(symbol: string): number | undefined;
  /** Why the pair has no fair value; undefined where it has one. */
  noFairOf(symbol: string): NoFair | undefined;
  balanceOf(asset: string): BalanceView | undefined;
  readonly balances: readonly BalanceView[];
  instrumentOf(symbol: string): Instrument | undefined;
  readonly instruments: readonly Instrument[];
  /** The last ones, newest last. */
  readonly fills: readonly FillView[];
  /** Approved, and not known to have ended. */
  readonly openOrders: readonly OpenOrderView[];
  /** What the gate would say against a proposal now; nothing of it is recorded. It may say otherwise later, and after other orders. */
  readonly refusalOf: (proposal: Proposal) => { readonly rule: string; readonly why: string } | undefined;
  /** How the last proposals ended, newest last: refused ones and orders. */
  readonly outcomes: readonly OutcomeView[];
  /** Says why it does what it does, or nothing: the last word is shown to people. Changes nothing, gives nothing back. */
  readonly note: (text: string) => undefined;
  readonly buy: (symbol: string, ask: Ask) => Proposal;
  readonly sell: (symbol: string, ask: Ask) => Proposal;
}

/** `quote` is there whenever nothing but quotes can wake the strategy, `bar` likewise; otherwise look first. */
export type View<P = unknown, S = unknown, W extends Wake = Wake> = ViewBase<P, S> & {
  /** The venue's quote of the pair that the event is about. */
  readonly quote: [W] extends ["quote"] ? QuoteView : QuoteView | undefined;
  readonly bar: [W] extends ["bar"] ? BarView : BarView | undefined;
};
