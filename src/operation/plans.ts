import { z } from "zod";
import { ok } from "../domain/result.ts";
import { moment } from "../watch/status.ts";
import type { Operation } from "./operation.ts";
import { waitingPlan } from "./plan.ts";

export const plans: Operation = {
  name: "plans",
  sentence: "Plans that wait for an approval, to the letter, and who has approved them",
  scope: "read",
  answer: z.object({ at: moment, plans: z.array(waitingPlan) }),
  failure: { status: 500, description: "the journal cannot be read" },
  async act(owner) {
    const waiting = await owner.plans();
    return waiting.ok ? ok({ at: owner.model.status().at, plans: waiting.value }) : waiting;
  },
};
