// What no plan within a box can beat, exactly. Prices of scarcity are proposed in floats; whatever they are, the
// Lagrangian bound made of them in whole numbers is true, so that a bad guess costs time and never the best plan.

import { type Box, fewest, type Goal, missPriceOf, type Range } from "./box.ts";
import type { PotPrices } from "./guess.ts";
import { broughtBy, costOf, missedBy, type Program, takenBy } from "./program.ts";

/** Prices are whole numbers of 2^-48. */
const SCALE = 2 ** 48;
const UNIT = BigInt(SCALE);

type ExactPrices = { readonly take: bigint; readonly low: bigint; readonly high: bigint };

/** The least that the goal can come to in this box. */
export function leastIn({ pots, doors }: Program, box: Box, goal: Goal, guessed: readonly PotPrices[]): bigint {
  const most = missPriceOf(goal);
  const prices = guessed.map(
    ({ take, low, high }): ExactPrices => ({
      take: exact(take),
      // Beyond the price of a miss the bound would not be one.
      low: exact(Math.min(low, most)),
      high: exact(Math.min(high, most)),
    }),
  );
  let sum = goal.kind === "cost" ? -exact(most) * goal.missedMax : 0n;
  pots.forEach(({ available, have, low, high }, index) => {
    const price = prices[index] as ExactPrices;
    sum -= price.take * available;
    if (low !== undefined) sum += price.low * (low - have);
    if (high !== undefined) sum += price.high * (have - high);
  });
  doors.forEach((door, index) => {
    const from = prices[door.from] as ExactPrices;
    const to = prices[door.to] as ExactPrices;
    const leaving = from.take + from.low - from.high;
    const arriving = to.low - to.high;
    const at = (lots: number): bigint =>
      (goal.kind === "cost" ? UNIT * costOf(door, lots) : 0n) +
      leaving * takenBy(door, lots) -
      arriving * broughtBy(door, lots);
    sum += choices(box[index] as Range)
      .map(at)
      .reduce(smaller);
  });
  // Up to the next whole number: no plan lies between.
  return sum > 0n ? (sum + UNIT - 1n) / UNIT : sum / UNIT;
}

/** Whatever is done in the box, more is taken than there is, or more is missed than may be. */
export function isOutOfReach({ pots, doors }: Program, box: Box, goal: Goal): boolean {
  const most = pots.map(({ have }) => have);
  const least = pots.map(({ have }) => have);
  const taken = pots.map(() => 0n);
  const add = (sums: bigint[], index: number, amount: bigint): void => {
    sums[index] = (sums[index] as bigint) + amount;
  };
  doors.forEach((door, index) => {
    const range = box[index] as Range;
    add(taken, door.from, takenBy(door, fewest(range)));
    add(most, door.from, -takenBy(door, fewest(range)));
    add(least, door.from, -takenBy(door, range.high));
    // What is kept once may be more than a lot brings: then little is less than nothing.
    const brought = choices(range).map((lots) => broughtBy(door, lots));
    add(least, door.to, brought.reduce(smaller));
    add(most, door.to, brought.reduce(larger));
  });
  if (pots.some(({ available }, index) => (taken[index] as bigint) > available)) return true;
  if (goal.kind === "missed") return false;
  let missed = 0n;
  pots.forEach(({ low, high }, index) => {
    missed += missedBy({ low, high: undefined }, most[index] as bigint);
    missed += missedBy({ low: undefined, high }, least[index] as bigint);
  });
  return missed > goal.missedMax;
}

/** Everything is a straight line between these. */
function choices({ mayRest, low, high }: Range): readonly number[] {
  if (!mayRest) return [low, high];
  return high === 0 ? [0] : [0, low, high];
}

function exact(price: number): bigint {
  return BigInt(Math.round(price * SCALE));
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function larger(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
