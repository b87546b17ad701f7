// Notices to people. Secrets (tokens, passwords, secret addresses) are in their own files or in the environment, and
// only named here.

import { z } from "zod";
import { amount, milliseconds, wholeNumber } from "../../domain/field.ts";
import { isLoopback } from "../../domain/loopback.ts";
import { filePath, matching, variableName, yesOrNo } from "../text.ts";

export const ADDRESS = "must be an https address, or http on this machine";
const CHAT = 'must be the quoted id of a chat, like "-1001234567", or "@channel"';

/** Plain http only on loopback, and no password in an address that is displayed. */
export function isFitAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

const webhook = z.strictObject({
  url: z
    .string({ error: ADDRESS })
    .refine(isFitAddress, { error: ADDRESS })
    .meta({ description: "address that messages are posted to; where it is a secret use a file", writeOnly: true })
    .optional(),
  urlFile: filePath("file with the address (mode 0600)").optional(),
  urlEnv: variableName("environment variable with the address").optional(),
});

const telegram = z.strictObject({
  tokenFile: filePath("file with the bot's token (mode 0600)").optional(),
  tokenEnv: variableName("environment variable with the bot's token").optional(),
  chatId: matching(
    /^(-?[0-9]{1,20}|@[A-Za-z0-9_]{5,32})$/,
    CHAT,
    "the chat that gets the messages, and the only one whose commands count",
  ),
  commands: yesOrNo(
    "listen to /status, /balances, /halt and /plans in that chat; resuming is not possible there",
  ).default(false),
  approvers: z
    .array(wholeNumber(1, Number.MAX_SAFE_INTEGER, "id of a Telegram user"))
    .max(20)
    .default([])
    .describe("who may approve plans by /approve DIGEST in that chat, each as the person telegram-ID; needs commands"),
  apiRoot: z
    .string({ error: ADDRESS })
    .refine(isFitAddress, { error: ADDRESS })
    .default("https://api.telegram.org")
    .describe("Telegram's own API, or a local one"),
});

export const noticesSchema = z.strictObject({
  webhook: webhook.optional().describe("messages as JSON to an address: exactly one of url, urlFile and urlEnv"),
  telegram: telegram.optional().describe("messages by a Telegram bot: exactly one of tokenFile and tokenEnv"),
  fillValueMin: amount(
    "0.01",
    "1000000000",
    "fills worth less are not reported, in the currency of the limits",
  ).prefault("10000"),
  repeatMs: milliseconds(60_000, 43_200_000, "time in which the same thing is not reported again").default(900_000),
  perHourMax: wholeNumber(
    1,
    600,
    "messages in an hour on each channel; those that wait for a person are not counted",
  ).default(30),
});
