// Gaps that open while somebody is asked about a plan: they wait, because nothing else is proposed meanwhile.

import type { PlanRecord } from "../../journal/record.ts";
import { contentOf } from "../approval/plan-content.ts";
import { type Pots, potsAfter } from "../approval/plan-need.ts";
import type { Plan } from "../plan/plan.ts";
import type { PotName } from "../plan/pot.ts";
import type { LeftPot } from "../plan/situation.ts";

/** Pots that `plan`, the one of now, would help, and of whose gap the plans that wait close less than half: the rest drifts. */
export function behindAsked(plan: Plan, asked: readonly PlanRecord[], pots: Omit<Pots, "rates">): readonly LeftPot[] {
  const [first] = asked;
  if (first === undefined) return [];
  const helped = new Set(plan.steps.flatMap(({ door }): PotName[] => [door.from, door.to]));
  const until = new Date(Math.max(...asked.map(({ expiresAt }) => expiresAt))).toISOString().slice(0, 16);
  const who = `${asked.map(({ id }) => id).join(" and ")} ${asked.length === 1 ? "waits" : "wait"}`;
  const why = `nothing else is proposed while ${who} to be approved and begun, until ${until}Z at the latest (pegbot approve, or pegbot decline)`;
  return potsAfter(
    asked.flatMap((one) => contentOf(one).steps),
    pots,
  )
    .filter(
      ({ pot, missingNow, missingAfter }) => helped.has(pot) && missingAfter.plus(missingAfter).moreThan(missingNow),
    )
    .map(({ pot }) => ({ pot, why }));
}
