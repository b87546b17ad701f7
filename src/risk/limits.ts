// The limits, as the section `risk` of a configuration. Whoever writes it names every one of them: a limit left out is a
// mistake, never a default, and one that shall not hold is loosened by name, with the reason in its place ("off: ...").
// Values and exposures are counted in `currency`.

import { z } from "zod";
import { amount, assetName, basisPoints, milliseconds, pairSymbol, wholeNumber } from "../domain/field.ts";

const MONEY_MAX = "1000000000";
const OFF = /^off: \S.{6,198}\S$/;

export type Off = `off: ${string}`;

export const riskSchema = z.strictObject({
  currency: assetName("asset in which values, exposures and losses are counted"),
  symbols: z
    .array(pairSymbol("a pair"), { error: "must be a list of symbols" })
    .min(1, { error: "must name at least one symbol" })
    .max(100, { error: "must name at most 100 symbols" })
    .describe("the pairs that may be traded; every other one is refused"),
  orderValueMax: orOff(amount("1", MONEY_MAX, "value of one order")),
  orderQuantityMax: orOff(
    z
      .record(pairSymbol("a pair"), amount("0.000001", MONEY_MAX, "base units of one order"), {
        error: "must be a mapping from each symbol to a quoted decimal",
      })
      .describe("size of one order per symbol; a second, independent bound next to its value"),
  ),
  assetExposureMax: orOff(amount("1", MONEY_MAX, "exposure in one asset, reservations included")),
  grossExposureMax: orOff(amount("1", MONEY_MAX, "exposure in all assets together")),
  depegLossBpsMax: orOff(basisPoints(20, 1_500, "part of equity that a de-peg of all coins of one issuer may cost")),
  depegAssumedBps: basisPoints(100, 9_999, "part of their value that they are assumed to lose then"),
  issuerLossBpsMax: orOff(basisPoints(150, 10_000, "part of equity that an end of the venue's issuer may cost")),
  issuerEndBps: basisPoints(1_000, 10_000, "part of its coins and of fiat there that is assumed lost then"),
  dailyLossBpsMax: orOff(basisPoints(10, 999, "loss of one UTC day; more halts the bot")),
  drawdownBpsMax: orOff(basisPoints(10, 999, "loss from the peak; more halts the bot")),
  markAgeMsMax: milliseconds(60_000, 43_200_000, "time that a coin counts at its last price"),
  markHaircutBps: basisPoints(50, 4_999, "part that a coin counts for less after that"),
  collarBps: orOff(basisPoints(5, 499, "distance of a limit price from fair value")),
  collarHardBps: orOff(basisPoints(10, 999, "distance that also raises an alarm")),
  exit: z
    .strictObject({
      collarBps: basisPoints(5, 499, "distance of a limit price below the venue's bid"),
      floorBps: basisPoints(100, 9_000, "distance below par that nothing is sold at"),
      orderValueMax: amount("1", MONEY_MAX, "value of one such order"),
      perDayMax: amount("1", MONEY_MAX, "value of coins sold below par on one UTC day"),
    })
    .describe(
      "the way out of a coin that is off its peg: selling against the venue's price; absent, nothing is sold then",
    )
    .optional(),
  referenceAgeMsMax: milliseconds(500, 60_000, "age of the prices that a decision rests on"),
  referenceSourcesMin: wholeNumber(1, 10, "sources that must agree on fair value"),
  referenceSpreadBpsMax: orOff(basisPoints(5, 499, "disagreement of sources")),
  ordersPerMinuteMax: orOff(wholeNumber(1, 60, "orders in any minute")),
  ordersPerDayMax: orOff(wholeNumber(1, 86_400, "orders of one UTC day; that many halt the bot")),
  turnoverPerHourMax: orOff(amount("1", MONEY_MAX, "value traded in any hour; more halts the bot")),
  turnoverPerDayMax: orOff(amount("1", MONEY_MAX, "value traded on one UTC day; more halts the bot")),
  rejectsPerSymbolMax: orOff(
    wholeNumber(1, 100, "rejections in a row of one symbol that freeze it; twice as many halt"),
  ),
  rejectsMax: orOff(wholeNumber(1, 100, "rejections in a row of all symbols that freeze; twice as many halt the bot")),
  rejectFreezeMs: milliseconds(10_000, 7_200_000, "pause after too many rejections"),
  lossesMax: orOff(wholeNumber(1, 100, "losing fills in a row that freeze")),
  lossFreezeMs: milliseconds(10_000, 7_200_000, "pause after too many losing fills"),
  adverseBpsMax: orOff(basisPoints(1, 99, "move of prices against our last fills; more halts the bot")),
  duplicateWindowMs: orOff(milliseconds(1_000, 600_000, "time in which the same order is not sent again")),
  offsetWindowMs: orOff(milliseconds(1_000, 600_000, "time in which a pair is not traded back without profit")),
  doubtsPerAssetMax: orOff(wholeNumber(1, 10, "orders of unknown outcome that freeze an asset")),
  doubtsMax: orOff(wholeNumber(1, 20, "orders of unknown outcome that freeze trading")),
  doubtAgeMsMax: orOff(milliseconds(30_000, 7_200_000, "age of an unknown outcome; more halts the bot")),
  reserveBpsMin: orOff(basisPoints(50, 4_999, "part of each asset that is never spent")),
  feeBpsMax: orOff(basisPoints(1, 99, "fee of one order; more halts the bot")),
  feesPerDayMax: orOff(amount("0.01", MONEY_MAX, "fees of one UTC day; more halts the bot")),
  decisionAgeMsMax: milliseconds(100, 60_000, "age of a decision that is still sent"),
  rampOrders: orOff(wholeNumber(1, 10_000, "orders that go out at reduced size until as many have filled")),
  rampSizeBps: basisPoints(100, 9_999, "their size, as a part of what was decided"),
  heartbeatMsMax: milliseconds(
    60_000,
    7_200_000,
    "time without a heartbeat of an operator; more stops the bot",
  ).optional(),
});

export type Limits = Readonly<z.output<typeof riskSchema>>;

/** The limit, unless it is turned off by name. */
export function unlessOff<T>(limit: T | Off): T | undefined {
  return typeof limit === "string" && OFF.test(limit) ? undefined : (limit as T);
}

function orOff<T extends z.ZodType>(limit: T) {
  const error = 'must be the limit, or "off: " with a reason of 8 to 200 characters';
  return z.union(
    [
      limit,
      z
        .string({ error })
        .regex(OFF, { error })
        .transform((text) => text as Off)
        .describe("loosens the limit by name, with the reason"),
    ],
    // An input that begins with "off" gets the error about "off", not the one about decimals.
    { error: ({ input }) => (typeof input === "string" && /^off\b/i.test(input) ? error : undefined) },
  );
}
