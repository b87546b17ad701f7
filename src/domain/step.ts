// The record of one event: the proposals, the gate's verdict on each with its reason, and the commands. Journal,
// metrics, log lines and the page are functions of steps alone.

import type { PairSymbol } from "./asset.ts";
import type { Event, Halt } from "./event.ts";
import type { Money, Price, Quantity } from "./money/money.ts";
import type { ClientOrderId, Side } from "./order.ts";
import type { Millis } from "./time.ts";

/** A strategy's proposal: still signals, unrounded floats. */
export type Proposal = {
  readonly symbol: PairSymbol;
  readonly side: Side;
  readonly limit: number;
  /** Base units; a decimal text is taken exactly. */
  readonly size: number | string;
  readonly reason: string;
  /** How long the decision is valid; a shorter bound of the configuration applies instead. */
  readonly lifetimeMs: number | undefined;
  /** Of a limit that was drawn at random, among all that could have been: what its outcome teaches weighs by it. */
  readonly odds?: number | undefined;
};

export type Refusal = {
  /** For example RC07: stable, and documented. */
  readonly rule: string;
  readonly limit: string;
  readonly value: string;
  readonly message: string;
};

export type OrderIntent = {
  readonly clientOrderId: ClientOrderId;
  readonly symbol: PairSymbol;
  readonly side: Side;
  readonly quantity: Quantity;
  readonly limit: Price;
  readonly reason: string;
  readonly decidedAt: Millis;
  readonly expiresAt: Millis;
};

export type Verdict =
  /** `capped` names the rules that reduced the size. */
  | { readonly kind: "approved"; readonly intent: OrderIntent; readonly capped: readonly Refusal[] }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** The known prices of the pair at the decision. */
export type Basis = {
  readonly bid: number | undefined;
  readonly ask: number | undefined;
  readonly fair: number | undefined;
  readonly ageMs: number | undefined;
  /** One unit of the quote asset in the currency of the limits. */
  readonly rate: Price | undefined;
};

export type Decision = {
  /** Undefined if the strategy's return value was not a proposal. */
  readonly proposal: Proposal | undefined;
  readonly basis: Basis;
  readonly verdict: Verdict;
};

export type Command =
  | { readonly kind: "submit"; readonly intent: OrderIntent }
  | ({ readonly kind: "state"; readonly state: RiskState } & Halt);

/**
 * REDUCED lets only exposure-reducing orders out; HALTED lets nothing out, and its cause names the origin of the stop.
 */
export type RiskState = "ACTIVE" | "REDUCED" | "HALTED";

export type Step = {
  readonly sequence: number;
  readonly at: Millis;
  readonly event: Event;
  readonly decisions: readonly Decision[];
  readonly commands: readonly Command[];
  /** Equity, if it opened a day or set a new peak. */
  readonly mark: Money | undefined;
  /**
   * Holdings less open trade positions, at par, recorded with the first mark that finds no base for FX revaluation: it
   * counts from here.
   */
  readonly ownAtPar?: Money | undefined;
  /** The venue's mids that fills waited for (RC36). */
  readonly mids?: readonly MidOfPair[] | undefined;
};

export type MidOfPair = { readonly symbol: PairSymbol; readonly mid: number };

/** Whether a step is journaled: it changed money, limits or books. Bare quotes, bars and timers do not. */
export function isRecorded(step: Step): boolean {
  const { decisions, commands, mark, mids } = step;
  if (decisions.length > 0 || commands.length > 0 || mark !== undefined || mids !== undefined) return true;
  const { kind } = step.event;
  return kind !== "quote" && kind !== "bar" && kind !== "timer";
}
