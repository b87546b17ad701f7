// A route for money from one holding to another: steps of whole lots from a minimum to a maximum, one for a mint or a
// rail, one for each order. A step says what each lot takes and brings, and when it arrives; its `via` is what is sent.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { formatUnits, ONE, parseUnits } from "../../domain/money/grammar.ts";
import { Money, type Price, type Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import type { RailRequest } from "../../domain/rail.ts";
import { unwrap } from "../../domain/result.ts";
import type { HoldingName } from "./holding.ts";

export type Route = {
  /** `buy VCHF/CHF` */
  readonly name: string;
  readonly from: HoldingName;
  readonly to: HoldingName;
  /** In the order of use. */
  readonly slices: readonly Slice[];
  /** Money in transit has exchange-rate risk against the currency of the limits. */
  readonly isExposed: boolean;
  /** A plan uses one route of a group: the two sides of a pair, the chains of a coin. */
  readonly group: string;
};

export type Slice = {
  readonly via: Via;
  readonly lot: Quantity;
  /** The minimum and maximum step, in lots. */
  readonly min: number;
  readonly max: number;
  /** The amount that one lot takes, fees included. */
  readonly takes: Money;
  readonly brings: Money;
  /** By how much the highest fee of a lot is above the expected one, which is in the amounts above. */
  readonly feeMore?: Money | undefined;
  /** Deducted once from the proceeds: a network fee. */
  readonly keeps: Money;
  /** The least fee, of which each lot's share is in the amounts above. */
  readonly least?: { readonly amount: Money; readonly ofLot: Money } | undefined;
  /** Charged apart, and not taken from what moves. */
  readonly apart?: Money | undefined;
  /** The amount by which less may arrive, and less is then taken too: a mint's salt. */
  readonly short: Money;
  /** The time until the money can be spent. */
  readonly arrivesMs: number;
};

export type Via =
  | { readonly kind: "order"; readonly symbol: PairSymbol; readonly side: Side; readonly limit: Price }
  /** Includes the maximum fee on the quantity, because the configuration may change before the step is sent. */
  | {
      readonly kind: "mint";
      readonly asset: Asset;
      readonly chain: string;
      readonly feeBpsMax: number;
      /** The destination wallet, one of ours; absent: the account. */
      readonly to?: string | undefined;
      /** Sent unchanged, without salting the quantity. */
      readonly isExact?: true | undefined;
      /** The most to spend of another asset than the coin's fiat, fee included. */
      readonly spend?: { readonly amount: string; readonly asset: Asset } | undefined;
    }
  /** The name of the template, plus everything that determines where money ends up, because a template may change. */
  | {
      readonly kind: "on-ramp" | "off-ramp";
      readonly template: string;
      readonly asset: Asset;
      readonly chain?: string | undefined;
      /** The destination wallet or bank account. */
      readonly to?: string | undefined;
      readonly memo?: string | undefined;
      /** For a rail that a person wants: only this is registered, and no payment on it is due yet. */
      readonly registers?: Registration | undefined;
    };

export type Registration = {
  /** The exact registration request. */
  readonly rail: RailRequest;
  /** Payments on it arrive on the account. */
  readonly toAccount: boolean;
  /** A second rail of the same content is intended. */
  readonly isAnother: boolean;
};

/** An existing route that cannot be used now, with the reason. */
export type ClosedRoute = { readonly name: string; readonly reason: string };

export type MovingCosts = {
  /** In the currency of the limits, per step. */
  readonly stepCost: Money;
  /** The cost of capital in transit. */
  readonly capitalBpsPerYear: number;
  /** The price of exchange-rate risk while money in another currency is in transit. */
  readonly riskBpsPerDay: number;
};

/** The value of one unit of each asset in the currency of the limits. */
export type RatesOf = (asset: Asset) => Price | undefined;

/** Value in units of 10^-36 of the currency, because amounts and rates have 18 decimals each. */
export type Value = bigint;

/** Undefined if the asset has no rate. */
export function valueIn(money: Money, rates: RatesOf): Value | undefined {
  const rate = rates(money.asset);
  return rate && unitsOf(money) * unitsOf(rate);
}

export function moneyOfValue(value: Value, currency: Asset): Money {
  return Money.of(formatUnits(value >= 0n ? roundedUp(value, ONE) : value / ONE), currency);
}

export function unitsOf(amount: { toString(): string }): bigint {
  return unwrap(parseUnits(amount.toString(), "any"));
}

export function times(money: Money, count: number): Money {
  return Money.of(formatUnits(unitsOf(money) * BigInt(count)), money.asset);
}

/** The lots of this size in an amount, and the lots that cover it. */
export function lotsIn(quantity: Quantity, lot: Quantity): number {
  return Number(unitsOf(quantity) / unitsOf(lot));
}

export function lotsOver(quantity: Quantity, lot: Quantity): number {
  return Number(roundedUp(unitsOf(quantity), unitsOf(lot)));
}

/** Of a numerator that is not negative. */
export function roundedUp(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}
