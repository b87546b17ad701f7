import { z } from "zod";
import { moment } from "../watch/status.ts";
import type { Operation } from "./operation.ts";
import { waitingPlan } from "./plan.ts";

export const plans: Operation = {
  name: "plans",
  sentence: "Plans that wait for an approval, to the letter, and who has approved them",
  scope: "read",
  answer: z.object({ at: moment, plans: z.array(waitingPlan) }),
  failure: { status: 500, description: "the journal cannot be read" },
  act: (owner) => owner.plans(),
};
