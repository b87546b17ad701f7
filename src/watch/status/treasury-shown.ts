// What of the treasury waits for people, as the status shows it.

import type { Desk } from "../../bot/desk/desk.ts";
import { unreachable } from "../../domain/invariant.ts";
import { isFromOutside } from "../../domain/movement.ts";
import { printable } from "../../domain/outside-text.ts";
import type { Millis } from "../../domain/time.ts";
import type { ExecutorView, TreasuryRequests } from "../../execution/executor.ts";
import { type PaymentFlight, venueIdOf } from "../../execution/payments.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import type { PlanProgress } from "../../journal/record.ts";
import { contentOf, isAsked, stepText } from "../../treasury/approval/plan-content.ts";
import type { LoggedPlan } from "../../treasury/approval/plan-log.ts";
import type { RefusedRoute } from "../../treasury/approval/route-backoff.ts";
import type { PlanUnderWay } from "../../treasury/rebalancer/parts.ts";
import { awaited } from "../../treasury/rebalancer/rails.ts";
import type { ShownPlan, ShownTreasury, ShownUnderWay } from "../status.ts";
import { railOf } from "./settlement-list.ts";

export function treasuryOf(
  { executor, rebalancer }: Pick<Desk, "executor" | "rebalancer">,
  now: Millis,
): ShownTreasury {
  const shown = treasuryShown(executor, {
    waiting: rebalancer?.waiting(now) ?? [],
    underWay: rebalancer?.underWay(),
    expired: rebalancer?.log.unused(now) ?? [],
    refused: rebalancer?.heldBack(now, executor.treasury) ?? [],
    templateOf: (rail) => rebalancer?.templateOf(rail, executor.treasury),
  });
  const plans = shown.plans.map((plan) => ({ ...plan, waitsFor: rebalancer?.heldUp(plan.id) }));
  return { ...shown, plans, left: rebalancer?.left() ?? [] };
}

/** `waiting`: those that can still be approved. */
type PlansShown = {
  readonly waiting: readonly LoggedPlan[];
  readonly underWay?: PlanUnderWay | undefined;
  readonly expired: readonly PlanProgress[];
  readonly refused: readonly RefusedRoute[];
  /** The name that the configuration has for the rail of this submission. */
  readonly templateOf?: (rail: string) => string | undefined;
};

type SeenMovements = Pick<ExecutorView, "get"> & {
  readonly treasury: Pick<TreasuryRequests, "requests" | "payments" | "rails">;
};

export function treasuryShown(
  executor: SeenMovements,
  { waiting, underWay, expired, refused, templateOf }: PlansShown,
): ShownTreasury {
  return {
    plans: waiting.map(planShown),
    underWay: underWay && underWayShown(underWay),
    expired: expired.map(({ id, at, text, by }) => ({ id, at, why: text, declinedBy: by })),
    awaited: awaited(executor.treasury).map(({ id, rail, pays, since }) => ({
      id,
      rail,
      over: railText(executor.get(rail), templateOf?.(rail)),
      pays: pays && `${pays} ${pays.asset}`,
      since,
    })),
    held: executor.treasury.payments.all().flatMap((payment) => {
      const { id, heldAt: since } = payment;
      return since === undefined ? [] : [{ id, venueId: venueIdOf(payment), amount: amountOf(payment), since }];
    }),
    railsFrozen: executor.treasury.rails.reason,
    railsFrozenAt: executor.treasury.rails.since,
    refused: refused.map(({ route, reason, since, times, until, isDeclined }) => ({
      ...{ kind: route.kind, what: routeText(route) },
      ...{ reason, since, times, until, isDeclined },
    })),
  };
}

/** Of what left, or of what comes where nothing of ours did. */
function amountOf(payment: PaymentFlight): string {
  const amount = isFromOutside(payment) ? payment.comes : payment.spent;
  return `${amount} ${amount.asset}`;
}

/** `to-bank (VCHF to CHF on ETH, to CH93…, rail 80ce… at the venue)`. */
function railText(rail: MoneyRequest | undefined, template: string | undefined): string | undefined {
  if (rail?.kind !== "rail") return undefined;
  const { request, state } = rail as MoneyRequest<"rail">;
  const memo = request.memo === undefined ? "" : `, memo ${printable(request.memo, 60)}`;
  const there = "receipt" in state ? `, rail ${printable(state.receipt.railId, 60)} at the venue` : "";
  return `${template ?? rail.id} (${railOf(request).what}, to ${printable(request.destination, 80)}${memo}${there})`;
}

function routeText(route: RefusedRoute["route"]): string {
  switch (route.kind) {
    case "mint":
      return `${route.asset} on ${route.chain}`;
    case "order":
      return route.symbol;
    case "rail":
      return route.template;
    default:
      return unreachable(route);
  }
}

/** Of all that are waiting: those that a person must approve. */
export function awaitingApproval(waiting: readonly LoggedPlan[], now: Millis): readonly LoggedPlan[] {
  return waiting.filter(({ plan }) => isAsked(plan) && now <= plan.expiresAt);
}

function underWayShown({ known: { plan, progress }, waitsFor }: PlanUnderWay): ShownUnderWay {
  const at = progress.find(({ state }) => state === "begun")?.at ?? plan.at;
  const done = progress.filter(({ state }) => state === "step").length;
  return { id: plan.id, at, by: plan.by, done, steps: contentOf(plan).steps.map(stepText), waitsFor };
}

function planShown({ plan, approvals }: LoggedPlan): ShownPlan {
  const { id, at, expiresAt, by, persons } = plan;
  const steps = contentOf(plan).steps.map(stepText);
  return { id, at, expiresAt, by, persons, approvedBy: approvals.map((one) => one.by), steps };
}
