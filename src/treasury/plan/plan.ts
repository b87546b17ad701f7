// The cheapest way to bring every pot within its band, from what is available now. What a step brings is not spent by
// another step of the same plan: money that is not there yet is never planned with, and nothing is stranded half-way.

import type { Asset } from "../../domain/asset.ts";
import { formatUnits, ONE } from "../../domain/money/grammar.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { assetOf, type Band, type Holding, type PotName } from "./holding.ts";
import type { Program, ProgramDoor, ProgramPot } from "./program.ts";
import {
  countedCost,
  type Door,
  type LotCost,
  lotCostOf,
  type MovingCosts,
  moneyOfValue,
  type RatesOf,
  unitsOf,
  type Value,
  valueWith,
} from "./route.ts";
import { isWorthIt, withoutShifts } from "./solve.ts";

export type PlanInput = {
  readonly currency: Asset;
  readonly rates: RatesOf;
  readonly holdings: readonly Holding[];
  readonly bands: readonly Band[];
  readonly doors: readonly Door[];
  readonly costs: MovingCosts;
  /** Plans whose cost is closer than this are as good as each other; absent: the very cheapest is looked for. */
  readonly tolerance?: Money;
  /** How long is looked for a better one, in parts of all plans; absent: as long as a person waits. */
  readonly boxesMax?: number;
};

export type Plan = {
  /** In the order in which they are taken: the quickest first. */
  readonly steps: readonly PlanStep[];
  readonly cost: Money;
  /** Until the last of it has arrived. */
  readonly arrivesMs: number;
  readonly pots: readonly PotOutlook[];
  /** Nothing cheaper exists, beyond the tolerance. Otherwise the search was given up: there are too many ways. */
  readonly proven: boolean;
  /** How much was looked into for it. */
  readonly looked: number;
};

export type PlanStep = {
  readonly door: Door;
  readonly quantity: Quantity;
  readonly takes: Money;
  readonly brings: Money;
  /** At fair value, spread and fees. Negative where the price is better than fair. */
  readonly lost: Money;
  readonly time: Money;
  readonly risk: Money;
  /** What the plan is charged: a gain counts as almost nothing, and every step costs something. */
  readonly cost: Money;
  /** What is at stake. */
  readonly value: Money;
};

export type PotOutlook = {
  readonly pot: PotName;
  readonly holding: Holding;
  readonly band: Band | undefined;
  /** With what is bound and on its way. */
  readonly before: Money;
  readonly after: Money;
  /** Beyond the band, before and after; nothing when it is inside. */
  readonly missingBefore: Money;
  readonly missingAfter: Money;
  /** Why it is still outside. */
  readonly reason: string | undefined;
};

const BOXES_MAX = 5_000;

/** An error where something that a band or a door is about has no rate: what cannot be valued cannot be planned. */
export function makePlan(input: PlanInput): Result<Plan> {
  const pots = potNames(input);
  const value = valueWith(input.rates);
  const unvalued = pots.find((pot) => value(Money.zero(assetOf(pot))) === undefined);
  if (unvalued !== undefined) return err(`there is no rate of ${assetOf(unvalued)} in ${input.currency}`);
  const worth = (money: Money): Value => value(money) as Value;
  const holdings = new Map(input.holdings.map((holding) => [holding.pot, holding]));
  const held = (pot: PotName): Holding => holdings.get(pot) ?? nothingAt(pot);
  const costs = input.doors.map((door) => lotCostOf(door, worth, input.costs));
  const program: Program = {
    pots: pots.map((pot) => programPot(held(pot), bandOf(input, pot), worth)),
    doors: input.doors.map((door, i) => programDoor(door, costs[i] as LotCost, pots, worth, input.costs)),
  };
  const { tolerance } = input;
  const { lots, proven, looked } = withoutShifts(program, {
    tolerance: tolerance === undefined ? finest(program) : unitsOf(tolerance) * ONE,
    boxesMax: input.boxesMax ?? BOXES_MAX,
  });
  const steps = input.doors
    .flatMap((door, i) => stepOf(door, lots[i] as number, costs[i] as LotCost, { input, worth }))
    .sort((one, other) => one.door.arrivesMs - other.door.arrivesMs);
  return ok({
    steps,
    cost: costOfSteps(steps, input.currency),
    arrivesMs: Math.max(0, ...steps.map(({ door }) => door.arrivesMs)),
    pots: pots.map((pot) => outlookOf(held(pot), bandOf(input, pot), steps, input.doors)),
    proven,
    looked,
  });
}

