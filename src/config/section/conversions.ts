// Standing instructions: a holding that is kept within a band, or an amount that is converted at set times.

import { z } from "zod";
import { amount, basisPoints, wholeNumber } from "../../domain/field.ts";
import { entryName } from "./destination.ts";
import { EVERY, holding, mapping, money, timeOfDay } from "./rebalancing.ts";

const instruction = z.strictObject({
  keep: holding("the holding that is kept within low and high; then without from, to, amount, every and at").optional(),
  low: money("never less").optional(),
  target: money("what shall be there").optional(),
  high: money("never more").optional(),
  from: holding("what is given, at set times").optional(),
  to: holding("what is wanted").optional(),
  amount: z
    .union([z.literal("all"), amount("0.01", "1000000000", "")])
    .describe("of from; all: what is available then")
    .optional(),
  every: z.enum(EVERY).describe("day, weekday, or the day of the week; on a holiday the next working day").optional(),
  at: timeOfDay("when it begins").optional(),
  withinHours: wholeNumber(
    1,
    160,
    "it ends by then; until then it waits for a better price, and for approvals",
  ).default(4),
  maxCostBps: basisPoints(1, 999, "no step loses more; absent: 20 at set times, for a band as planned").optional(),
});

export const conversionsSchema = mapping(entryName, instruction, "standing instructions, by a name of ours");
