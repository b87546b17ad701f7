// The inputs of a plan at one moment: holdings and bands, and the routes with their current prices. The plan, its
// alternatives and its break-even sizes are computed from the same inputs.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { Money } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Millis } from "../../domain/time.ts";
import { type BreakEven, breakEvens } from "./break-even.ts";
import {
  assetOf,
  type Band,
  expected,
  type HoldingName,
  type HoldingState,
  isAbove,
  isBelow,
  stateOf,
} from "./holding.ts";
import { type OrderMarket, type OrderTerms, orderRoutes, type Top } from "./order-routes.ts";
import { makePlan, type Plan, type PlanInput } from "./plan.ts";
import type { ClosedRoute, MovingCosts, RatesOf, Route, RouteKind } from "./route.ts";
import { type MintTerms, mintRoute, type RailTerms, railRoute } from "./transfer-routes.ts";

export type Situation = {
  readonly now: Millis;
  readonly currency: Asset;
  readonly rates: RatesOf;
  readonly holdings: readonly HoldingState[];
  readonly bands: readonly Band[];
  readonly instruments: readonly Instrument[];
  readonly topOf: (symbol: PairSymbol) => Top | undefined;
  readonly hasFair: OrderMarket["hasFair"];
  readonly isBack?: OrderMarket["isBack"];
  readonly orders: OrderTerms;
  readonly mints: readonly MintTerms[];
  readonly rails: readonly RailTerms[];
  readonly costs: MovingCosts;
};

export type Proposal = {
  readonly at: Millis;
  readonly currency: Asset;
  readonly plan: Plan;
  readonly alternatives: readonly Alternative[];
  readonly breakEvens: readonly BreakEven[];
  readonly closed: readonly ClosedRoute[];
  /** Holdings that are left out of the plan, with the reason. */
  readonly unvalued: readonly UnmetHolding[];
};

export type UnmetHolding = { readonly holding: HoldingName; readonly why: string };

/** In the currency: plans whose costs differ by less count as equal. */
const TOLERANCE = "0.05";
/**
 * About a millisecond per box if many pairs connect everything, and the search runs twice; the bot processes no event
 * meanwhile.
 */
const BOXES_QUICK = 100;

/** Only the plan, for the running bot, which must not block: a search that ends early has still found a good plan. */
export function planFor(
  situation: Situation,
  boxesMax: number = BOXES_QUICK,
): Result<Pick<Proposal, "plan" | "unvalued">> {
  const { input, unvalued } = survey(situation);
  const plan = makePlan({ ...input, boxesMax });
  return plan.ok ? ok({ plan: plan.value, unvalued }) : plan;
}

export function propose(situation: Situation): Result<Proposal> {
  const { now: at, currency } = situation;
  const { input, closed, unvalued } = survey(situation);
  const [nothing] = input.bands.length === 0 ? unvalued : [];
  if (nothing !== undefined) return err(nothing.why);
  const plan = makePlan(input);
  if (!plan.ok) return plan;
  const alternatives = alternativesTo(input);
  if (!alternatives.ok) return alternatives;
  const missing = plan.value.holdings.filter(({ missingBefore }) => !missingBefore.isZero());
  const sizes = breakEvens(input, new Set(missing.map(({ holding }) => holding)));
  return ok({
    ...{ at, currency, plan: plan.value, alternatives: alternatives.value, breakEvens: sizes, closed, unvalued },
  });
}

type Survey = {
  readonly input: PlanInput;
  readonly closed: readonly ClosedRoute[];
  readonly unvalued: readonly UnmetHolding[];
};

/** A holding that cannot be valued is left out and does not keep others from their bands. */
function survey(situation: Situation): Survey {
  const { now, currency, rates, holdings, costs } = situation;
  const isValued = ({ holding }: Band): boolean => rates(assetOf(holding)) !== undefined;
  const bands = situation.bands.filter(isValued);
  const available = (holding: HoldingName): Money => stateOf(holding, holdings).available;
  const around = { now, currency, rates, available };
  const orders = orderRoutes(situation, situation.orders);
  const slow = [
    ...situation.mints.map((terms) => mintRoute(terms, around)),
    ...situation.rails.map((terms) => railRoute(terms, around)),
  ];
  const wanted = new Map(bands.map((band) => [band.holding, band]));
  const held = (holding: HoldingName): Money => expected(stateOf(holding, holdings));
  // A holding below its band gives nothing and one above it receives nothing; otherwise money would go in and out to
  // hit an edge.
  const isUseful = ({ from, to, min, max }: Route): boolean =>
    max >= min &&
    (wanted.has(from) || wanted.has(to)) &&
    !isBelow(held(from), wanted.get(from)) &&
    !isAbove(held(to), wanted.get(to));
  const routes = [...orders.open, ...slow.filter(isRoute)].filter(isUseful).filter(canBeValued(rates));
  return {
    input: { currency, rates, holdings, bands, routes, costs, tolerance: Money.of(TOLERANCE, currency) },
    closed: [...orders.closed, ...slow.filter((one): one is ClosedRoute => !isRoute(one))],
    unvalued: situation.bands
      .filter((band) => !isValued(band))
      .map(({ holding }) => ({ holding, why: `there is no rate of ${assetOf(holding)} in ${currency}` })),
  };
}

function isRoute(one: Route | ClosedRoute): one is Route {
  return "via" in one;
}

function canBeValued(rates: RatesOf): (route: Route) => boolean {
  return ({ from, to }) => [from, to].every((holding) => rates(assetOf(holding)) !== undefined);
}

export type Alternative = { readonly name: string; readonly plan: Plan };

const CHOICES: readonly { readonly name: string; readonly kinds: readonly RouteKind[] }[] = [
  { name: "orders only", kinds: ["order"] },
  { name: "mints only", kinds: ["mint"] },
  { name: "rails only", kinds: ["on-ramp", "off-ramp"] },
  { name: "nothing", kinds: [] },
];

/** Only real alternatives: kinds without a route are left out. */
export function alternativesTo(input: PlanInput): Result<readonly Alternative[]> {
  const found: Alternative[] = [];
  for (const { name, kinds } of CHOICES) {
    const routes = input.routes.filter(({ via }) => kinds.includes(via.kind));
    if (kinds.length > 0 && routes.length === 0) continue;
    // The holdings are those of the full problem, so that misses are counted alike.
    const plan = makePlan({ ...input, routes });
    if (!plan.ok) return plan;
    found.push({ name, plan: plan.value });
  }
  return ok(found);
}
