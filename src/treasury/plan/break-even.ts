// From which size on a slow door is cheaper than orders: fixed costs and time weigh on what is small, slippage on what is
// large. Both are straight lines from order to order, so the crossing is found exactly.

import { formatUnits, ONE } from "../../domain/money/grammar.ts";
import { Money } from "../../domain/money/money.ts";
import { assetOf, type PotName } from "./holding.ts";
import type { PlanInput } from "./plan.ts";
import { countedCost, type Door, lotCostOf, moneyOfValue, roundedUp, unitsOf, type Value, valueWith } from "./route.ts";

export type BreakEven = {
  readonly to: PotName;
  readonly door: Door;
  /** What arrives through it at its smallest. */
  readonly smallest: Money;
  readonly costOfSmallest: Money;
  /** The same through orders; undefined when they do not reach so far. */
  readonly ordersAtSmallest: Money | undefined;
  /** From here on it is cheaper than orders. Where they end, it is the only door. */
  readonly from: Money;
};

/** A part of the way: so much of the asset at most, at this cost for all of it. */
type Piece = { readonly amount: bigint; readonly cost: Value };

/** For every door beside orders into each of these pots. */
export function breakEvens(input: PlanInput, pots: ReadonlySet<PotName>): readonly BreakEven[] {
  const value = valueWith(input.rates);
  const worth = (money: Money): Value => value(money) ?? 0n;
  const perStep = unitsOf(input.costs.stepCost) * ONE;
  const costOfLot = (door: Door): Value => countedCost(lotCostOf(door, worth, input.costs), worth(door.takes));
  return input.doors.flatMap((door): readonly BreakEven[] => {
    if (door.way.kind === "order" || !pots.has(door.to)) return [];
    const ladder = ladderOf(input, door.to, (order) => ({
      amount: unitsOf(order.brings) * BigInt(order.max),
      cost: costOfLot(order) * BigInt(order.max) + perStep,
    }));
    const slow: Line = {
      lot: unitsOf(door.brings),
      cost: costOfLot(door),
      keeps: unitsOf(door.keeps) + unitsOf(door.short),
      once: worth(door.keeps) + perStep,
    };
    const money = (units: bigint): Money => Money.of(formatUnits(units), assetOf(door.to));
    const smallest = slow.lot * BigInt(door.min) - slow.keeps;
    const orders = costOn(ladder, smallest);
    return [
      {
        to: door.to,
        door,
        smallest: money(smallest),
        costOfSmallest: moneyOfValue(slow.cost * BigInt(door.min) + slow.once, input.currency),
        ordersAtSmallest: orders === undefined ? undefined : moneyOfValue(orders, input.currency),
        from: money(slow.lot * crossing(slow, ladder, door.min) - slow.keeps),
      },
    ];
  });
}

type Line = { readonly lot: bigint; readonly cost: Value; readonly keeps: bigint; readonly once: Value };

/** The orders into a pot, the cheapest first. */
function ladderOf({ doors }: PlanInput, to: PotName, piece: (door: Door) => Piece): readonly Piece[] {
  return doors
    .filter((door) => door.way.kind === "order" && door.to === to && door.max >= door.min)
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

/** The fewest lots that cost less than the same through orders. What orders cost grows faster and faster: one crossing. */
function crossing(slow: Line, ladder: readonly Piece[], min: number): bigint {
  const isCheaper = (lots: bigint): boolean => {
    const orders = costOn(ladder, slow.lot * lots - slow.keeps);
    return orders === undefined || slow.cost * lots + slow.once < orders;
  };
  const reach = ladder.reduce((sum, { amount }) => sum + amount, 0n);
  // One lot beyond the last order nothing but this door is left.
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
