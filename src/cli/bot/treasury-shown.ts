// What of the treasury waits for people, as the status shows it.

import type { Millis } from "../../domain/time.ts";
import type { Executor } from "../../execution/executor.ts";
import type { ShownPlan, ShownTreasury } from "../../telemetry/status.ts";
import { contentOf } from "../../treasury/approval/plan-content.ts";
import type { LoggedPlan } from "../../treasury/approval/plan-log.ts";

/** `plans`: those that can still be approved. */
export function treasuryShown(
  executor: Pick<Executor, "awaited" | "railsFrozen">,
  plans: readonly LoggedPlan[],
): ShownTreasury {
  return {
    plans: plans.map(planShown),
    awaited: executor.awaited().map(({ id, rail, pays, since }) => ({
      id,
      rail,
      pays: pays && `${pays} ${pays.asset}`,
      since,
    })),
    railsFrozen: executor.railsFrozen,
  };
}

/** Of all that are waiting: those that a person must approve. */
export function awaitingApproval(waiting: readonly LoggedPlan[], now: Millis): readonly LoggedPlan[] {
  return waiting.filter(({ plan }) => plan.persons > 0 && now <= plan.expiresAt);
}

function planShown({ plan, approvals }: LoggedPlan): ShownPlan {
  const { id, at, expiresAt, by, persons } = plan;
  const steps = contentOf(plan).steps.map(({ name, takes, brings }) => `${name}, ${takes} for ${brings}`);
  return { id, at, expiresAt, by, persons, approvedBy: approvals.map((one) => one.by), steps };
}
