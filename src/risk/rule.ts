// The contract of the risk rules: what is reviewed (Candidate), what a rule may read (RiskContext) and what it may say
// (Ruling). A rule that cannot prove an order inside its limit refuses it: a missing or poisoned input is a refusal that
// names what is missing.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import type { Fair } from "../domain/fair.ts";
import type { Instrument } from "../domain/instrument.ts";
import type { Money, Price, Quantity } from "../domain/money/money.ts";
import type { Flight } from "../domain/movement.ts";
import type { Command, OrderIntent, Refusal } from "../domain/step.ts";
import type { StopCause } from "../domain/stop-cause.ts";
import type { Millis } from "../domain/time.ts";
import type { Counters } from "./counters.ts";

/** An order as it would be sent: through the door already, so exact and on the venue's grids. */
export type Candidate = Terms & { readonly instrument: Instrument };

/** What is said of an order before it has an id, and what stays said of it. */
export type Terms = Omit<OrderIntent, "clientOrderId">;

/** What the gate works out once per review for all rules. */
export type Assessment = Candidate & {
  /** The size that was proposed, or what the limits of one order leave of it. */
  readonly asked: Quantity;
  /** Limit times quantity in the quote asset, rounded up. */
  readonly notional: Money;
  /** Notional in the currency of the limits, rounded up; undefined when the quote asset has no rate. */
  readonly value: Money | undefined;
  /** What the order brings, at its limit, in the currency of the limits; undefined when that asset has no rate. */
  readonly incoming: Money | undefined;
  /** What it and all open orders may trade, in the currency of the limits. */
  readonly committed: Money | undefined;
  /** What the order brings and what it takes. */
  readonly bought: Asset;
  readonly sold: Asset;
  readonly fair: Fair;
};

export type Ruling =
  | { readonly kind: "pass" }
  /**
   * Inside the limit if made as small as this; the refusal says which limit that is. `ofOneOrder`: a limit of any one order, so that a part
   * of what was asked (RC29) is a part of this.
   */
  | { readonly kind: "cap"; readonly quantity: Quantity; readonly refusal: Refusal; readonly ofOneOrder?: boolean }
  | { readonly kind: "refuse"; readonly refusal: Refusal };

export const PASS: Ruling = Object.freeze({ kind: "pass" });

export interface Rule {
  /** RC01 and so on, each that it may refuse by: stable, in the documentation. */
  readonly code: string;
  /** Whether it is asked again when a slot opens: what may have changed while the order waited. */
  readonly atSend?: boolean;
  /** Called by itself, without its object; left out where a rule only looks back. */
  review?(this: void, order: Assessment, context: RiskContext): Ruling;
  /** Its monitor reads prices or time, and is asked at every look; any other once after each change of the counters. */
  readonly isLive?: boolean;
  /** Looks back: the breach that must stop the bot, if there is one. */
  monitor?(this: void, context: RiskContext): Breach | undefined;
}

export type Breach = {
  readonly state: "REDUCED" | "HALTED";
  readonly cause: StopCause;
  /** Of one cause and subject there is one stop, whatever its figures are. */
  readonly subject: string;
  readonly reason: string;
  /** The command that leads out. */
  readonly wayOut: string;
};

/** Live objects, read during the call only: nothing here is a copy. */
export interface RiskContext {
  readonly now: Millis;
  readonly accounts: AccountsView;
  readonly pricing: PricingView;
  readonly counters: Counters;
  /** Why nothing of such a pair can leave now, whatever the rules say: it would be approved, counted, and never sent. */
  frozenBy?: ((pair: Instrument) => string | undefined) | undefined;
}

/** What we own. Undefined is unknown, never zero: the venue has not told it yet, or the books have no opening entry. */
export interface AccountsView {
  /** Every asset that the books or the venue know. */
  readonly assets: readonly Asset[];
  /** The lower of what the venue says is available and what the books say we own, minus what open orders may still spend. */
  spendable(asset: Asset): Money | undefined;
  /** By the books: opening entry, adopted entries, applied trades, and what is in flight. */
  held(asset: Asset): Money | undefined;
  /** The part of it that is on account at the venue. */
  settled(asset: Asset): Money | undefined;
  /** The rest: gone from one asset, not arrived in the other, never spendable. Zero where there is none. */
  inFlight(asset: Asset): Money;
  flights(): Iterable<Flight>;
  /** What people put in, less what they took out: opening and adopted entries, no trade. Zero where there is none. */
  placed(asset: Asset): Money;
  /** Held, if every open order filled that spends the asset, and none that brings it. */
  heldAtLeast(asset: Asset): Money | undefined;
  /** Held, if every open order filled that brings the asset, and none that spends it. */
  heldAtMost(asset: Asset): Money | undefined;
}

export interface PricingView {
  /** The asset in which values, exposures and losses are counted. */
  readonly currency: Asset;
  fair(symbol: PairSymbol): Fair;
  /** The venue's last good bid. */
  bid(symbol: PairSymbol): number | undefined;
  /** Currency for one unit of the asset at fair value; undefined when some price on the way is missing. */
  rate(asset: Asset): Price | undefined;
  /**
   * What one unit counts for in equity, with the age of the oldest price behind it: never more than the last known prices, and of a coin
   * no more than par; undefined until a price was heard.
   */
  mark(asset: Asset): { readonly price: Price; readonly ageMs: number } | undefined;
  /** The same at the middle of the venue's price against the currency that a coin stands for; to show, no rule reads it. */
  mid(asset: Asset): Price | undefined;
  /** The same at par: what a coin stands for, at the rate of that currency. */
  par(asset: Asset): Price | undefined;
  /** What all holdings are worth in `currency` at their marks, every open order counted as the worse of filled and not filled. */
  equity(): Money | undefined;
  /** What an asset is worth in `currency` at the most, rounded up, as if every open order that brings it filled and none that takes it. */
  exposure(asset: Asset): Money | undefined;
  /** The sizes of all exposures outside `currency`; undefined when one of them is. */
  grossExposure(): Money | undefined;
}

/** What the engine asks of the gate. */
export interface Gate<Approved extends OrderIntent = OrderIntent> {
  /** From the next order on these rules count: rules keep nothing that is not in the counters. */
  replace(rules: readonly Rule[]): void;
  /** Kill switch and state first, then every rule; caps in order, and the smaller order reviewed again by all rules. */
  review(candidate: Candidate, context: RiskContext): GateVerdict<Approved>;
  /** What `review` would say, with the size that it would approve. Approves nothing, and uses up no id. */
  preview(candidate: Candidate, context: RiskContext): Preview;
  /**
   * The rules that look back: called after every fold that is not a bare quote, and before the proposals of an event. `isSame`: the
   * counters are those of a call that found nothing.
   */
  monitor(context: RiskContext, isSame?: boolean): readonly Extract<Command, { kind: "state" }>[];
  /** When its slot opens: state, age and price once more; undefined when the order may still go. */
  recheck(order: Terms, instrument: Instrument, context: RiskContext): Refusal | undefined;
}

export type Preview =
  | {
      readonly kind: "passes";
      readonly quantity: Quantity;
      readonly capped: readonly Refusal[];
      /** By the way out of a coin that is off its peg, without a fair value. */
      readonly isOffPeg: boolean;
    }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export type GateVerdict<Approved extends OrderIntent> =
  | { readonly kind: "approved"; readonly intent: Approved; readonly capped: readonly Refusal[] }
  | { readonly kind: "refused"; readonly refusal: Refusal };
