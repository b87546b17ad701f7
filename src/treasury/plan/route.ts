// A route of money from one holding to another, as the planner sees it: whole lots, from a minimum to a maximum, what each takes
// and brings, and how long it takes to arrive. What it is called at the venue is carried along for the step that uses it.

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
  /** Names it in a plan, once: `buy VCHF/CHF 2`. */
  readonly name: string;
  readonly via: Via;
  readonly from: HoldingName;
  readonly to: HoldingName;
  readonly lot: Quantity;
  /** The smallest and the largest step, in lots. */
  readonly min: number;
  readonly max: number;
  /** What one lot takes, fees included. */
  readonly takes: Money;
  readonly brings: Money;
  /** Off what is brought, once: a network fee. */
  readonly keeps: Money;
  /** So much less may arrive, and is then not taken either: a mint is made recognisable by a little less. */
  readonly short: Money;
  /** Until it can be spent. */
  readonly arrivesMs: number;
  /** Money in transit gains or loses against the currency of the limits. */
  readonly isExposed: boolean;
  readonly exclusive: Exclusive | undefined;
};

export type Via =
  | { readonly kind: "order"; readonly symbol: PairSymbol; readonly side: Side; readonly limit: Price }
  /** With the most that its fee may be, of the quantity: a configuration may be changed before it is sent. */
  | {
      readonly kind: "mint";
      readonly asset: Asset;
      readonly chain: string;
      readonly feeBpsMax: number;
      /** A wallet of ours that the coins go to; absent: the account. */
      readonly to?: string | undefined;
      /** Sent as it stands, and not made recognisable by a little less. */
      readonly isExact?: true | undefined;
    }
  /** By the name of its template in the configuration, with what decides where money ends up: a template may be changed. */
  | {
      readonly kind: "on-ramp" | "off-ramp";
      readonly template: string;
      readonly asset: Asset;
      readonly chain?: string | undefined;
      /** The wallet or bank account that it leads to. */
      readonly to?: string | undefined;
      readonly memo?: string | undefined;
      /** Of one that a person wants: just this is registered, and nothing is to be paid on it yet. */
      readonly registers?: Registration | undefined;
    };

export type Registration = {
  /** What is registered, to the letter. */
  readonly rail: RailRequest;
  /** What is paid on it comes onto the account. */
  readonly toAccount: boolean;
  /** A second one of the same content is meant. */
  readonly isAnother: boolean;
};

export type RouteKind = Via["kind"];

/** A route that exists and cannot be used now, and why. */
export type ClosedRoute = {
  readonly name: string;
  readonly kind: RouteKind;
  readonly reason: string;
};

export type MovingCosts = {
  /** Of the currency of the limits, whatever the step. */
  readonly stepCost: Money;
  /** The cost of capital in transit. */
  readonly capitalBpsPerYear: number;
  /** The price of exchange rate risk while money in another currency is in transit. */
  readonly riskBpsPerDay: number;
};

/** One unit of each asset in the currency of the limits. */
export type RatesOf = (asset: Asset) => Price | undefined;

/** Value is counted in 10^-36 of the currency: amounts and rates have 18 decimals each. */
export type Value = bigint;

const BPS = 10_000n;
const DAY_MS = 86_400_000n;
const YEAR_DAYS = 365n;
/** A tenth of a basis point: what moving money counts at least, so that nothing is moved without need. */
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
 * What a plan is charged for a lot. A price better than fair is no reason to move more than needed: it counts as almost
 * nothing, the nearer to nothing the better it is.
 */
export function countedCost({ lost, time, risk }: LotCost, taken: Value): Value {
  const cost = lost + time + risk;
  const effort = taken / EFFORT_PER;
  if (cost >= effort || effort === 0n) return cost > 0n ? cost : 1n;
  return roundedUp(effort * effort, 2n * effort - cost);
}

/** Undefined where the asset has no rate. */
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
