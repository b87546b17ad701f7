// The view of a strategy. All numbers are signals, so floats. The view is valid only during the call; a quote or a bar of
// it is a copy.

import type { NoFair } from "../domain/fair.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { Side } from "../domain/order.ts";
import type { Proposal } from "../domain/step.ts";

/**
 * The events that wake a strategy. `quote` is the venue's own; `reference` is a price of any other source; `pairs` is the
 * venue's list of them.
 */
export type Wake = "quote" | "reference" | "bar" | "balances" | "pairs" | "report" | "timer";

/** The venue's last quote of a pair. */
export interface QuoteView {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly mid: number;
  /** Base units; undefined if the venue does not state it. */
  readonly bidSize: number | undefined;
  readonly askSize: number | undefined;
  /** The time since it was received, or since its own timestamp if that is older. */
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
  /** The venue's last statement; undefined before the first. */
  readonly available: number | undefined;
  readonly pending: number | undefined;
  /** The amount that open orders may still spend. */
  readonly reserved: number;
  /** The available amount less open orders, before the limits' reserve. */
  readonly spendable: number | undefined;
  /** The amount that a new order may spend: after the reserve and the fee budget (RC17); never negative. */
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
  /** The reason in its proposal. */
  readonly reason: string;
  /**
   * When its order was proposed. A strategy recognises its own fills by this, because the view shows the fills of all
   * writers.
   */
  readonly decidedAt: number;
  readonly at: number;
}

export interface OpenOrderView {
  /** The id in journal and log. It differs in every run: use it to find an order, not to decide. */
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  /** The approved quantity; it may be less than proposed. */
  readonly quantity: number;
  readonly limit: number;
  readonly reason: string;
  readonly decidedAt: number;
}

/** What order outcomes taught about the price of one side, at the time of the call. */
export interface HiddenSideView {
  /** The median, and the interval that should hold the executable price in 90 of 100 cases. */
  readonly price: number;
  readonly low: number;
  readonly high: number;
  /** The limit of the last order of this side, moved with fair value; undefined before the first. */
  readonly asked: number | undefined;
  /** A size that should fill, after a larger one did not; undefined otherwise. */
  readonly sizeMax: number | undefined;
  /** The chance that an order of this side with this limit fills. */
  chance(limit: number, size: number): number;
  /**
   * The expected gain over fair value of an order with this limit, per base unit in the quote asset: zero where it does
   * not fill. For limits better than fair value.
   */
  gain(limit: number, size: number): number;
  /** The time since the last outcome of the pair; undefined before the first. */
  readonly ageMs: number | undefined;
}

/** `bid`: what a sale gets; `ask`: what a purchase pays. */
export interface HiddenView {
  readonly bid: HiddenSideView;
  readonly ask: HiddenSideView;
}

/** The end of an order, or a change of its state. */
export type ReportView =
  | { readonly kind: "filled"; readonly order: OpenOrderView; readonly fill: FillView; readonly at: number }
  /** Rejected by the venue. `code` is ours (`unfilled`: no price at its limit), `why` is the venue's message. */
  | {
      readonly kind: "rejected";
      readonly order: OpenOrderView;
      readonly code: string;
      readonly why: string;
      readonly at: number;
    }
  /** It did not happen: nothing was sent, or all evidence says so. */
  | { readonly kind: "not-sent" | "dead"; readonly order: OpenOrderView; readonly why: string; readonly at: number }
  /** Not an end: it may have happened, and stays open until that is known; `escalated` waits for a person. */
  | { readonly kind: "doubt" | "escalated"; readonly order: OpenOrderView; readonly why: string; readonly at: number };

/** The end of a proposal. */
export type OutcomeView =
  | Exclude<ReportView, { readonly kind: "doubt" | "escalated" }>
  /** Refused by the gate. `rule` is a code such as RC07; `proposal` is undefined if the returned value was none. */
  | {
      readonly kind: "refused";
      readonly proposal: Proposal | undefined;
      readonly rule: string;
      readonly why: string;
      readonly at: number;
    };

export type Ask = {
  readonly limit: number;
  /** Base units: a number or a decimal text, rounded down to the venue's grid. */
  readonly size: number | string;
  /** The least size that is worth a slot: what limits cut below it is refused. */
  readonly sizeMin?: number;
  readonly reason: string;
  readonly lifetimeMs?: number;
  /** Of a limit that was drawn at random, among all that could have been. */
  readonly odds?: number | undefined;
};

export interface ViewBase<P, S> {
  /** UTC milliseconds: the time of the event, and the only clock. */
  readonly now: number;
  readonly wake: Wake;
  /** The fair value of the event's pair. */
  readonly fair: number | undefined;
  /** Why there is none; undefined if there is one, or the event has no pair. */
  readonly noFair: NoFair | undefined;
  /** The `report` that woke the strategy; undefined if it only confirms an earlier one. */
  readonly report: ReportView | undefined;
  readonly state: S;
  readonly params: P;
  quoteOf(symbol: string): QuoteView | undefined;
  fairOf(symbol: string): number | undefined;
  /** Why the pair has no fair value; undefined if it has one. */
  noFairOf(symbol: string): NoFair | undefined;
  /** The pair's prices as order outcomes suggest them, for venues that show none; undefined without a fair value. */
  hidden(symbol: string): HiddenView | undefined;
  balanceOf(asset: string): BalanceView | undefined;
  readonly balances: readonly BalanceView[];
  instrumentOf(symbol: string): Instrument | undefined;
  readonly instruments: readonly Instrument[];
  /** The latest fills, newest last. */
  readonly fills: readonly FillView[];
  /** Approved orders that have not ended. */
  readonly openOrders: readonly OpenOrderView[];
  /**
   * The gate's refusal of a proposal now, without recording it. Later, or after other orders, it may decide otherwise.
   */
  readonly refusalOf: (proposal: Proposal) => { readonly rule: string; readonly why: string } | undefined;
  /**
   * What the limits leave of the size of a proposal now, zero if nothing; undefined while something else than its size
   * refuses it.
   */
  readonly roomFor: (proposal: Proposal) => number | undefined;
  /** The latest ends of proposals, newest last: refusals and orders. */
  readonly outcomes: readonly OutcomeView[];
  /**
   * Notes the reason for the strategy's behaviour; status and page show the last note. Changes nothing and returns
   * nothing.
   */
  readonly note: (text: string) => undefined;
  readonly buy: (symbol: string, ask: Ask) => Proposal;
  readonly sell: (symbol: string, ask: Ask) => Proposal;
}

/** `quote` is always present if only quotes can wake the strategy, `bar` likewise; otherwise check first. */
export type View<P = unknown, S = unknown, W extends Wake = Wake> = ViewBase<P, S> & {
  /** The venue's quote of the event's pair. */
  readonly quote: [W] extends ["quote"] ? QuoteView : QuoteView | undefined;
  readonly bar: [W] extends ["bar"] ? BarView : BarView | undefined;
};