/** Only these steps of it: none of them spends what another brings. How the pots end, and when, is still said with all. */
export function withSteps(plan: Plan, isKept: (step: PlanStep) => boolean): Plan {
  const steps = plan.steps.filter(isKept);
  return steps.length === plan.steps.length ? plan : { ...plan, steps, cost: costOfSteps(steps, plan.cost.asset) };
}

/** Without what only made sense beside steps that are not taken now: each is there for a pot that it brings nearer to its band. */
export function withoutIdle(plan: Plan, rates: RatesOf): Plan {
  const value = valueWith(rates);
  const missedAt = (steps: readonly PlanStep[]): readonly Value[] =>
    plan.pots.map(({ pot, before, band }) => value(missing(afterSteps(pot, before, steps), band)) ?? 0n);
  let { steps } = plan;
  for (;;) {
    const [taken, all] = [steps, missedAt(steps)];
    const isIdle = (step: PlanStep): boolean => {
      const without = missedAt(taken.filter((other) => other !== step));
      const gains = without.map((missed, i) => missed - (all[i] as Value));
      return !isWorthIt(
        sumOf(gains, (gain) => gain > 0n),
        -sumOf(gains, (gain) => gain < 0n),
      );
    };
    const idle = steps.find(isIdle);
    if (idle === undefined) return withSteps(plan, (step) => taken.includes(step));
    steps = steps.filter((step) => step !== idle);
  }
}

/**
 * Without steps that go into a pot and out of it again, or out of one that others bring something to, only to hit its edge: what
 * that leaves missing is smaller than the smallest step of every door of the pot, and is dust.
 */
export function withoutTuning(plan: Plan, { rates, doors }: Pick<PlanInput, "rates" | "doors">): Plan {
  const worth = (money: Money): Value => valueWith(rates)(money) ?? 0n;
  const missedWith = (steps: readonly PlanStep[]): Value =>
    plan.pots.reduce((sum, { pot, before, band }) => sum + worth(missing(afterSteps(pot, before, steps), band)), 0n);
  let { steps } = plan;
  for (;;) {
    const taken = steps;
    const without = pairsThrough(taken)
      .map(({ pot, pair }) => ({ pot, rest: taken.filter((step) => !pair.includes(step)) }))
      .find(({ pot, rest }) => missedWith(rest) - missedWith(taken) < dustOf(pot, doors, worth));
    if (without === undefined) break;
    steps = without.rest;
  }
  if (steps === plan.steps) return plan;
  return {
    ...plan,
    steps,
    cost: costOfSteps(steps, plan.cost.asset),
    arrivesMs: Math.max(0, ...steps.map(({ door }) => door.arrivesMs)),
    pots: plan.pots.map(({ holding, band }) => outlookOf(holding, band, steps, doors)),
  };
}

type Through = { readonly pot: PotName; readonly pair: readonly PlanStep[] };

function pairsThrough(steps: readonly PlanStep[]): readonly Through[] {
  const both = steps.flatMap((into) =>
    steps.filter((out) => out.door.from === into.door.to).map((out) => ({ pot: into.door.to, pair: [into, out] })),
  );
  return [...both, ...both.map(({ pot, pair }) => ({ pot, pair: pair.slice(1) }))];
}

/** The smallest step of any door of the pot. */
function dustOf(pot: PotName, doors: readonly Door[], worth: (money: Money) => Value): Value {
  const least = doors
    .filter(({ from, to, min, max }) => max >= min && (from === pot || to === pot))
    .map(({ takes, min }) => worth(takes) * BigInt(min));
  return least.reduce((one, other) => (one < other ? one : other), least[0] ?? 0n);
}

function sumOf(values: readonly Value[], isCounted: (value: Value) => boolean): Value {
  return values.reduce((sum, value) => (isCounted(value) ? sum + value : sum), 0n);
}

function costOfSteps(steps: readonly PlanStep[], currency: Asset): Money {
  return Money.sum(
    steps.map(({ cost }) => cost),
    currency,
  );
}

/** What floats that are as large as the largest amount cannot tell apart. */
function finest({ pots }: Program): Value {
  const sizes = pots.map(({ have, available }) => (have > available ? have : available));
  return sizes.reduce((one, other) => (one > other ? one : other), 0n) >> 44n;
}

function potNames({ bands, doors }: PlanInput): readonly PotName[] {
  return [...new Set([...bands.map(({ pot }) => pot), ...doors.flatMap(({ from, to }) => [from, to])])];
}

function nothingAt(pot: PotName): Holding {
  const zero = Money.zero(assetOf(pot));
  return { pot, available: zero, bound: zero, inFlight: [] };
}

