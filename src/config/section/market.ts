// Where prices come from. In paper mode without an address, `source` is the market of the embedded simulator.

import { z } from "zod";
import { basisPoints, pairSymbol } from "../../domain/field.ts";
import { suggestion } from "../suggestion.ts";

const SYNTHETIC = "synthetic";
const RULE = `must be ${SYNTHETIC}, or the path of a file with recorded prices`;

export const marketSchema = z.strictObject({
  source: z
    .string({ error: RULE })
    .superRefine((text, context) => {
      if (text === SYNTHETIC || isRecording(text)) return;
      context.addIssue({ code: "custom", message: RULE, params: { hint: suggestion(text, [SYNTHETIC]) }, input: text });
    })
    .describe(`${SYNTHETIC}, or the path of a file with recorded prices`)
    .optional(),
  references: z
    .array(z.string(), { error: "must be a list of reference feeds" })
    .max(0, { error: "must be empty: this version has no reference feeds" })
    .default([])
    .describe("reference feeds; this version has none"),
  par: z
    .record(
      pairSymbol("a coin against its own fiat"),
      basisPoints(5, 499, "band around par; outside there is no fair value"),
      {
        error: "must be a mapping from symbols to basis points",
      },
    )
    .optional()
    .describe(
      "pairs for which par is a source of fair value, each with its peg band; without it none, and on paper those of the simulator",
    ),
});

/** A recording has a name with an extension; a bare word is a misspelling. */
export function isRecording(source: string): boolean {
  return /[^/\\]\.[A-Za-z0-9.]+$/.test(source);
}
