// A plan as data, for `--json`: amounts are decimal texts, times milliseconds.

import { edgesOf } from "../../../treasury/plan/holding.ts";
import type { Plan, PlanStep, PotOutlook } from "../../../treasury/plan/plan.ts";
import type { Proposal } from "../../../treasury/plan/situation.ts";

export function proposalJson({ at, currency, plan, alternatives, breakEvens, closed, unvalued }: Proposal): unknown {
  return {
    at,
    currency,
    ...planJson(plan),
    pots: plan.pots.map(potJson),
    alternatives: alternatives.map(({ name, plan: one }) => ({ name, ...planJson(one), missing: missingJson(one) })),
    breakEvens: breakEvens.map(({ to, door, smallest, costOfSmallest, ordersAtSmallest, from }) => ({
      to,
      door: door.name,
      smallest: String(smallest),
      cost: String(costOfSmallest),
      costByOrders: ordersAtSmallest === undefined ? null : String(ordersAtSmallest),
      cheaperFrom: String(from),
      arrivesMs: door.arrivesMs,
    })),
    closed,
    unvalued,
  };
}

function planJson({ steps, cost, arrivesMs, proven }: Plan): object {
  return { cost: String(cost), arrivesMs, proven, steps: steps.map(stepJson) };
}

function stepJson({ door, quantity, takes, brings, lost, time, risk, cost }: PlanStep): object {
  return {
    door: door.name,
    ...door.way,
    from: door.from,
    to: door.to,
    quantity: String(quantity),
    takes: String(takes),
    brings: String(brings),
    lost: String(lost),
    time: String(time),
    risk: String(risk),
    cost: String(cost),
    arrivesMs: door.arrivesMs,
  };
}

function potJson({ pot, holding, band, before, after, missingBefore, missingAfter, reason }: PotOutlook): object {
  const edges = band && edgesOf(band);
  return {
    pot,
    available: String(holding.available),
    bound: String(holding.bound),
    inFlight: holding.inFlight.map(({ amount, what }) => ({ amount: String(amount), what })),
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

function missingJson({ pots }: Plan): object {
  const missing = pots.filter(({ missingAfter }) => !missingAfter.isZero());
  return Object.fromEntries(missing.map(({ pot, missingAfter }) => [pot, String(missingAfter)]));
}
