import { z } from "zod";
import { printable } from "../domain/sanitise.ts";
import { standingSchema } from "../watch/status.ts";
import { operation } from "./operation.ts";
import { reason } from "./plan.ts";

const seen = z.array(z.string()).min(1).max(32).meta({
  description: "the reason of every stop in the standing that the person saw; one more than these is not resumed",
});

export const resume = operation({
  name: "resume",
  sentence: "Takes a stop back; it does not heal the cause, and a stop of the bot's own may stand beneath it",
  scope: "approve",
  input: z.strictObject({ reason, confirm: z.literal("resume"), seen }),
  answer: standingSchema,
  failure: { status: 409, description: "not resumed: the error says what stands in the way" },
  act: (owner, input, { by }) => owner.resume(printable(input.reason), by, input.seen),
});
