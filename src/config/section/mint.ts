// Bounds of mints. What the venue asks for (its minimum, the decimals it reads) is a setting, because its interface leaves it
// open; what we allow is bounded here beside the money that there is.

import { z } from "zod";
import { amount, assetName, basisPoints, wholeNumber } from "../../domain/field.ts";

const coins = (about: string) =>
  z
    .record(assetName("a coin"), amount("1", "1000000000", "units of the coin"), {
      error: "must be a mapping from each coin to a quoted decimal",
    })
    .default({})
    .describe(about);

export const mintSchema = z.strictObject({
  feeBpsMax: basisPoints(1, 99, "fee of a mint; more than that is not approved, and halts when it is charged").default(
    10,
  ),
  quantityMax: coins("units of one mint, for each coin; a coin that is not named is bounded by the money alone"),
  perDayMax: coins("units of all mints of a coin within 24 hours"),
  minimum: amount("1", "1000000000", "value of the smallest mint that the venue takes").prefault("100000"),
  minimumCurrency: assetName("currency of the minimum").default("GBP"),
  saltDecimals: wholeNumber(1, 6, "decimals in which a quantity is made recognisable").default(2),
  haircutBps: basisPoints(10, 999, "taken off what is in flight, in the cautious figure of net worth").default(50),
  heldHaircutBps: basisPoints(100, 9_999, "the same while the venue holds it").default(1_000),
});
