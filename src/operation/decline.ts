import { ok } from "../domain/result.ts";
import { operation } from "./operation.ts";
import { declined, declineInput } from "./plan.ts";

export const decline = operation({
  name: "decline",
  sentence: "A person says no to a plan that is not begun; one no is enough",
  scope: "approve",
  input: declineInput,
  answer: declined,
  failure: { status: 409, description: "not declined: the error says what stands in the way" },
  async act(owner, { confirm: _, ...plan }, asker) {
    const done = await owner.decline(plan, asker);
    return done.ok ? ok({ ...done.value, id: plan.id }) : done;
  },
});
