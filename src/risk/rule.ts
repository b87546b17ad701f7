// The contract of the risk rules: the reviewed order (Candidate), the readable inputs (RiskContext) and the result
// (Ruling). A rule that cannot prove an order inside its limit refuses it: a missing or invalid input is a refusal that
// names it.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { Fair } from "../domain/fair.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { Money, Price, Quantity } from "../domain/money/money.ts";
import type { Flight } from "../domain/movement.ts";
import type { Command, OrderIntent, Refusal } from "../domain/step.ts";
import type { StopCause } from "../domain/stop-cause.ts";
import type { Millis } from "../domain/time.ts";
import type { Volumes } from "../domain/volumes.ts";
import type { Counters } from "./counters.ts";

/** An order as it would be sent: exact and on the venue's grids. */
export type Candidate = Terms & {
  readonly instrument: Instrument;
  /** Below it the order is not worth a slot to the strategy. */
  readonly least?: Quantity | undefined;
};

/** The terms of an order, before it has an id. */
export type Terms = Omit<OrderIntent, "clientOrderId">;

/** Amounts that the gate derives once per review for all rules. */
export type Assessment = Candidate & {
  /** The proposed size, or what the per-order limits leave of it. */
  readonly asked: Quantity;
  /** Limit times quantity in the quote asset, rounded up. */
  readonly notional: Money;
  /** Notional in the currency of the limits, rounded up; undefined when the quote asset has no rate. */
  readonly value: Money | undefined;
  /** The value of the bought asset at the limit, in the currency of the limits; undefined if that asset has no rate. */
  readonly incoming: Money | undefined;
  /** The value that this and all open orders may trade, in the currency of the limits. */
  readonly committed: Money | undefined;
  /** The bought and the sold asset. */
  readonly bought: Asset;
  readonly sold: Asset;
  readonly fair: Fair;
};

export type Ruling =
  | { readonly kind: "pass" }
  /**
   * Inside the limit at this smaller size; the refusal names the limit. `ofOneOrder`: a per-order limit, so the ramp
   * (RC29) takes its part of it.
   */
  | { readonly kind: "cap"; readonly quantity: Quantity; readonly refusal: Refusal; readonly ofOneOrder?: boolean }
  | { readonly kind: "refuse"; readonly refusal: Refusal };

export const PASS: Ruling = Object.freeze({ kind: "pass" });

export interface Rule {
  /** The codes that it may refuse with, such as RC01: stable and documented. */
  readonly code: string;
  /** Whether it is checked again when a slot opens, because its inputs may have changed while the order waited. */
  readonly atSend?: boolean;
  /** Called without its object; absent for a rule that only monitors. */
  review?(this: void, order: Assessment, context: RiskContext): Ruling;
  /** Returns the breach that must stop the bot, if any. */
  monitor?(this: void, context: RiskContext): Breach | undefined;
}

export type Breach = {
  readonly state: "REDUCED" | "HALTED";
  readonly cause: StopCause;
  /** One stop for each cause and subject, whatever its figures. */
  readonly subject: string;
  readonly reason: string;
  /** The command that leads out. */
  readonly wayOut: string;
};

/** Live objects, valid during the call only. */
export interface RiskContext {
  readonly now: Millis;
  readonly accounts: AccountsView;
  readonly pricing: PricingView;
  readonly counters: Counters;
  /**
   * Why no order of this pair can be sent now, whatever the rules say: it would be approved, counted and never sent.
   */
  frozenBy?: ((pair: Instrument) => string | undefined) | undefined;
}

/**
 * Holdings. Undefined means unknown, never zero: the venue has not stated it yet, or the books have no opening entry.
 */
