// Which strategy decides, and with which parameters. The parameters belong to the strategy: it checks them when it is
// loaded.

import { z } from "zod";
import { builtInNames, isBuiltIn } from "../../strategy/built-in.ts";
import { suggestion } from "../suggestion.ts";

const RULE = `must be ${builtInNames.join(", ")}, or the path of a .ts file`;

const error = "must be text, a finite number, true or false, or a list or mapping of these";
const plain = z.union([z.string({ error }), z.number({ error }), z.boolean({ error })]);

export const strategySchema = z.strictObject({
  use: z
    .string({ error: RULE })
    .superRefine((text, context) => {
      if (isBuiltIn(text) || isStrategyFile(text)) return;
      context.addIssue({
        code: "custom",
        message: RULE,
        params: { hint: suggestion(text, builtInNames) },
        input: text,
      });
    })
    .default("peg-arbitrage")
    .describe("name of a built-in strategy, or the path of a .ts file"),
  params: z
    .record(z.string().max(64), z.union([plain, z.array(plain).max(1000), z.record(z.string().max(64), plain)]), {
      error: "must be a mapping of parameters",
    })
    .default({})
    .describe("parameters of the strategy; which there are, the strategy says"),
});

export function isStrategyFile(use: string): boolean {
  return /[^/\\]\.ts$/.test(use);
}
