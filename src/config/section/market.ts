// Where prices come from. In paper mode without an address, `source` is the market of the embedded simulator.

import { z } from "zod";
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
});

/** A recording has a name with an extension; a bare word is a misspelling. */
export function isRecording(source: string): boolean {
  return /[^/\\]\.[A-Za-z0-9.]+$/.test(source);
}
