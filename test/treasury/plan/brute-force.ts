// Every plan there is, tried one by one, in arithmetic of its own: whole numbers made from the text of amounts, and the
// definition of a plan's cost written down a second time. It knows the planner's data and none of its code.

import type { PlanInput } from "../../../src/treasury/plan/plan.ts";
import type { Door } from "../../../src/treasury/plan/route.ts";

export type Tried = { readonly missed: bigint; readonly cost: bigint };

/** Pots that nothing may be taken from, or brought to, beyond their bands. */
type Kept = ReadonlyMap<string, "low" | "high">;

/** The best score of all combinations of whole lots; pots are taken out of their bands only where that brings others twice as near. */
export function bestOf(input: PlanInput): Tried {
  let kept: Kept = new Map();
  let best = bestWith(input, kept);
  for (;;) {
    const worse = worseBy(input, best.lots);
    const lost = worse.reduce((sum, { by }) => sum + by, 0n);
    if (lost === 0n) return best.tried;
    kept = new Map([...kept, ...worse.map(({ pot, edge }) => [pot, edge] as const)]);
    const other = bestWith(input, kept);
    if (other.tried.missed - best.tried.missed >= lost) return best.tried;
    best = other;
  }
}

function worseBy(input: PlanInput, lots: readonly number[]) {
  return input.bands.flatMap(({ pot, low, high }) => {
    const before = totalOf(input, pot);
    let after = before;
    input.doors.forEach(({ from, to, takes, brings, keeps, short }, i) => {
      const count = BigInt(lots[i] ?? 0);
      if (from === pot) after -= units(takes) * count;
      if (to === pot && count > 0n) after += units(brings) * count - units(keeps) - units(short);
    });
    const below = (total: bigint): bigint => (low !== undefined && total < units(low) ? units(low) - total : 0n);
    const above = (total: bigint): bigint => (high !== undefined && total > units(high) ? total - units(high) : 0n);
    const by = (below(after) + above(after) - below(before) - above(before)) * rate(input, pot);
    return by > 0n ? [{ pot, by, edge: below(after) > 0n ? ("low" as const) : ("high" as const) }] : [];
  });
}

function totalOf({ holdings }: PlanInput, pot: string): bigint {
  const holding = holdings.find((one) => one.pot === pot);
  if (holding === undefined) return 0n;
  const { available, bound, inFlight } = holding;
  return [available, bound, ...inFlight.map(({ amount }) => amount)].reduce((sum, one) => sum + units(one), 0n);
}

/** Whether so many lots leave these pots what their bands need, and bring nothing to those that are full. */
function keeps(input: PlanInput, lots: readonly number[], kept: Kept): boolean {
  return [...kept].every(([pot, edge]) => {
    if (edge === "high") return input.doors.every(({ to }, i) => to !== pot || lots[i] === 0);
    const low = input.bands.find((band) => band.pot === pot)?.low;
    const spare = low === undefined ? totalOf(input, pot) : totalOf(input, pot) - units(low);
    const taken = input.doors.reduce(
      (sum, { from, takes }, i) => (from === pot ? sum + units(takes) * BigInt(lots[i] ?? 0) : sum),
      0n,
    );
    return taken === 0n || taken <= spare;
  });
}

function bestWith(input: PlanInput, kept: Kept): { readonly tried: Tried; readonly lots: readonly number[] } {
  const lots = input.doors.map(() => 0);
  let best: { readonly tried: Tried; readonly lots: readonly number[] } | undefined;
  const tryFrom = (index: number): void => {
    const door = input.doors[index];
    if (door === undefined) {
      const tried = keeps(input, lots, kept) ? tryPlan(input, lots) : undefined;
      if (tried !== undefined && (best === undefined || isBetter(tried, best.tried))) best = { tried, lots: [...lots] };
      return;
    }
    lots[index] = 0;
    tryFrom(index + 1);
    for (let count = door.min; count <= door.max; count++) {
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

/** Undefined when it takes more than there is, or uses doors of two sides of which only one may be. */
export function tryPlan(input: PlanInput, lots: readonly number[]): Tried | undefined {
  const used = input.doors.flatMap((door, i) => ((lots[i] ?? 0) > 0 ? [{ door, count: BigInt(lots[i] ?? 0) }] : []));
  const sides = new Map<string, string>();
  for (const { door } of used) {
    if (door.exclusive === undefined) continue;
    const { group, side } = door.exclusive;
    if ((sides.get(group) ?? side) !== side) return undefined;
    sides.set(group, side);
  }
  const amounts = new Map<string, { available: bigint; total: bigint }>();
  for (const { pot, available, bound, inFlight } of input.holdings) {
    const total = [available, bound, ...inFlight.map(({ amount }) => amount)].reduce(
      (sum, one) => sum + units(one),
      0n,
    );
    amounts.set(pot, { available: units(available), total });
  }
  const at = (pot: string): { available: bigint; total: bigint } => {
    const held = amounts.get(pot) ?? { available: 0n, total: 0n };
    amounts.set(pot, held);
    return held;
  };
  let cost = 0n;
  for (const { door, count } of used) {
    at(door.from).available -= units(door.takes) * count;
    at(door.from).total -= units(door.takes) * count;
    at(door.to).total += units(door.brings) * count - units(door.keeps) - units(door.short);
    cost += lotCost(input, door) * count + units(door.keeps) * rate(input, door.to) + units(input.costs.stepCost) * E18;
  }
  if ([...amounts.values()].some(({ available }) => available < 0n)) return undefined;
  let missed = 0n;
  for (const { pot, low, high } of input.bands) {
    const { total } = at(pot);
    if (low !== undefined && total < units(low)) missed += (units(low) - total) * rate(input, pot);
    if (high !== undefined && total > units(high)) missed += (total - units(high)) * rate(input, pot);
  }
  return { missed, cost };
}

const E18 = 10n ** 18n;
const DAY = 24n * 3_600_000n;

/** Lost at fair value, time and risk; below a tenth of a basis point of what is moved it falls towards nothing. */
function lotCost(input: PlanInput, { takes, brings, from, to, arrivesMs, isExposed }: Door): bigint {
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

function rate({ rates }: PlanInput, pot: string): bigint {
  const price = rates(pot.split("@")[0] as Parameters<PlanInput["rates"]>[0]);
  if (price === undefined) throw new Error(`no rate of ${pot}`);
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
