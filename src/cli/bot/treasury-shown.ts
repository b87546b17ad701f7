// What of the treasury waits for people, as the status shows it.

import type { Desk } from "../../bot/desk.ts";
import { unreachable } from "../../domain/invariant.ts";
import type { Millis } from "../../domain/time.ts";
import type { Executor } from "../../execution/executor.ts";
import type { PlanProgress } from "../../journal/record.ts";
import type { ShownPlan, ShownTreasury } from "../../telemetry/status.ts";
import { contentOf, isAsked, stepText } from "../../treasury/approval/plan-content.ts";
import type { LoggedPlan } from "../../treasury/approval/plan-log.ts";
import type { RefusedDoor } from "../../treasury/approval/refused-doors.ts";

export function treasuryOf({ executor, steward }: Pick<Desk, "executor" | "steward">, now: Millis): ShownTreasury {
  const shown = treasuryShown(executor, {
    waiting: steward?.waiting(now) ?? [],
    expired: steward?.unused(now) ?? [],
    refused: steward?.heldBack(now, executor) ?? [],
  });
  const plans = shown.plans.map((plan) => ({ ...plan, waitsFor: steward?.heldUp(plan.id) }));
  return { ...shown, plans, left: steward?.left() ?? [] };
}

/** `waiting`: those that can still be approved. */
type PlansShown = {
  readonly waiting: readonly LoggedPlan[];
  readonly expired: readonly PlanProgress[];
  readonly refused: readonly RefusedDoor[];
};

export function treasuryShown(
  executor: Pick<Executor, "awaited" | "railsFrozen" | "railsFrozenAt">,
  { waiting, expired, refused }: PlansShown,
): ShownTreasury {
  return {
    plans: waiting.map(planShown),
    expired: expired.map(({ id, at, text }) => ({ id, at, why: text })),
    awaited: executor.awaited().map(({ id, rail, pays, since }) => ({
      id,
      rail,
      pays: pays && `${pays} ${pays.asset}`,
      since,
    })),
    railsFrozen: executor.railsFrozen,
    railsFrozenAt: executor.railsFrozenAt,
    refused: refused.map(({ door, reason, since, times, until }) => ({
      ...{ kind: door.kind, what: doorText(door) },
      ...{ reason, since, times, until },
    })),
  };
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

function planShown({ plan, approvals }: LoggedPlan): ShownPlan {
  const { id, at, expiresAt, by, persons } = plan;
  const steps = contentOf(plan).steps.map(stepText);
  return { id, at, expiresAt, by, persons, approvedBy: approvals.map((one) => one.by), steps };
}
