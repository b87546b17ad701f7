// The limits. Whoever writes this section names every one of them: a limit left out is a mistake, never a default.
// Values and exposures are counted in `currency`.

import { z } from "zod";
import { amount, assetName, basisPoints, milliseconds, pairSymbol, wholeNumber } from "../field.ts";

const MONEY_MAX = "1000000000";

export const riskSchema = z.strictObject({
  currency: assetName("asset in which values, exposures and losses are counted"),
  symbols: z
    .array(pairSymbol("a pair"), { error: "must be a list of symbols" })
    .min(1, { error: "must name at least one symbol" })
    .max(100, { error: "must name at most 100 symbols" })
    .describe("the pairs that may be traded; every other one is refused"),
  orderValueMax: amount("1", MONEY_MAX, "value of one order"),
  orderQuantityMax: z
    .record(pairSymbol("a pair"), amount("0.000001", MONEY_MAX, "base units of one order"), {
      error: "must be a mapping from each symbol to a quoted decimal",
    })
    .describe("size of one order per symbol; a second, independent bound beside its value"),
  assetExposureMax: amount("1", MONEY_MAX, "exposure in one asset, reservations included"),
  grossExposureMax: amount("1", MONEY_MAX, "exposure in all assets together"),
  dailyLossBpsMax: basisPoints(10, 999, "loss of one UTC day that halts the bot"),
  drawdownBpsMax: basisPoints(10, 999, "loss from the peak that halts the bot"),
  collarBps: basisPoints(5, 499, "distance of a limit price from fair value"),
  collarHardBps: basisPoints(10, 999, "distance that also raises an alarm"),
  referenceAgeMsMax: milliseconds(500, 60_000, "age of the prices that a decision rests on"),
  referenceSourcesMin: wholeNumber(1, 10, "sources that must agree on fair value"),
  referenceSpreadBpsMax: basisPoints(5, 499, "disagreement of sources"),
  ordersPerMinuteMax: wholeNumber(1, 60, "orders in any minute"),
  ordersPerDayMax: wholeNumber(1, 86_400, "orders in any day; more halts the bot"),
  turnoverPerHourMax: amount("1", MONEY_MAX, "value traded in any hour; more halts the bot"),
  turnoverPerDayMax: amount("1", MONEY_MAX, "value traded in any day; more halts the bot"),
  rejectsPerSymbolMax: wholeNumber(1, 100, "rejections in a row of one symbol"),
  rejectsMax: wholeNumber(1, 100, "rejections in a row of all symbols"),
  rejectFreezeMs: milliseconds(10_000, 7_200_000, "pause after too many rejections"),
  lossesMax: wholeNumber(1, 100, "losing fills in a row"),
  lossFreezeMs: milliseconds(10_000, 7_200_000, "pause after too many losing fills"),
  duplicateWindowMs: milliseconds(1_000, 600_000, "time in which the same order is not sent again"),
  offsetWindowMs: milliseconds(1_000, 600_000, "time in which a pair is not traded back without profit"),
  doubtsPerAssetMax: wholeNumber(1, 10, "orders of unknown outcome per asset; more freezes it"),
  doubtsMax: wholeNumber(1, 20, "orders of unknown outcome; more freezes trading"),
  doubtAgeMsMax: milliseconds(30_000, 7_200_000, "age of an unknown outcome that halts the bot"),
  reserveBpsMin: basisPoints(50, 4_999, "part of each asset that is never spent"),
  feeBpsMax: basisPoints(1, 99, "fee of one order"),
  feesPerDayMax: amount("0.01", MONEY_MAX, "fees of one UTC day; more halts the bot"),
  decisionAgeMsMax: milliseconds(100, 60_000, "age of a decision that is still sent"),
  rampOrders: wholeNumber(1, 10_000, "first live orders that go out at reduced size"),
  rampSizeBps: basisPoints(100, 9_999, "their size, as a part of what was decided"),
});