export interface AccountsView {
  /** Every asset known to the books or the venue. */
  readonly assets: readonly Asset[];
  /** The lower of the venue's available amount and the booked holding, less what open orders may still spend. */
  spendable(asset: Asset): Money | undefined;
  /** By the books: opening, adoptions, trades, and amounts in transit. */
  held(asset: Asset): Money | undefined;
  /** The part of it on account at the venue. */
  settled(asset: Asset): Money | undefined;
  /** The amount in transit: gone from one asset, not arrived in the other, never spendable. Zero if there is none. */
  inFlight(asset: Asset): Money;
  flights(): Iterable<Flight>;
  /** Since the opening. */
  readonly volumes: Pick<Volumes, "of">;
  /** Deposits less withdrawals: opening and adoptions, without trades. Zero if there is none. */
  placed(asset: Asset): Money;
  /** The holding if every open order that spends the asset filled, and none that brings it. */
  heldAtLeast(asset: Asset): Money | undefined;
  /** The holding if every open order that brings the asset filled, and none that spends it. */
  heldAtMost(asset: Asset): Money | undefined;
}

export interface PricingView {
  /** The currency of values, exposures and losses. */
  readonly currency: Asset;
  fair(symbol: PairSymbol): Fair;
  /** The venue's last good bid; where it shows no quotes, the price of our last fill. */
  bid(symbol: PairSymbol): number | undefined;
  /** Currency per unit of the asset at fair value; undefined if a price is missing. */
  rate(asset: Asset): Price | undefined;
  /**
   * The value of one unit in equity, with the age of its oldest price: never above the last known prices, and for a
   * coin never above par; undefined before the first price.
   */
  mark(asset: Asset): { readonly price: Price; readonly ageMs: number } | undefined;
  /** The same at the venue's mid against the coin's own currency. For display; no rule reads it. */
  mid(asset: Asset): Price | undefined;
  /** The same at par: the rate of the coin's own currency. */
  par(asset: Asset): Price | undefined;
  /**
   * The value of all holdings in `currency` at their marks, with every open order counted as the worse of filled and
   * unfilled.
   */
  equity(): Money | undefined;
  /** Whether equity is certainly more or less than this amount; false where only `equity` can tell, which is slow. */
  isSurely(side: "above" | "below", amount: Money): boolean;
  /**
   * The largest value of an asset in `currency`, rounded up, as if every open order that brings it filled and none that
   * spends it.
   */
  exposure(asset: Asset): Money | undefined;
  /** The sum of all exposures outside `currency`; undefined if one is undefined. */
  grossExposure(): Money | undefined;
}

/** The gate as the engine sees it. */
export interface Gate<Approved extends OrderIntent = OrderIntent> {
  /** Replaces the rules from the next order on; rules have no state outside the counters. */
  replace(rules: readonly Rule[]): void;
  /** Kill switch and state first, then every rule; caps in order, and all rules review the smaller order again. */
  review(candidate: Candidate, context: RiskContext): GateVerdict<Approved>;
  /** The result of `review` with the size it would approve, without approving or using an id. */
  preview(candidate: Candidate, context: RiskContext): Preview;
  /**
   * Runs the monitors: after every fold except a bare quote, and before the proposals of an event.
   */
  monitor(context: RiskContext): readonly Extract<Command, { kind: "state" }>[];
  /** When its slot opens: checks state, age and price again; undefined if the order may leave. */
  recheck(order: Terms, instrument: Instrument, context: RiskContext): Refusal | undefined;
}

export type Preview =
  | {
      readonly kind: "passes";
      readonly quantity: Quantity;
      readonly capped: readonly Refusal[];
      /** Approved by the exit rule for a coin off its peg, without a fair value. */
      readonly isOffPeg: boolean;
    }
  | {
      readonly kind: "refused";
      readonly refusal: Refusal;
      /** What a limit leaves of its size, where that is too little. */
      readonly left?: Quantity | undefined;
      /** What the other rules have against it, too. */
      readonly others: readonly Refusal[];
    };

export type GateVerdict<Approved extends OrderIntent> =
  | { readonly kind: "approved"; readonly intent: Approved; readonly capped: readonly Refusal[] }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly left?: Quantity };
