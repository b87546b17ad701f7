import { ok } from "../domain/result.ts";
import { operation } from "./operation.ts";
import { approved, approveInput } from "./plan.ts";

export const approve = operation({
  name: "approve",
  sentence: "A person agrees to a plan exactly as they saw it, before it expires",
  scope: "approve",
  input: approveInput,
  answer: approved,
  failure: { status: 409, description: "not approved: the error says what stands in the way" },
  async act(owner, { confirm: _, ...plan }, asker) {
    const done = await owner.approve(plan, asker);
    return done.ok ? ok({ ...done.value, id: plan.id }) : done;
  },
});
