// Sends a step of a plan on its way, as soon as all that it needs is known.

import { err, ok, type Result } from "../../domain/result.ts";
import type { Ask } from "../../execution/effects.ts";
import { beginMint, isListed, mintAsks } from "./begin-mint.ts";
import { beginOrder } from "./begin-order.ts";
import { beginRail } from "./begin-rail.ts";
import { asksOf, draftOf, isSeen } from "./rail-draft.ts";
import { currentStep, know, type RunningPlan } from "./running-plan.ts";
import type { Hands, StewardParts } from "./steward.ts";

/** A list that is not answered for so long ends the plan. */
const LIST_MS_MAX = 300_000;

/** The id of what was sent on its way; undefined while something must be known first. */
export function beginStep(running: RunningPlan, parts: StewardParts, hands: Hands): Result<string | undefined> {
  const { way } = currentStep(running);
  switch (way.kind) {
    case "order":
      return beginOrder(running, way, parts, hands);
    case "mint":
      return isListed(running, way) ? beginMint(running, way, parts, hands) : awaitLists(running, mintAsks(way), hands);
    default: {
      const draft = draftOf(way, parts.rails);
      if (!draft.ok) return draft;
      if (isSeen(draft.value, running.soFar.sight)) return beginRail(running, draft.value, hands);
      return awaitLists(running, asksOf(draft.value), hands);
    }
  }
}

function awaitLists(running: RunningPlan, asks: readonly Ask[], hands: Hands): Result<undefined> {
  const { mono } = hands.now;
  const { askedAt = mono } = running.soFar;
  if (running.soFar.askedAt === undefined) {
    know(running, { askedAt });
    for (const ask of asks) hands.ask(ask);
  }
  if (mono - askedAt <= LIST_MS_MAX) return ok(undefined);
  return err(`the venue's lists are not answered: ${asks.map(({ witness }) => witness).join(", ")}`);
}
