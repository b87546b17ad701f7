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
import type { RefusedDoor } from "../../treasury/approval/route-backoff.ts";
import type { PlanUnderWay } from "../../treasury/rebalancer/parts.ts";
import type { ShownPlan, ShownTreasury, ShownUnderWay } from "../status.ts";
import { railOf } from "./settlement-list.ts";

export function treasuryOf({ executor, steward }: Pick<Desk, "executor" | "steward">, now: Millis): ShownTreasury {
  const shown = treasuryShown(executor, {
    waiting: steward?.waiting(now) ?? [],
    underWay: steward?.underWay(),
    expired: steward?.unused(now) ?? [],
    refused: steward?.heldBack(now, executor.treasury) ?? [],
    templateOf: (rail) => steward?.templateOf(rail, executor.treasury),
  });
  const plans = shown.plans.map((plan) => ({ ...plan, waitsFor: steward?.heldUp(plan.id) }));
  return { ...shown, plans, left: steward?.left() ?? [] };
}

/** `waiting`: those that can still be approved. */
type PlansShown = {
  readonly waiting: readonly LoggedPlan[];
  readonly underWay?: PlanUnderWay | undefined;
  readonly expired: readonly PlanProgress[];
  readonly refused: readonly RefusedDoor[];
  /** The name that the configuration has for the rail of this submission. */
  readonly templateOf?: (rail: string) => string | undefined;
};

type SeenMovements = Pick<ExecutorView, "get"> & {
  readonly treasury: Pick<TreasuryRequests, "awaited" | "payments" | "railsFrozen" | "railsFrozenAt">;
};

export function treasuryShown(
  executor: SeenMovements,
  { waiting, underWay, expired, refused, templateOf }: PlansShown,
): ShownTreasury {
  return {
    plans: waiting.map(planShown),
    underWay: underWay && underWayShown(underWay),
    expired: expired.map(({ id, at, text, by }) => ({ id, at, why: text, declinedBy: by })),
    awaited: executor.treasury.awaited().map(({ id, rail, pays, since }) => ({
      id,
      rail,
      over: railText(executor.get(rail), templateOf?.(rail)),
      pays: pays && `${pays} ${pays.asset}`,
      since,
    })),
    held: executor.treasury.payments.heldBack().map((payment) => ({
      id: payment.id,
      venueId: venueIdOf(payment),
      amount: amountOf(payment),
      since: payment.heldAt,
    })),
    railsFrozen: executor.treasury.railsFrozen,
    railsFrozenAt: executor.treasury.railsFrozenAt,
    refused: refused.map(({ door, reason, since, times, until, isDeclined }) => ({
      ...{ kind: door.kind, what: doorText(door) },
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

function doorText(door: RefusedDoor["door"]): string {
  switch (door.kind) {
    case "mint":
      return `${door.asset} on ${door.chain}`;
    case "order":
      return door.symbol;
    case "rail":
      return door.template;
    default:
      return unreachable(door);
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
