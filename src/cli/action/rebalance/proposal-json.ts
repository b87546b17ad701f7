// A plan as data, for `--json`: amounts are decimal texts, times milliseconds.

import { edgesOf } from "../../../treasury/plan/holding.ts";
import type { HoldingOutlook, Plan, PlanStep } from "../../../treasury/plan/plan.ts";
import type { Proposal } from "../../../treasury/plan/situation.ts";

export function proposalJson({ at, currency, plan, alternatives, breakEvens, closed, unvalued }: Proposal): unknown {
  return {
    at,
    currency,
    ...planJson(plan),
    holdings: plan.holdings.map(holdingJson),
    alternatives: alternatives.map(({ name, plan: one }) => ({ name, ...planJson(one), missing: missingJson(one) })),
    breakEvens: breakEvens.map(({ to, route, smallest, costOfSmallest, ordersAtSmallest, from }) => ({
      to,
      route: route.name,
      smallest: String(smallest),
      cost: String(costOfSmallest),
      costByOrders: ordersAtSmallest === undefined ? null : String(ordersAtSmallest),
      cheaperFrom: String(from),
      arrivesMs: route.arrivesMs,
    })),
    closed,
    unvalued,
  };
}

function planJson({ steps, cost, arrivesMs, proven }: Plan): object {
  return { cost: String(cost), arrivesMs, proven, steps: steps.map(stepJson) };
}

function stepJson({ route, quantity, takes, brings, lost, time, risk, cost }: PlanStep): object {
  return {
    route: route.name,
    ...route.via,
    from: route.from,
    to: route.to,
    quantity: String(quantity),
    takes: String(takes),
    brings: String(brings),
    lost: String(lost),
    time: String(time),
    risk: String(risk),
    cost: String(cost),
    arrivesMs: route.arrivesMs,
  };
}

function holdingJson({
  holding,
  state,
  band,
  before,
  after,
  missingBefore,
  missingAfter,
  reason,
}: HoldingOutlook): object {
  const edges = band && edgesOf(band);
  return {
    holding,
    available: String(state.available),
    bound: String(state.bound),
    inFlight: state.inFlight.map(({ amount, what }) => ({ amount: String(amount), what })),
    low: edges?.low === undefined ? null : String(edges.low),
    high: edges?.high === undefined ? null : String(edges.high),
    backTo: band?.left === undefined ? null : String(band.low),
    before: String(before),
    after: String(after),
    missingBefore: String(missingBefore),
    missingAfter: String(missingAfter),
    reason: reason ?? null,
  };
}

function missingJson({ holdings }: Plan): object {
  const missing = holdings.filter(({ missingAfter }) => !missingAfter.isZero());
  return Object.fromEntries(missing.map(({ holding, missingAfter }) => [holding, String(missingAfter)]));
}
