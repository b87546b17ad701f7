// A mint or a rail of a plan, through the gate: approved for as long as the plan is.

import { err, ok, type Result } from "../../domain/result.ts";
import type { MovementWish } from "../../risk/movement-gate.ts";
import { isWish } from "../approval/plan-content.ts";
import type { RunningPlan } from "./running-plan.ts";
import type { Hands } from "./steward.ts";

type WithoutTerms<W> = W extends MovementWish ? Omit<W, "decidedAt" | "expiresAt" | "reason"> : never;

/** The id of what was approved. */
export function moveFor({ plan }: RunningPlan, what: WithoutTerms<MovementWish>, hands: Hands): Result<string> {
  const wanted = isWish(plan) ? (plan.why ?? `wanted by ${plan.by}`) : "rebalancing";
  const terms = { decidedAt: hands.now.at, expiresAt: plan.expiresAt, reason: `${wanted}, plan ${plan.id}` };
  const moved = hands.move({ ...what, ...terms });
  if (typeof moved === "string") return ok(moved);
  return err(moved === undefined ? "not approved" : `${moved.rule}: ${moved.message}`);
}
