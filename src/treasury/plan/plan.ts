// The cheapest way to bring every holding into its band from the money available now. No step spends the proceeds of
// another step of the same plan: money that has not arrived is never planned with, and nothing is stranded half-way.

import type { Asset } from "../../domain/asset.ts";
import { formatUnits, ONE } from "../../domain/money/grammar.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import {
  assetOf,
  type Band,
  expected,
  type HoldingChange,
  type HoldingName,
  type HoldingState,
  holdingsAfter,
  isBelow,
  stateOf,
} from "./holding.ts";
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
import { type Program, type ProgramHolding, type ProgramRoute, solve } from "./solve.ts";

export type PlanInput = {
  readonly currency: Asset;
  readonly rates: RatesOf;
  readonly holdings: readonly HoldingState[];
  readonly bands: readonly Band[];
  readonly routes: readonly Route[];
  readonly costs: MovingCosts;
  /** Plans whose costs differ by less count as equal; absent: the search continues to the exact optimum. */
  readonly tolerance?: Money;
  /** The search limit, in boxes; absent: about as long as a person would wait. */
  readonly boxesMax?: number;
};

export type Plan = {
  /** In execution order, quickest first. */
  readonly steps: readonly PlanStep[];
  readonly cost: Money;
  /** The time until the last step has arrived. */
  readonly arrivesMs: number;
  readonly holdings: readonly HoldingOutlook[];
  /**
   * True if no plan is cheaper by more than the tolerance. Otherwise the search ended early because there are too many
   * combinations.
   */
  readonly proven: boolean;
  /** The number of boxes searched. */
  readonly looked: number;
};

export type PlanStep = {
  readonly route: Route;
  readonly quantity: Quantity;
  readonly takes: Money;
  readonly brings: Money;
  /** Against fair value: spread and fees. Negative if the price is better than fair. */
  readonly lost: Money;
  readonly time: Money;
  readonly risk: Money;
  /** The cost counted by the plan: a gain counts as almost nothing, and every step costs something. */
  readonly cost: Money;
  /** The value moved. */
  readonly value: Money;
};

/** `reason`: why it is still outside its band. */
export type HoldingOutlook = HoldingChange & { readonly reason: string | undefined };

const BOXES_MAX = 5_000;

/** An error if an asset of a band or a route has no rate, because it cannot be valued. */
export function makePlan(input: PlanInput): Result<Plan> {
  const names = holdingNames(input);
  const value = valueWith(input.rates);
  const unvalued = names.find((holding) => value(Money.zero(assetOf(holding))) === undefined);
  if (unvalued !== undefined) return err(`there is no rate of ${assetOf(unvalued)} in ${input.currency}`);
  const worth = (money: Money): Value => value(money) as Value;
  const costs = input.routes.map((route) => lotCostOf(route, worth, input.costs));
  const program: Program = {
    holdings: names.map((holding) => programHolding(stateOf(holding, input.holdings), bandOf(input, holding), worth)),
    routes: input.routes.map((route, i) => programRoute(route, costs[i] as LotCost, names, worth, input.costs)),
  };
  const { tolerance } = input;
  const { lots, proven, looked } = solve(program, {
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
    holdings: outlooksOf(steps, input),
    proven,
    looked,
  });
}

function costOfSteps(steps: readonly PlanStep[], currency: Asset): Money {
  return Money.sum(
    steps.map(({ cost }) => cost),
    currency,
  );
}

/** The smallest difference that floats of the size of the largest amount can represent reliably. */
function finest({ holdings }: Program): Value {
  const sizes = holdings.map(({ have, available }) => (have > available ? have : available));
  return sizes.reduce((one, other) => (one > other ? one : other), 0n) >> 33n;
}

function holdingNames({ bands, routes }: PlanInput): readonly HoldingName[] {
  return [...new Set([...bands.map(({ holding }) => holding), ...routes.flatMap(({ from, to }) => [from, to])])];
}

function bandOf({ bands }: PlanInput, holding: HoldingName): Band | undefined {
  return bands.find((band) => band.holding === holding);
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

function outlooksOf(steps: readonly PlanStep[], input: PlanInput): readonly HoldingOutlook[] {
  const moves = steps.flatMap(({ route, takes, brings }) => [
    { holding: route.from, amount: takes.negated() },
    { holding: route.to, amount: brings },
  ]);
  return holdingsAfter(moves, input).map((change) => {
    const { holding, after, band, missingAfter } = change;
    const reason = missingAfter.isZero()
      ? undefined
      : whyMissing(holding, missingAfter, isBelow(after, band), input.routes);
    return { ...change, reason };
  });
}

/** An amount below the smallest step of every route is dust and can only stay. */
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