function bandOf({ bands }: PlanInput, pot: PotName): Band | undefined {
  return bands.find((band) => band.pot === pot);
}

export function expected({ pot, available, bound, inFlight }: Holding): Money {
  return Money.sum([available, bound, ...inFlight.map(({ amount }) => amount)], assetOf(pot));
}

function programPot(holding: Holding, band: Band | undefined, worth: (money: Money) => Value): ProgramPot {
  const { available } = holding;
  return {
    available: available.isNegative() ? 0n : worth(available),
    have: worth(expected(holding)),
    low: band?.low && worth(band.low),
    high: band?.high && worth(band.high),
  };
}

function programDoor(
  door: Door,
  cost: LotCost,
  pots: readonly PotName[],
  worth: (money: Money) => Value,
  { stepCost }: MovingCosts,
): ProgramDoor {
  const taken = worth(door.takes);
  return {
    from: pots.indexOf(door.from),
    to: pots.indexOf(door.to),
    min: door.min,
    max: door.max,
    takes: taken,
    brings: worth(door.brings),
    cost: countedCost(cost, taken),
    keeps: worth(door.keeps) + worth(door.short),
    costOnce: worth(door.keeps) + unitsOf(stepCost) * ONE,
    exclusive: door.exclusive,
  };
}

type Pricing = { readonly input: PlanInput; readonly worth: (money: Money) => Value };

function stepOf(door: Door, lots: number, lot: LotCost, { input, worth }: Pricing): readonly PlanStep[] {
  if (lots === 0) return [];
  const { currency, costs } = input;
  const count = BigInt(lots);
  const once = worth(door.keeps);
  const counted = countedCost(lot, worth(door.takes)) * count + once + unitsOf(costs.stepCost) * ONE;
  const brings = times(door.brings, lots).minus(door.keeps).minus(door.short);
  const step: PlanStep = {
    door,
    quantity: Quantity.of(formatUnits(unitsOf(door.lot) * count)),
    takes: times(door.takes, lots),
    brings,
    lost: moneyOfValue(lot.lost * count + once, currency),
    time: moneyOfValue(lot.time * count, currency),
    risk: moneyOfValue(lot.risk * count, currency),
    cost: moneyOfValue(counted, currency),
    value: moneyOfValue(worth(door.takes) * count, currency),
  };
  return [step];
}

function times(money: Money, count: number): Money {
  return Money.of(formatUnits(unitsOf(money) * BigInt(count)), money.asset);
}

function outlookOf(
  holding: Holding,
  band: Band | undefined,
  steps: readonly PlanStep[],
  doors: readonly Door[],
): PotOutlook {
  const { pot } = holding;
  const before = expected(holding);
  const after = afterSteps(pot, before, steps);
  const missingAfter = missing(after, band);
  const reason = missingAfter.isZero() ? undefined : whyMissing(pot, missingAfter, isBelow(after, band), doors);
  return { pot, holding, band, before, after, missingBefore: missing(before, band), missingAfter, reason };
}

function afterSteps(pot: PotName, before: Money, steps: readonly PlanStep[]): Money {
  let after = before;
  for (const { door, takes, brings } of steps) {
    if (door.from === pot) after = after.minus(takes);
    if (door.to === pot) after = after.plus(brings);
  }
  return after;
}

export function missing(amount: Money, band: Band | undefined): Money {
  if (band?.low !== undefined && amount.lessThan(band.low)) return band.low.minus(amount);
  if (band?.high !== undefined && amount.moreThan(band.high)) return amount.minus(band.high);
  return Money.zero(amount.asset);
}

export function isBelow(amount: Money, band: Band | undefined): boolean {
  return band?.low !== undefined && amount.lessThan(band.low);
}

/** What is smaller than the smallest step of every door is dust: it can only stay. */
function whyMissing(pot: PotName, amount: Money, below: boolean, doors: readonly Door[]): string {
  const fitting = doors.filter((door) => door.max >= door.min && (below ? door.to : door.from) === pot);
  if (fitting.length === 0) return below ? "no door leads here" : "no door leads away";
  const steps = fitting.map((door) =>
    below ? times(door.brings, door.min).minus(door.keeps).minus(door.short) : times(door.takes, door.min),
  );
  const least = steps.reduce((one, other) => one.min(other));
  if (amount.lessThan(least)) return `dust: the smallest step of any door is ${least} ${least.asset}`;
  return below ? "not enough is available elsewhere, or the doors are too narrow" : "the doors are too narrow";
}
