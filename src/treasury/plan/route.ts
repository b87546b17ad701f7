// A route for money from one holding to another, as the planner sees it: whole lots from a minimum to a maximum, the
// amounts that each takes and brings, and the time until arrival. The venue's identifiers are carried along for the
// step that uses it.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import { formatUnits, ONE, parseUnits } from "../../domain/money/grammar.ts";
import { Money, type Price, type Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import type { RailRequest } from "../../domain/rail.ts";
import { unwrap } from "../../domain/result.ts";
import type { HoldingName } from "./holding.ts";
import type { Exclusive } from "./solve.ts";

export type Route = {
  /** Unique in a plan: `buy VCHF/CHF 2`. */
  readonly name: string;
  readonly via: Via;
  readonly from: HoldingName;
  readonly to: HoldingName;
  readonly lot: Quantity;
  /** The minimum and maximum step, in lots. */
  readonly min: number;
  readonly max: number;
  /** The amount that one lot takes, fees included. */
  readonly takes: Money;
  readonly brings: Money;
  /** Deducted once from the proceeds: a network fee. */
  readonly keeps: Money;
  /**
   * The amount by which less may arrive, and less is then taken too: a mint's quantity is salted by a small reduction.
   */
  readonly short: Money;
  /** The time until the money can be spent. */
  readonly arrivesMs: number;
  /** Money in transit has exchange-rate risk against the currency of the limits. */
  readonly isExposed: boolean;
  readonly exclusive: Exclusive | undefined;
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
  /**
   * The name of the template in the configuration, plus everything that determines where money ends up, because a
   * template may change.
   */
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

export type RouteKind = Via["kind"];

/** An existing route that cannot be used now, with the reason. */
export type ClosedRoute = {
  readonly name: string;
  readonly kind: RouteKind;
  readonly reason: string;
};

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

const BPS = 10_000n;
const DAY_MS = 86_400_000n;
const YEAR_DAYS = 365n;
/** A tenth of a basis point: the minimum cost of moving money, so that nothing is moved without need. */
const EFFORT_PER = 100_000n;

export type LotCost = { readonly lost: Value; readonly time: Value; readonly risk: Value };

export function lotCostOf(route: Route, worth: (money: Money) => Value, costs: MovingCosts): LotCost {
  const taken = worth(route.takes);
  const ms = BigInt(route.arrivesMs);
  const share = (bps: number, perMs: bigint): Value => roundedUp(taken * BigInt(bps) * ms, BPS * perMs);
  return {
    lost: taken - worth(route.brings),
    time: share(costs.capitalBpsPerYear, YEAR_DAYS * DAY_MS),
    risk: route.isExposed ? share(costs.riskBpsPerDay, DAY_MS) : 0n,
  };
}

/**
 * The cost of a lot as counted by a plan. A price better than fair is no reason to move more than needed: its cost
 * approaches zero as the price improves, but stays positive.
 */
export function countedCost({ lost, time, risk }: LotCost, taken: Value): Value {
  const cost = lost + time + risk;
  const effort = taken / EFFORT_PER;
  if (cost >= effort || effort === 0n) return cost > 0n ? cost : 1n;
  return roundedUp(effort * effort, 2n * effort - cost);
}

/** Undefined if the asset has no rate. */
export function valueWith(rates: RatesOf): (money: Money) => Value | undefined {
  const known = new Map<Asset, bigint | undefined>();
  return (money) => {
    if (!known.has(money.asset)) {
      const rate = rates(money.asset);
      known.set(money.asset, rate && unitsOf(rate));
    }
    const rate = known.get(money.asset);
    return rate === undefined ? undefined : unitsOf(money) * rate;
  };
}

export function moneyOfValue(value: Value, currency: Asset): Money {
  return Money.of(formatUnits(value >= 0n ? roundedUp(value, ONE) : value / ONE), currency);
}

export function unitsOf(amount: { toString(): string }): bigint {
  return unwrap(parseUnits(amount.toString(), "any"));
}

export function roundedUp(numerator: bigint, denominator: bigint): bigint {
  invariant(denominator > 0n && numerator >= 0n, "only what is not negative is rounded up here");
  return (numerator + denominator - 1n) / denominator;
}
