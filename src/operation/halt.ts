import { z } from "zod";
import { err, ok } from "../domain/result.ts";
import { printable } from "../domain/sanitise.ts";
import { operation } from "./operation.ts";
import { reason } from "./plan.ts";

export const halt = operation({
  name: "halt",
  sentence: "Stops everything that moves money, until a person resumes",
  scope: "halt",
  input: z.strictObject({ reason }),
  answer: z.object({ state: z.literal("HALTED"), reason: z.string() }),
  failure: {
    status: 500,
    description: "stopped, but the stop could not be written down: a restart would not know it",
    state: "HALTED",
  },
  async act(owner, input, { by }) {
    const text = printable(input.reason);
    const trouble = await owner.halt(text, by);
    return trouble === undefined ? ok({ state: "HALTED", reason: text }) : err(trouble);
  },
});
