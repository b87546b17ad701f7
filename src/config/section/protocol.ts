// How patient the bot is with an order whose outcome it does not know. The defaults are for real money: live mode takes
// nothing less careful (src/config/rule.ts), tests of the whole bot do.

import { z } from "zod";
import { basisPoints, milliseconds, wholeNumber } from "../../domain/field.ts";

export const protocolSchema = z.strictObject({
  windowMsMin: milliseconds(
    1_000,
    900_000,
    "how long after the fence history must stay silent before an order counts as dead",
  ).default(120_000),
  windowPerDelay: wholeNumber(1, 100, "and at least so many times the longest publication delay seen").default(10),
  negatives: wholeNumber(1, 10, "rounds of questions that must all say no").default(3),
  releaseBpsMax: basisPoints(100, 9_999, "of equity; an order worth more is never freed without a person").default(100),
  acknowledgedMin: wholeNumber(0, 100_000, "orders seen in history before anything is freed without a person").default(
    200,
  ),
  escalateAfterMs: milliseconds(10_000, 7_200_000, "age of an unknown outcome at which a person is asked").default(
    900_000,
  ),
  fenceRetryMs: milliseconds(
    500,
    60_000,
    "pause before the venue is asked again while no later request was answered",
  ).default(5_000),
  lookMsMax: milliseconds(5_000, 600_000, "a round of questions that takes longer was lost").default(90_000),
  balancesMsMax: milliseconds(
    1_000,
    900_000,
    "how long balances may be behind a fill, where a difference that stays halts the bot; and how long they, the trades or the orders may be unreadable before everything is frozen",
  ).default(120_000),
});
