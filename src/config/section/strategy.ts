// The strategy and its parameters. The strategy validates its parameters when it is loaded.

import { z } from "zod";
import { suggestion } from "../../domain/suggestion.ts";
import { builtInNames, isBuiltIn, removedText } from "../../strategy/built-in-names.ts";

const RULE = `must be ${builtInNames.join(", ")}, or the path of a .ts or .js file`;

const error = "must be text, a finite number, true or false, or a list or mapping of these";
const inside = "must be text, a finite number, true or false: inside a list or a mapping there are no others";

const plain = (error: string) => z.union([z.string({ error }), z.number({ error }), z.boolean({ error })]);
const name = z.string().max(64);

export const strategySchema = z.strictObject({
  use: z
    .string({ error: RULE })
    .superRefine((text, context) => {
      if (isBuiltIn(text) || isStrategyFile(text)) return;
      context.addIssue({
        code: "custom",
        message: removedText(text) ?? RULE,
        params: { hint: removedText(text) === undefined ? suggestion(text, builtInNames) : "" },
        input: text,
      });
    })
    .default("peg-arbitrage")
    .describe("name of a built-in strategy, or the path of a .ts or .js file"),
  params: z
    .record(
      name,
      z.union([
        plain(error),
        z.array(plain(inside), { error }).max(1000, { error: "must have at most 1000 entries" }),
        z.record(name, plain(inside), { error }),
      ]),
      { error: "must be a mapping of parameters" },
    )
    .default({})
    .describe("parameters of the strategy; which there are, the strategy says"),
});

export function isStrategyFile(use: string): boolean {
  return /[^/\\]\.[cm]?[jt]s$/.test(use);
}
