// Everything a plan is made of at one moment, put together: what is held and wanted, and the routes with their prices of now.
// The plan, its alternatives and its break-even sizes come out together.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { Money } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { Millis } from "../../domain/time.ts";
import { type BreakEven, breakEvens } from "./break-even.ts";
import { assetOf, type Band, type HoldingName, type HoldingState } from "./holding.ts";
import { type OrderMarket, type OrderTerms, orderRoutes, type Top } from "./order-routes.ts";
import { isBelow, makePlan, type Plan, type PlanInput, withoutTuning } from "./plan.ts";
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
  /** HoldingsNow that are not planned for, and why. */
  readonly unvalued: readonly UnmetHolding[];
};

/** `isBlocked`: by a plan that waits for approval. */
export type UnmetHolding = { readonly holding: HoldingName; readonly why: string; readonly isBlocked?: true };

export type QuickPlan = {
  readonly plan: Plan;
  /** Not planned for: what cannot be valued. */
  readonly unvalued: readonly UnmetHolding[];
  /** Planned for, and left outside because what would help is closed for a while. */
  readonly waiting: readonly UnmetHolding[];
};

/** Of the currency: who saves less than this by moving money otherwise saves nothing. */
const TOLERANCE = "0.05";
/** About a millisecond each where many pairs lead everywhere, twice over: while it is looked for, a bot hears nothing. */
const BOXES_QUICK = 100;

/** The plan alone, for the running bot, which must not stand still: a search that is given up early has found something good all the same. */
export function planFor(situation: Situation, boxesMax: number = BOXES_QUICK): Result<QuickPlan> {
  const { input, closed, unvalued } = survey(situation);
  const made = makePlan({ ...input, boxesMax });
  if (!made.ok) return made;
  const plan = withoutTuning(made.value, input);
  return ok({ plan, unvalued, waiting: waitingHoldings(plan, closed) });
}

function waitingHoldings({ holdings }: Plan, closed: readonly ClosedRoute[]): readonly UnmetHolding[] {
  return holdings.flatMap(({ holding, after, band, missingAfter }) => {
    const lacks = isBelow(after, band);
    const helping = closed.filter(
      ({ leads }) => !missingAfter.isZero() && (lacks ? leads?.to : leads?.from) === assetOf(holding),
    );
    return helping.map(({ name, reason }) => ({ holding, why: `${name}: ${reason}` }));
  });
}

export function propose(situation: Situation): Result<Proposal> {
  const { input, closed, unvalued } = survey(situation);
  const [nothing] = input.bands.length === 0 ? unvalued : [];
  if (nothing !== undefined) return err(nothing.why);
  const made = makePlan(input);
  if (!made.ok) return made;
  const plan = withoutTuning(made.value, input);
  const alternatives = alternativesTo(input);
  if (!alternatives.ok) return alternatives;
  const missing = plan.holdings.filter(({ missingBefore }) => !missingBefore.isZero());
  const wanting = new Set(missing.map(({ holding }) => holding));
  const { now: at, currency } = situation;
  return ok({
    at,
    currency,
    plan,
    alternatives: alternatives.value,
    breakEvens: breakEvens(input, wanting),
    closed,
    unvalued,
  });
}

type Survey = {
  readonly input: PlanInput;
  readonly closed: readonly ClosedRoute[];
  readonly unvalued: readonly UnmetHolding[];
};

/** A holding that cannot be valued is left out, and keeps no other from its band. */
function survey(situation: Situation): Survey {
  const { now, currency, rates, holdings, costs } = situation;
  const isValued = ({ holding }: Band): boolean => rates(assetOf(holding)) !== undefined;
  const bands = situation.bands.filter(isValued);
  const available = (holding: HoldingName): Money =>
    holdings.find((state) => state.holding === holding)?.available ?? Money.zero(assetOf(holding));
  const around = { now, currency, rates, available };
  const orders = orderRoutes(situation, situation.orders);
  const slow = [
    ...situation.mints.map((terms) => mintRoute(terms, around)),
    ...situation.rails.map((terms) => railRoute(terms, around)),
  ];
  // What can only lead away from holdings without a band, or to them, helps no holding.
  const wanted = new Set(bands.map(({ holding }) => holding));
  const isUseful = ({ from, to, min, max }: Route): boolean => max >= min && (wanted.has(from) || wanted.has(to));
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

/** Only what is another choice: kinds of which no route is there are left out. */
export function alternativesTo(input: PlanInput): Result<readonly Alternative[]> {
  const found: Alternative[] = [];
  for (const { name, kinds } of CHOICES) {
    const routes = input.routes.filter(({ via }) => kinds.includes(via.kind));
    if (kinds.length > 0 && routes.length === 0) continue;
    // The holdings are those of the whole problem: what is missed is counted alike.
    const plan = makePlan({ ...input, routes });
    if (!plan.ok) return plan;
    found.push({ name, plan: plan.value });
  }
  return ok(found);
}
