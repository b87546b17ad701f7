// The cheapest way to bring every holding within its band, from what is available now. What a step brings is not spent by
// another step of the same plan: money that is not there yet is never planned with, and nothing is stranded half-way.

import type { Asset } from "../../domain/asset.ts";
import { formatUnits, ONE } from "../../domain/money/grammar.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { assetOf, type Band, type HoldingName, type HoldingState } from "./holding.ts";
import type { Program, ProgramHolding, ProgramRoute } from "./program.ts";
import {
  countedCost,
  type LotCost,
  lotCostOf,
  type MovingCosts,
  moneyOfValue,
  type RatesOf,
  type Route,
  unitsOf,
  type Value,
  valueWith,
} from "./route.ts";
import { isWorthIt, withoutShifts } from "./solve.ts";

export type PlanInput = {
  readonly currency: Asset;
  readonly rates: RatesOf;
  readonly holdings: readonly HoldingState[];
  readonly bands: readonly Band[];
  readonly routes: readonly Route[];
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
  readonly holdings: readonly HoldingOutlook[];
  /** Nothing cheaper exists, beyond the tolerance. Otherwise the search was given up: there are too many ways. */
  readonly proven: boolean;
  /** How much was looked into for it. */
  readonly looked: number;
};

export type PlanStep = {
  readonly route: Route;
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

export type HoldingOutlook = {
  readonly holding: HoldingName;
  readonly state: HoldingState;
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

/** An error where something that a band or a route is about has no rate: what cannot be valued cannot be planned. */
export function makePlan(input: PlanInput): Result<Plan> {
  const names = holdingNames(input);
  const value = valueWith(input.rates);
  const unvalued = names.find((holding) => value(Money.zero(assetOf(holding))) === undefined);
  if (unvalued !== undefined) return err(`there is no rate of ${assetOf(unvalued)} in ${input.currency}`);
  const worth = (money: Money): Value => value(money) as Value;
  const states = new Map(input.holdings.map((state) => [state.holding, state]));
  const held = (holding: HoldingName): HoldingState => states.get(holding) ?? nothingAt(holding);
  const costs = input.routes.map((route) => lotCostOf(route, worth, input.costs));
  const program: Program = {
    holdings: names.map((holding) => programHolding(held(holding), bandOf(input, holding), worth)),
    routes: input.routes.map((route, i) => programRoute(route, costs[i] as LotCost, names, worth, input.costs)),
  };
  const { tolerance } = input;
  const { lots, proven, looked } = withoutShifts(program, {
    tolerance: tolerance === undefined ? finest(program) : unitsOf(tolerance) * ONE,
    boxesMax: input.boxesMax ?? BOXES_MAX,
  });
  const steps = input.routes
    .flatMap((route, i) => stepOf(route, lots[i] as number, costs[i] as LotCost, { input, worth }))
    .sort((one, other) => one.route.arrivesMs - other.route.arrivesMs);
  return ok({
    steps,
    cost: costOfSteps(steps, input.currency),
    arrivesMs: Math.max(0, ...steps.map(({ route }) => route.arrivesMs)),
    holdings: names.map((holding) => outlookOf(held(holding), bandOf(input, holding), steps, input.routes)),
    proven,
    looked,
  });
}

/** Only these steps of it: none of them spends what another brings. How the holdings end, and when, is still said with all. */
export function withSteps(plan: Plan, isKept: (step: PlanStep) => boolean): Plan {
  const steps = plan.steps.filter(isKept);
  return steps.length === plan.steps.length ? plan : { ...plan, steps, cost: costOfSteps(steps, plan.cost.asset) };
}

/** Without what only made sense beside steps that are not taken now: each is there for a holding that it brings nearer to its band. */
export function withoutIdle(plan: Plan, rates: RatesOf): Plan {
  const value = valueWith(rates);
  const missedAt = (steps: readonly PlanStep[]): readonly Value[] =>
    plan.holdings.map(({ holding, before, band }) => value(missing(afterSteps(holding, before, steps), band)) ?? 0n);
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
 * Without steps that go into a holding and out of it again, or out of one that others bring something to, only to hit its edge: what
 * that leaves missing is smaller than the smallest step of every route of the holding, and is dust.
 */
export function withoutTuning(plan: Plan, { rates, routes }: Pick<PlanInput, "rates" | "routes">): Plan {
  const worth = (money: Money): Value => valueWith(rates)(money) ?? 0n;
  const missedWith = (steps: readonly PlanStep[]): Value =>
    plan.holdings.reduce(
      (sum, { holding, before, band }) => sum + worth(missing(afterSteps(holding, before, steps), band)),
      0n,
    );
  let { steps } = plan;
  for (;;) {
    const taken = steps;
    const without = pairsThrough(taken)
      .map(({ holding, pair }) => ({ holding, rest: taken.filter((step) => !pair.includes(step)) }))
      .find(({ holding, rest }) => missedWith(rest) - missedWith(taken) < dustOf(holding, routes, worth));
    if (without === undefined) break;
    steps = without.rest;
  }
  if (steps === plan.steps) return plan;
  return {
    ...plan,
    steps,
    cost: costOfSteps(steps, plan.cost.asset),
    arrivesMs: Math.max(0, ...steps.map(({ route }) => route.arrivesMs)),
    holdings: plan.holdings.map(({ state, band }) => outlookOf(state, band, steps, routes)),
  };
}

type Through = { readonly holding: HoldingName; readonly pair: readonly PlanStep[] };

function pairsThrough(steps: readonly PlanStep[]): readonly Through[] {
  const both = steps.flatMap((into) =>
    steps
      .filter((out) => out.route.from === into.route.to)
      .map((out) => ({ holding: into.route.to, pair: [into, out] })),
  );
  return [...both, ...both.map(({ holding, pair }) => ({ holding, pair: pair.slice(1) }))];
}

/** The smallest step of any route of the holding. */
function dustOf(holding: HoldingName, routes: readonly Route[], worth: (money: Money) => Value): Value {
  const least = routes
    .filter(({ from, to, min, max }) => max >= min && (from === holding || to === holding))
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
function finest({ holdings }: Program): Value {
  const sizes = holdings.map(({ have, available }) => (have > available ? have : available));
  return sizes.reduce((one, other) => (one > other ? one : other), 0n) >> 44n;
}

function holdingNames({ bands, routes }: PlanInput): readonly HoldingName[] {
  return [...new Set([...bands.map(({ holding }) => holding), ...routes.flatMap(({ from, to }) => [from, to])])];
}

function nothingAt(holding: HoldingName): HoldingState {
  const zero = Money.zero(assetOf(holding));
  return { holding, available: zero, bound: zero, inFlight: [] };
}

function bandOf({ bands }: PlanInput, holding: HoldingName): Band | undefined {
  return bands.find((band) => band.holding === holding);
}

export function expected({ holding, available, bound, inFlight }: HoldingState): Money {
  return Money.sum([available, bound, ...inFlight.map(({ amount }) => amount)], assetOf(holding));
}

function programHolding(state: HoldingState, band: Band | undefined, worth: (money: Money) => Value): ProgramHolding {
  const { available } = state;
  return {
    available: available.isNegative() ? 0n : worth(available),
    have: worth(expected(state)),
    low: band?.low && worth(band.low),
    high: band?.high && worth(band.high),
  };
}

function programRoute(
  route: Route,
  cost: LotCost,
  holdings: readonly HoldingName[],
  worth: (money: Money) => Value,
  { stepCost }: MovingCosts,
): ProgramRoute {
  const taken = worth(route.takes);
  return {
    from: holdings.indexOf(route.from),
    to: holdings.indexOf(route.to),
    min: route.min,
    max: route.max,
    takes: taken,
    brings: worth(route.brings),
    cost: countedCost(cost, taken),
    keeps: worth(route.keeps) + worth(route.short),
    costOnce: worth(route.keeps) + unitsOf(stepCost) * ONE,
    exclusive: route.exclusive,
  };
}

type Pricing = { readonly input: PlanInput; readonly worth: (money: Money) => Value };

function stepOf(route: Route, lots: number, lot: LotCost, { input, worth }: Pricing): readonly PlanStep[] {
  if (lots === 0) return [];
  const { currency, costs } = input;
  const count = BigInt(lots);
  const once = worth(route.keeps);
  const counted = countedCost(lot, worth(route.takes)) * count + once + unitsOf(costs.stepCost) * ONE;
  const brings = times(route.brings, lots).minus(route.keeps).minus(route.short);
  const step: PlanStep = {
    route,
    quantity: Quantity.of(formatUnits(unitsOf(route.lot) * count)),
    takes: times(route.takes, lots),
    brings,
    lost: moneyOfValue(lot.lost * count + once, currency),
    time: moneyOfValue(lot.time * count, currency),
    risk: moneyOfValue(lot.risk * count, currency),
    cost: moneyOfValue(counted, currency),
    value: moneyOfValue(worth(route.takes) * count, currency),
  };
  return [step];
}

function times(money: Money, count: number): Money {
  return Money.of(formatUnits(unitsOf(money) * BigInt(count)), money.asset);
}

function outlookOf(
  state: HoldingState,
  band: Band | undefined,
  steps: readonly PlanStep[],
  routes: readonly Route[],
): HoldingOutlook {
  const { holding } = state;
  const before = expected(state);
  const after = afterSteps(holding, before, steps);
  const missingAfter = missing(after, band);
  const reason = missingAfter.isZero() ? undefined : whyMissing(holding, missingAfter, isBelow(after, band), routes);
  return { holding, state, band, before, after, missingBefore: missing(before, band), missingAfter, reason };
}

function afterSteps(holding: HoldingName, before: Money, steps: readonly PlanStep[]): Money {
  let after = before;
  for (const { route, takes, brings } of steps) {
    if (route.from === holding) after = after.minus(takes);
    if (route.to === holding) after = after.plus(brings);
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

/** What is smaller than the smallest step of every route is dust: it can only stay. */
function whyMissing(holding: HoldingName, amount: Money, below: boolean, routes: readonly Route[]): string {
  const fitting = routes.filter((route) => route.max >= route.min && (below ? route.to : route.from) === holding);
  if (fitting.length === 0) return below ? "no route leads here" : "no route leads away";
  const steps = fitting.map((route) =>
    below ? times(route.brings, route.min).minus(route.keeps).minus(route.short) : times(route.takes, route.min),
  );
  const least = steps.reduce((one, other) => one.min(other));
  if (amount.lessThan(least)) return `dust: the smallest step of any route is ${least} ${least.asset}`;
  return below ? "not enough is available elsewhere, or the routes are too narrow" : "the routes are too narrow";
}
