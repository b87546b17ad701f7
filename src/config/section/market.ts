// The sources of prices. In paper mode without an address, `source` is the market of the embedded simulator.

import { z } from "zod";
import { basisPoints, pairSymbol, wholeNumber } from "../../domain/field.ts";
import { SCENARIO_NAMES } from "../../domain/scenario.ts";
import { suggestion } from "../../domain/suggestion.ts";
import { day } from "../text.ts";
import { referenceSchema } from "./reference.ts";

/** The default scenario. */
const SYNTHETIC = "synthetic";
const NAMES: readonly string[] = [SYNTHETIC, ...SCENARIO_NAMES];
const RULE = `must be ${NAMES.join(", ")}, or the path of a file with recorded prices`;

const FEEDS_MAX = 8;
const PRICE = "must be a price: a number above 0";

const price = (about: string) => z.number({ error: PRICE }).positive({ error: PRICE }).describe(about);

const band = z
  .strictObject({ low: price("lowest price"), high: price("highest price") })
  .refine(({ low, high }) => low < high, { error: "must have its low below its high" })
  // A wider range could include an inverted price or one in another unit.
  .refine(({ low, high }) => high / low < 100, { error: "must not reach a hundred times as far as it begins" })
  .describe("{ low, high }");

export const marketSchema = z.strictObject({
  source: z
    .string({ error: RULE })
    .superRefine((text, context) => {
      const [name = ""] = text.split(" ");
      if (NAMES.includes(name) || isRecording(text)) return;
      const params = { hint: suggestion(name, NAMES) };
      context.addIssue({ code: "custom", message: RULE, params, input: text });
    })
    .describe("a simulated market (docs/guides/market.md), or the path of a file with recorded prices")
    .optional(),
  references: z
    .array(referenceSchema, { error: "must be a list of reference feeds" })
    .max(FEEDS_MAX, { error: `must be at most ${FEEDS_MAX} feeds` })
    .default([])
    .describe("reference feeds; on paper without any, the two of the simulator"),
  sourcesMin: z
    .record(pairSymbol("a pair"), wholeNumber(1, 10, "sources that must agree on it"), {
      error: "must be a mapping from symbols to numbers of sources",
    })
    .default({})
    .describe("pairs that need more agreeing sources than risk.referenceSourcesMin"),
  bands: z
    .record(pairSymbol("a pair"), band, { error: "must be a mapping from symbols to { low, high }" })
    .default({})
    .describe("what a price of a pair can be at all; others are refused"),
  weekend: z
    .enum(["open", "closed", "collar"])
    .optional()
    .describe(
      "while the currency markets are closed: nothing that rests on them has a fair value (closed, the default of live mode), orders must be nearer to it (collar), or nothing changes (open, the default of paper)",
    ),
  weekendCollarBps: basisPoints(1, 99, "distance of a limit price from fair value while weekend is collar").default(20),
  holidays: z
    .array(day("a holiday"), { error: "must be a list of days" })
    .max(60, { error: "must be at most 60 days" })
    .default([])
    .describe(
      "days on which the currency markets are closed, in addition to weekends, Christmas and New Year; nor is a mint or rail with a cutOff served on them",
    ),
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
  parFair: z
    .array(pairSymbol("a coin against its own fiat"), { error: "must be a list of symbols" })
    .optional()
    .describe(
      "pairs of `par` whose fair value is par alone where the venue shows no quotes; without it none, and on paper those of the simulator",
    ),
});

/** A recording has a name with an extension; a bare word is a scenario, which single parameters may follow. */
export function isRecording(source: string): boolean {
  return !/^[a-z-]+( |$)/.test(source) && /[^/\\]\.[A-Za-z0-9.]+$/.test(source);
}
