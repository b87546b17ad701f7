// Templates of payment rails: all that a rail needs, under a name, so that a command has nothing left to mistype.

import { z } from "zod";
import { amount, assetName, basisPoints } from "../../domain/field.ts";
import { chainCode, entryName } from "./destination.ts";

const COUNTRY = /^[A-Z]{2}$/;
const text = (max: number, about: string) =>
  z
    .string({ error: "must be a text" })
    .min(1, { error: "must not be empty" })
    .max(max, { error: `must have at most ${max} characters` })
    .describe(about);

const partySchema = z.strictObject({
  name: text(140, "legal name of the sender, as its bank has it"),
  country: z
    .string({ error: "must be a country of two capital letters" })
    .regex(COUNTRY, { error: "must be a country of two capital letters" })
    .describe("country of the sender, two capital letters"),
  type: text(40, "what the sender is").default("company"),
});

const template = z.strictObject({
  direction: z
    .enum(["on", "off"], { error: "must be on (fiat to coins) or off (coins to fiat)" })
    .describe("which way"),
  asset: assetName("the coin"),
  currency: assetName("the fiat; that of the coin unless set").optional(),
  chain: chainCode,
  to: entryName.describe("where to, by its name in treasury.destinations"),
  memo: text(100, "memo of the wallet, where its chain needs one").optional(),
  sender: partySchema.describe("who sends"),
  fee: z
    .strictObject({
      fixed: amount("0.01", "10000", "so much of the coin; absent: nothing").optional(),
      bps: basisPoints(1, 99, "so much of the payment; absent: nothing").optional(),
    })
    .optional()
    .describe(
      "what the venue takes off a payment that comes onto the account, where its list of payments does not state a fee; absent: none",
    ),
});

export const railsSchema = z.record(entryName, template, {
  error: "must be a mapping from names to templates of rails",
});
