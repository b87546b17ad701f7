// The record of one event: what was proposed, what the gate said of each proposal and why, and what is to be done.
// Journal, metrics, log lines and the page are functions of steps and of nothing else.

import type { PairSymbol } from "./asset.ts";
import type { Event, Halt } from "./event.ts";
import type { Money, Price, Quantity } from "./money/money.ts";
import type { ClientOrderId, Side } from "./order.ts";
import type { Millis } from "./time.ts";

/** What a strategy asks for: still signals, floats as they came. */
export type Proposal = {
  readonly symbol: PairSymbol;
  readonly side: Side;
  readonly limit: number;
  /** Base units; a decimal text is taken as it stands. */
  readonly size: number | string;
  readonly reason: string;
  /** How long the decision is good for; the configuration's bound applies where it is shorter. */
  readonly lifetimeMs: number | undefined;
};

export type Refusal = {
  /** RC07 and the like: stable, in the documentation. */
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
  /** `capped` names the rules that made it smaller. */
  | { readonly kind: "approved"; readonly intent: OrderIntent; readonly capped: readonly Refusal[] }
  | { readonly kind: "refused"; readonly refusal: Refusal };

/** What was known of the pair at the decision. */
export type Basis = {
  readonly bid: number | undefined;
  readonly ask: number | undefined;
  readonly fair: number | undefined;
  readonly ageMs: number | undefined;
  /** One unit of the quote asset in the currency of the limits. */
  readonly rate: Price | undefined;
};

export type Decision = {
  /** Undefined when what the strategy returned was none. */
  readonly proposal: Proposal | undefined;
  readonly basis: Basis;
  readonly verdict: Verdict;
};

export type Command =
  | { readonly kind: "submit"; readonly intent: OrderIntent }
  | ({ readonly kind: "state"; readonly state: RiskState } & Halt);

/** REDUCED lets only orders out that reduce exposure; HALTED lets nothing out, and its cause says who or what stopped it. */
export type RiskState = "ACTIVE" | "REDUCED" | "HALTED";

export type Step = {
  readonly sequence: number;
  readonly at: Millis;
  readonly event: Event;
  readonly decisions: readonly Decision[];
  readonly commands: readonly Command[];
  /** Equity, where it opened a day or set a new peak. */
  readonly mark: Money | undefined;
  /** Holdings less open positions of trades, at par, with the first mark that finds no base for FX revaluation: it counts from here. */
  readonly ownAtPar?: Money | undefined;
};

/** What goes into the journal: all that moved money, limits or books. Bare quotes, bars and timers do not. */
export function isRecorded(step: Step): boolean {
  if (step.decisions.length > 0 || step.commands.length > 0 || step.mark !== undefined) return true;
  const { kind } = step.event;
  return kind !== "quote" && kind !== "bar" && kind !== "timer";
}
