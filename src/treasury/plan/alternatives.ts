// The plan beside what else could be done: with one kind of door only, and nothing at all.

import { ok, type Result } from "../../domain/result.ts";
import type { DoorKind } from "./door.ts";
import { makePlan, type Plan, type PlanInput } from "./plan.ts";

export type Alternative = { readonly name: string; readonly plan: Plan };

const CHOICES: readonly { readonly name: string; readonly kinds: readonly DoorKind[] }[] = [
  { name: "orders only", kinds: ["order"] },
  { name: "mints only", kinds: ["mint"] },
  { name: "rails only", kinds: ["on-ramp", "off-ramp"] },
  { name: "nothing", kinds: [] },
];

/** Only what is another choice: kinds of which no door is there are left out. */
export function alternativesTo(input: PlanInput): Result<readonly Alternative[]> {
  const found: Alternative[] = [];
  for (const { name, kinds } of CHOICES) {
    const doors = input.doors.filter(({ way }) => kinds.includes(way.kind));
    if (kinds.length > 0 && doors.length === 0) continue;
    // The pots are those of the whole problem: what is missed is counted alike.
    const plan = makePlan({ ...input, doors });
    if (!plan.ok) return plan;
    found.push({ name, plan: plan.value });
  }
  return ok(found);
}
