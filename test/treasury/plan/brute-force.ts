// Every plan there is, tried one by one, in arithmetic of its own: whole numbers made from the text of amounts, and the
// definition of a plan's cost written down a second time. It knows the planner's data and none of its code.

import type { PlanInput } from "../../../src/treasury/plan/plan.ts";
import type { Route } from "../../../src/treasury/plan/route.ts";

/** What a plan adds to a miss counts twice. */
export type Tried = { readonly missed: bigint; readonly cost: bigint };

/** The best score of all combinations of whole lots. */
export function bestOf(input: PlanInput): Tried {
  const lots = input.routes.map(() => 0);
  let best: Tried | undefined;
  const tryFrom = (index: number): void => {
    const route = input.routes[index];
    if (route === undefined) {
      const tried = tryPlan(input, lots);
      if (tried !== undefined && (best === undefined || isBetter(tried, best))) best = tried;
      return;
    }
    lots[index] = 0;
    tryFrom(index + 1);
    for (let count = route.min; count <= route.max; count++) {
      lots[index] = count;
      tryFrom(index + 1);
    }
    lots[index] = 0;
  };
  tryFrom(0);
  if (best === undefined) throw new Error("to do nothing is always a plan");
  return best;
}

function isBetter(one: Tried, other: Tried): boolean {
  return one.missed < other.missed || (one.missed === other.missed && one.cost < other.cost);
}

type Amounts = { available: bigint; total: bigint; readonly before: bigint };

/** Undefined when it takes more than there is, or uses routes of two sides of which only one may be. */
export function tryPlan(input: PlanInput, lots: readonly number[]): Tried | undefined {
  const used = input.routes.flatMap((route, i) => ((lots[i] ?? 0) > 0 ? [{ route, count: BigInt(lots[i] ?? 0) }] : []));
  const sides = new Map<string, string>();
  for (const { route } of used) {
    if (route.exclusive === undefined) continue;
    const { group, side } = route.exclusive;
    if ((sides.get(group) ?? side) !== side) return undefined;
    sides.set(group, side);
  }
  const amounts = new Map<string, Amounts>();
  for (const { holding, available, bound, inFlight } of input.holdings) {
    const total = [available, bound, ...inFlight.map(({ amount }) => amount)].reduce(
      (sum, one) => sum + units(one),
      0n,
    );
    amounts.set(holding, { available: units(available), total, before: total });
  }
  const at = (holding: string): Amounts => {
    const held = amounts.get(holding) ?? { available: 0n, total: 0n, before: 0n };
    amounts.set(holding, held);
    return held;
  };
  let cost = 0n;
  for (const { route, count } of used) {
    at(route.from).available -= units(route.takes) * count;
    at(route.from).total -= units(route.takes) * count;
    at(route.to).total += units(route.brings) * count - units(route.keeps) - units(route.short);
    cost +=
      lotCost(input, route) * count + units(route.keeps) * rate(input, route.to) + units(input.costs.stepCost) * E18;
  }
  if ([...amounts.values()].some(({ available }) => available < 0n)) return undefined;
  let missed = 0n;
  for (const { holding, low, high } of input.bands) {
    const { total, before } = at(holding);
    const below = (amount: bigint): bigint => (low !== undefined && amount < units(low) ? units(low) - amount : 0n);
    const above = (amount: bigint): bigint => (high !== undefined && amount > units(high) ? amount - units(high) : 0n);
    for (const miss of [below, above]) {
      const added = miss(total) - miss(before);
      missed += (miss(total) + (added > 0n ? added : 0n)) * rate(input, holding);
    }
  }
  return { missed, cost };
}

const E18 = 10n ** 18n;
const DAY = 24n * 3_600_000n;

/** Lost at fair value, time and risk; below a tenth of a basis point of what is moved it falls towards nothing. */
function lotCost(input: PlanInput, { takes, brings, from, to, arrivesMs, isExposed }: Route): bigint {
  const moved = units(takes) * rate(input, from);
  const ms = BigInt(arrivesMs);
  const { capitalBpsPerYear, riskBpsPerDay } = input.costs;
  const time = up(moved * BigInt(capitalBpsPerYear) * ms, 10_000n * 365n * DAY);
  const risk = isExposed ? up(moved * BigInt(riskBpsPerDay) * ms, 10_000n * DAY) : 0n;
  const cost = moved - units(brings) * rate(input, to) + time + risk;
  const effort = moved / 100_000n;
  return cost >= effort ? cost : up(effort * effort, effort + (effort - cost));
}

function up(numerator: bigint, denominator: bigint): bigint {
  return numerator % denominator === 0n ? numerator / denominator : numerator / denominator + 1n;
}

function rate({ rates }: PlanInput, holding: string): bigint {
  const price = rates(holding.split("@")[0] as Parameters<PlanInput["rates"]>[0]);
  if (price === undefined) throw new Error(`no rate of ${holding}`);
  return units(price);
}

/** Amounts never change, and each is read for every plan that is tried. */
const known = new WeakMap<object, bigint>();

/** Of 10^-18. */
function units(amount: { toString(): string }): bigint {
  const value = known.get(amount) ?? read(amount);
  known.set(amount, value);
  return value;
}

function read(amount: { toString(): string }): bigint {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount.toString()) as RegExpExecArray;
  const size = BigInt(`${whole}${fraction.padEnd(18, "0")}`);
  return sign === "-" ? -size : size;
}
