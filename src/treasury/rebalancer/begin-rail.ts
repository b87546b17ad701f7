// A rail of a plan: one of this content that stands is used again; otherwise it is registered.

import { err, ok, type Result } from "../../domain/result.ts";
import type { RailDraft } from "../rail/check-rail.ts";
import { moveFor } from "./move-for.ts";
import { whyClosed } from "./rail-draft.ts";
import { currentStep, type RunningPlan } from "./running-plan.ts";
import type { Hands } from "./steward.ts";

/** What the venue lists was read since the step began. */
export function beginRail(
  running: RunningPlan,
  draft: RailDraft & { readonly toAccount: boolean },
  hands: Hands,
): Result<string> {
  const { rails = [], addresses } = running.soFar.sight;
  const { way } = currentStep(running);
  const { toAccount = draft.toAccount, isAnother = false } = ("registers" in way && way.registers) || {};
  const closed = whyClosed(draft, hands.executor.treasury, addresses, { isAnother });
  if (closed !== undefined) return err(closed);
  const standing = hands.executor.treasury.railOf(draft.rail);
  if (standing !== undefined && !isAnother) return ok(standing.id);
  const rail = { ...draft.rail, known: rails.map(({ railId }) => railId), toAccount };
  return moveFor(running, { kind: "rail", rail, isAnother }, hands);
}
