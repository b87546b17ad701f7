// The routes of one moment with their prices, and the plan by them: from the holdings and bands, the venue's quotes and
// the terms of mints and rails.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import { type Conversion, cheapest, type Plan, type Way, waysBetween } from "./cheapest.ts";
import { assetOf, type Band, type HoldingName, type HoldingState, isAtVenue, stateOf } from "./holding.ts";
import { type OrderMarket, type OrderTerms, orderRoutes } from "./order-routes.ts";
import type { ClosedRoute, MovingCosts, Route } from "./route.ts";
import { type MintTerms, mintRoute, type RailTerms, railRoute } from "./transfer-routes.ts";
import { rampsOf, type UnusedFunds, unusedCharge, unusedWarnings } from "./unused-funds.ts";

export type Situation = OrderMarket & {
  readonly holdings: readonly HoldingState[];
  readonly bands: readonly Band[];
  readonly orders: OrderTerms;
  readonly mints: readonly MintTerms[];
  readonly rails: readonly RailTerms[];
  readonly unused: readonly UnusedFunds[];
  /** Rails that cannot be used now. */
  readonly closed?: readonly ClosedRoute[] | undefined;
  readonly costs: MovingCosts;
};

export type Proposal = {
  readonly at: Millis;
  readonly currency: Asset;
  readonly plan: Plan;
  readonly closed: readonly ClosedRoute[];
  /** Holdings that are left out of the plan, with the reason. */
  readonly unvalued: readonly UnmetHolding[];
  /** Charges that its steps bring about. */
  readonly warnings: readonly string[];
};

export type UnmetHolding = { readonly holding: HoldingName; readonly why: string };

export function propose(situation: Situation): Proposal {
  const { now: at, currency, rates, holdings, costs } = situation;
  // A holding that cannot be valued keeps no other from its band.
  const isValued = (holding: HoldingName): boolean => rates(assetOf(holding)) !== undefined;
  const bands = situation.bands.filter(({ holding }) => isValued(holding));
  const unvalued = situation.bands.flatMap(({ holding }) =>
    isValued(holding) ? [] : [{ holding, why: `there is no rate of ${assetOf(holding)} in ${currency}` }],
  );
  const { open, closed } = routes(situation);
  const usable = open.filter(({ from, to }) => isValued(from) && isValued(to));
  const plan = cheapest({ currency, rates, holdings, bands, routes: usable, costs });
  return {
    at,
    currency,
    plan,
    closed,
    unvalued,
    warnings: unusedWarnings(rampsOf(plan.steps), situation.unused, situation),
  };
}

/** `dear`: where none is within its cost, those that are not. */
export type WaysNow = {
  readonly ways: readonly Way[];
  readonly dear: readonly Way[];
  readonly closed: readonly ClosedRoute[];
};

/** Every way of a conversion at this moment, best first. */
export function waysOfNow(wish: Conversion, asked: Situation): WaysNow {
  const situation = isAtVenue(wish.from) ? asked : withPaid(asked, wish);
  const { currency, rates, holdings, costs } = situation;
  const { open, closed } = routes(situation);
  const usable = open.filter(({ from, to }) => [from, to].every((one) => rates(assetOf(one)) !== undefined));
  const isValued = [wish.from, wish.to].every((one) => rates(assetOf(one)) !== undefined);
  const input = { currency, rates, holdings, routes: usable, costs };
  const within = isValued ? waysBetween(wish, input) : [];
  const free = { ...wish, costBpsMax: Number.POSITIVE_INFINITY };
  return { ways: within, dear: isValued && within.length === 0 ? waysBetween(free, input) : [], closed };
}

/** A person pays it from the bank, which is in no books: the whole amount counts as available. */
function withPaid(situation: Situation, { from, amount, isBuy, costBpsMax }: Conversion): Situation {
  const most = isBuy ? amount.plus(amount.share(Math.ceil(Math.min(costBpsMax, 1e4)), "up")) : amount;
  const available = Money.of(String(most), assetOf(from));
  const paid = { holding: from, available, bound: Money.zero(available.asset), inFlight: [] };
  return { ...situation, holdings: [...situation.holdings.filter(({ holding }) => holding !== from), paid] };
}

function routes(situation: Situation): {
  readonly open: readonly Route[];
  readonly closed: readonly ClosedRoute[];
} {
  const { holdings } = situation;
  const around = { ...situation, available: (holding: HoldingName) => stateOf(holding, holdings).available };
  const orders = orderRoutes(situation, situation.orders);
  const mints = situation.mints.map((terms) => mintRoute(terms, around));
  const charge = unusedCharge(situation.unused, situation);
  const rails = situation.rails.map((terms) => withCharge(railRoute(terms, around), charge));
  return {
    open: [...orders.open, ...mints.filter(isRoute), ...rails],
    closed: [
      ...orders.closed,
      ...mints.filter((one): one is ClosedRoute => !isRoute(one)),
      ...(situation.closed ?? []),
    ],
  };
}

/** Money that leaves by an off-ramp brings the charge about. */
function withCharge(route: Route, charge: ReturnType<typeof unusedCharge>): Route {
  const [first, ...rest] = route.slices;
  if (typeof charge !== "object" || first?.via.kind !== "off-ramp") return route;
  return { ...route, slices: [{ ...first, apart: charge.charge }, ...rest] };
}

function isRoute(one: Route | ClosedRoute): one is Route {
  return "slices" in one;
}
