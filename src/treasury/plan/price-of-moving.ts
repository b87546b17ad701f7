// What moving money costs, in the currency of the limits: what is lost on the way at fair value (spread and fees), the price
// of the time it takes, the risk of rates meanwhile, and what every step costs. All of it exact, rounded up.

import type { Asset } from "../../domain/asset.ts";
import { invariant } from "../../domain/invariant.ts";
import { formatUnits, ONE, parseUnits } from "../../domain/money/grammar.ts";
import { Money, type Price } from "../../domain/money/money.ts";
import { unwrap } from "../../domain/result.ts";
import type { Door } from "./door.ts";

export type MovingCosts = {
  /** Of the currency of the limits, whatever the step. */
  readonly stepCost: Money;
  /** What capital that is on its way costs. */
  readonly capitalBpsPerYear: number;
  /** What the risk of exchange rates is worth while money in another currency is on its way. */
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

export function lotCostOf(door: Door, worth: (money: Money) => Value, costs: MovingCosts): LotCost {
  const taken = worth(door.takes);
  const ms = BigInt(door.arrivesMs);
  const share = (bps: number, perMs: bigint): Value => roundedUp(taken * BigInt(bps) * ms, BPS * perMs);
  return {
    lost: taken - worth(door.brings),
    time: share(costs.capitalBpsPerYear, YEAR_DAYS * DAY_MS),
    risk: door.isExposed ? share(costs.riskBpsPerDay, DAY_MS) : 0n,
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
