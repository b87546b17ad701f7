import { z } from "zod";
import { ok } from "../domain/result.ts";
import { operation } from "./operation.ts";

const value = z.union([z.string(), z.number()]).nullable();
const changed = z.object({ name: z.string(), from: value, to: value, is: z.enum(["tighter", "wider", "unordered"]) });

export const limits = operation({
  name: "limits",
  sentence: "Reads the configuration again and takes over what is tighter; the rest needs a restart",
  scope: "approve",
  isForSocket: true,
  input: z.strictObject({}),
  answer: z.object({ tighter: z.array(changed), refused: z.array(changed) }),
  failure: { status: 409, description: "no limit is changed: the error says why" },
  act: (owner, _, { by }) => owner.limits?.(by) ?? ok({ tighter: [], refused: [] }),
});
