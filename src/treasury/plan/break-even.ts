// Finds the size from which a slow route is cheaper than orders: fixed costs and time weigh on small sizes, slippage on
// large ones. Both costs are piecewise linear between orders, so the crossing is exact.

import { formatUnits, ONE } from "../../domain/money/grammar.ts";
import { Money } from "../../domain/money/money.ts";
import { assetOf, type HoldingName } from "./holding.ts";
import type { PlanInput } from "./plan.ts";
import { countedCost, lotCostOf, type Route, roundedUp, unitsOf, type Value, valueWith } from "./route.ts";

export type BreakEven = {
  readonly to: HoldingName;
  readonly route: Route;
  /** The amount that arrives at the route's minimum size. */
  readonly smallest: Money;
  /** From this amount on it is cheaper than orders; beyond the last order it is the only route. */
  readonly from: Money;
};

/** One order of the ladder: its maximum amount of the asset, and the cost of all of it. */
type Piece = { readonly amount: bigint; readonly cost: Value };

/** For every route other than orders into each of these holdings. */
export function breakEvens(input: PlanInput, holdings: ReadonlySet<HoldingName>): readonly BreakEven[] {
  const value = valueWith(input.rates);
  const worth = (money: Money): Value => value(money) ?? 0n;
  const perStep = unitsOf(input.costs.stepCost) * ONE;
  const costOfLot = (route: Route): Value => countedCost(lotCostOf(route, worth, input.costs), worth(route.takes));
  const slow = input.routes.filter(({ via, to }) => via.kind !== "order" && holdings.has(to));
  return slow.map((route) => {
    const ladder = ladderOf(input, route.to, (order) => ({
      amount: unitsOf(order.brings) * BigInt(order.max),
      cost: costOfLot(order) * BigInt(order.max) + perStep,
    }));
    const line: Line = {
      lot: unitsOf(route.brings),
      cost: costOfLot(route),
      keeps: unitsOf(route.keeps) + unitsOf(route.short),
      once: worth(route.keeps) + perStep,
    };
    const arriving = (lots: bigint): Money => Money.of(formatUnits(line.lot * lots - line.keeps), assetOf(route.to));
    const from = arriving(crossing(line, ladder, route.min));
    return { to: route.to, route, smallest: arriving(BigInt(route.min)), from };
  });
}

type Line = { readonly lot: bigint; readonly cost: Value; readonly keeps: bigint; readonly once: Value };

/** The orders into a holding, cheapest first. */
function ladderOf({ routes }: PlanInput, to: HoldingName, piece: (route: Route) => Piece): readonly Piece[] {
  return routes
    .filter((route) => route.via.kind === "order" && route.to === to && route.max >= route.min)
    .map(piece)
    .sort((one, other) => {
      const difference = one.cost * other.amount - other.cost * one.amount;
      return difference < 0n ? -1 : difference > 0n ? 1 : 0;
    });
}

/** Undefined beyond the last order. */
function costOn(ladder: readonly Piece[], amount: bigint): Value | undefined {
  let left = amount;
  let cost = 0n;
  for (const piece of ladder) {
    if (left <= piece.amount) return cost + roundedUp(piece.cost * left, piece.amount);
    left -= piece.amount;
    cost += piece.cost;
  }
  return undefined;
}

/**
 * The fewest lots that cost less than the same amount through orders. The cost of orders is convex, so there is one
 * crossing.
 */
function crossing(slow: Line, ladder: readonly Piece[], min: number): bigint {
  const isCheaper = (lots: bigint): boolean => {
    const orders = costOn(ladder, slow.lot * lots - slow.keeps);
    return orders === undefined || slow.cost * lots + slow.once < orders;
  };
  const reach = ladder.reduce((sum, { amount }) => sum + amount, 0n);
  // One lot beyond the last order only this route is left.
  let high = roundedUp(reach + slow.keeps, slow.lot) + 1n;
  let low = BigInt(min);
  if (isCheaper(low)) return low;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (isCheaper(middle)) high = middle;
    else low = middle;
  }
  return high;
}
