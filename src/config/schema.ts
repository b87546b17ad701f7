// The whole configuration. Each section is one schema; some are imported from other rooms.

import { z } from "zod";
import type { Asset } from "../domain/asset.ts";
import { standsFor } from "../domain/coin.ts";
import { amount, assetName, basisPoints, milliseconds, pairSymbol, wholeNumber } from "../domain/field.ts";
import { Price } from "../domain/money/money.ts";
import { holdsPrivateKey } from "../domain/redact.ts";
import { parseBaseUrl } from "../exchange/base-url.ts";
import { profileSchema } from "../exchange/profile.ts";
import { riskSchema } from "../risk/limits.ts";
import { chainCode, destinationsSchema, entryName } from "./section/destination.ts";
import { marketSchema } from "./section/market.ts";
import { noticesSchema } from "./section/notices.ts";
import { approvalsSchema, conversionsSchema, planningSchema, targetsSchema } from "./section/rebalancing.ts";
import { strategySchema } from "./section/strategy.ts";
import { filePath, matching, variableName } from "./text.ts";

// The venue, and its interface.

const PROXY = "must be the address of an HTTP proxy without a password and a path, such as http://proxy.internal:3128";

function isProxy(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.protocol === "http:" && url.href === `${url.origin}/`;
}

const venueSchema = z.strictObject({
  baseUrl: z
    .string({ error: "must be an address that ends in /api/v1/" })
    .superRefine((text, context) => {
      const address = parseBaseUrl(text);
      if (!address.ok) context.addIssue({ code: "custom", message: address.error, input: text });
    })
    .describe("base address of the venue, ending in /api/v1/; without it paper mode embeds the simulator")
    .optional(),
  proxy: z
    .string({ error: PROXY })
    .refine(isProxy, { error: PROXY })
    .describe("egress proxy for requests to the venue: a tunnel (CONNECT) through it")
    .optional(),
  authority: filePath(
    "PEM file with the certificates that the venue's must be signed by, instead of the public ones",
  ).optional(),
  environment: z
    .enum(["test", "production"])
    .default("test")
    .describe("which of the venue's environments this is; keys and journals belong to one of them"),
  profile: profileSchema.default("contract"),
  instruments: z
    .record(
      pairSymbol("a pair, BASE/QUOTE"),
      z.strictObject({
        quantityMin: amount("0.00000001", "1000000000", "smallest order, in base units").optional(),
        quantityDecimals: wholeNumber(0, 18, "decimals of a quantity").optional(),
        priceDecimals: wholeNumber(0, 18, "decimals of a price").optional(),
      }),
    )
    .default({})
    .describe("what the venue's list of pairs leaves out: a declared field fills it, and must not contradict it"),
});

// The page, metrics and control of a running bot. They stay on this machine unless certificate and names are given.

const serverSchema = z.strictObject({
  host: matching(
    /^[0-9A-Za-z.:-]{1,253}$/,
    "must be an address to listen on: 127.0.0.1, ::1, localhost, or one of this machine's own",
    "address to listen on; any but a loopback address also needs tls and names",
  ).default("127.0.0.1"),
  port: wholeNumber(0, 65_535, "port to listen on; 0 takes a free one").default(8787),
  reads: z
    .enum(["open", "token"], { error: "must be open or token" })
    .optional()
    .describe("who may look: open (on a loopback address unless set) or with a token"),
  tls: z
    .strictObject({
      certFile: filePath("PEM file with the certificate and its chain"),
      keyFile: filePath("PEM file with its private key (mode 0600)"),
    })
    .optional()
    .describe("serves over https"),
  names: z
    .array(matching(/^[0-9A-Za-z.-]{1,253}$/, "must be a host name without a port", "a host name"), {
      error: "must be a list of host names",
    })
    .max(10, { error: "must have at most 10 names" })
    .optional()
    .describe("names by which other machines ask for it; requests by any other are refused"),
});

// Parameters for orders of unknown outcome. The defaults are for real money: live mode accepts nothing less careful
// (src/config/rule.ts), tests of the whole bot do.

const protocolSchema = z.strictObject({
  windowMsMin: milliseconds(
    1_000,
    900_000,
    "how long after the fence history must stay silent before an order counts as dead",
  ).default(120_000),
  windowPerDelay: wholeNumber(1, 100, "and at least this many times the longest publication delay seen").default(10),
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

// The local book of a shadow: what the real venue would do to its orders and does not show.

const openingFunds = z
  .record(assetName("an asset"), amount("0", "1000000000", "units of the asset"), {
    error: "must be a mapping from each asset to a quoted decimal",
  })
  .optional();

const shadowSchema = z.strictObject({
  funds: openingFunds.describe("what the book opens with; absent: the venue's balances at the first start"),
  feeBps: basisPoints(1, 99, "fee of a trade, of its value; absent: none").optional(),
  impactBps: basisPoints(
    1,
    99,
    "what a trade of 10,000 moves the price by; it pays half of its own; absent: none",
  ).optional(),
  refusedPercent: wholeNumber(
    1,
    99,
    "orders that the venue's last look refuses, of a hundred; absent: none",
  ).optional(),
  refillMs: milliseconds(1_000, 900_000, "size that was taken is back at each multiple of it").default(60_000),
  halfSpreadBps: basisPoints(1, 99, "half spread around the reference, where the venue shows no quotes").default(10),
});

// The location of the private key. The key itself is never in a configuration: text that looks like one is refused, and
// messages repeat nothing of this section.

const NOT_THE_KEY = "must not be the private key itself: keep it in a file and name the file";

const keySchema = z.strictObject({
  file: notAKey(filePath("PEM file with the private key")).optional(),
  env: notAKey(variableName("environment variable that holds the private key, as PEM or base64 of it")).optional(),
  keystore: notAKey(filePath("encrypted key file")).optional(),
  passphraseFile: notAKey(
    filePath("file with the keystore's passphrase (mode 0600); without it pegbot asks at the terminal"),
  ).optional(),
  publicKey: notAKey(
    matching(
      /^[\x21-\x7e]{16,1024}$/,
      "must be the public key as the portal shows it, in one line",
      "public key as the portal shows it; beats the one derived from the private key",
    ),
  ).optional(),
});

function notAKey(schema: z.ZodString): z.ZodString {
  return schema.refine((text) => !holdsPrivateKey(text), { error: NOT_THE_KEY, when: isText });
}

/** Also checked if the text broke another rule: this message matters more. */
function isText(payload: { readonly value: unknown }): boolean {
  return typeof payload.value === "string";
}

// The location of the journal.

const COIN = "must be a coin that stands for a currency, such as VCHF";
const COST = 'must be a price in quotes, such as "0.9985"';

const journalSchema = z.strictObject({
  path: filePath("the journal, one file per environment and account").default("./data/pegbot.db"),
  openingCosts: z
    .record(
      z.string().refine((asset) => standsFor(asset as Asset) !== undefined, { error: COIN }),
      z.string({ error: COST }).refine((text) => Price.parse(text).ok, { error: COST }),
    )
    .optional()
    .describe("what a unit of each coin had cost, in the currency that it stands for; read when the books are opened"),
});

// Templates of payment rails: all fields of a rail under a name, so that a command cannot mistype them.

const text = (max: number, about: string) =>
  z
    .string({ error: "must be a text" })
    .min(1, { error: "must not be empty" })
    .max(max, { error: `must have at most ${max} characters` })
    .describe(about);

const partySchema = z.strictObject({
  name: text(140, "legal name of the sender, as its bank has it"),
  country: matching(
    /^[A-Z]{2}$/,
    "must be a country of two capital letters",
    "country of the sender, two capital letters",
  ),
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
      fixed: amount("0.01", "10000", "fixed part, in the coin; absent: nothing").optional(),
      bps: basisPoints(1, 99, "share of the payment; absent: nothing").optional(),
    })
    .optional()
    .describe(
      "what the venue takes off a payment that comes onto the account, where its list of payments does not state a fee; absent: none",
    ),
});

const railsSchema = z.record(entryName, template, {
  error: "must be a mapping from names to templates of rails",
});

// Bounds of mints. The venue's requirements (its minimum, the decimals it reads) are settings, because its interface
// leaves them open; our own bounds apply next to the available money.

const coins = (about: string) =>
  z
    .record(assetName("a coin"), amount("1", "1000000000", "units of the coin"), {
      error: "must be a mapping from each coin to a quoted decimal",
    })
    .default({})
    .describe(about);

const mintSchema = z.strictObject({
  feeBpsMax: basisPoints(1, 99, "fee of a mint; more than that is not approved, and halts when it is charged").default(
    10,
  ),
  quantityMax: coins("units of one mint, for each coin; a coin that is not named is bounded by the money alone"),
  perDayMax: coins("units of all mints of a coin within 24 hours"),
  minimum: amount("1", "1000000000", "value of the smallest mint that the venue takes").prefault("100000"),
  minimumCurrency: assetName("currency of the minimum").default("GBP"),
  saltDecimals: wholeNumber(
    1,
    6,
    "decimals in which a quantity is made recognisable, by at most a 100,000th of it",
  ).default(2),
});

export const treasurySchema = z.strictObject({
  targets: targetsSchema.default({}),
  approvals: approvalsSchema.prefault({}).describe("what may happen without asking, and who is asked"),
  planning: planningSchema.prefault({}).describe("what plans reckon with"),
  mint: mintSchema.prefault({}).describe("bounds of mints"),
  destinations: destinationsSchema
    .default({})
    .describe("wallets and bank accounts that may be sent to, by a name of ours"),
  rails: railsSchema.default({}).describe("templates of payment rails, by name"),
});

const paperSchema = z.strictObject({
  funds: openingFunds.describe("what a new account opens with; a known one keeps what it has"),
  speed: wholeNumber(1, 1_000_000, "how many times faster mints, rails and payments settle").default(1),
});

export const configSchema = z.strictObject({
  mode: z
    .enum(["paper", "shadow", "live"])
    .default("paper")
    .describe(
      "paper trades on a simulator, shadow on a book of its own at the real venue's prices, live with real money",
    ),
  confirm: z
    .string({ error: "must be a sentence" })
    .optional()
    .describe('what opens live mode: "trade real money on <environment>"'),
  venue: venueSchema.prefault({}).describe("the venue and how it is spoken to"),
  shadow: shadowSchema.prefault({}).describe("the book that shadow trades on"),
  key: keySchema.optional().describe("where the private key is: exactly one of file, env and keystore"),
  paper: paperSchema.prefault({}).describe("the paper account on the simulator inside the bot"),
  market: marketSchema.prefault({}).describe("where prices come from"),
  strategy: strategySchema.prefault({}).describe("what decides"),
  risk: riskSchema.optional().describe("the limits, every one by name; live mode needs them"),
  protocol: protocolSchema.prefault({}).describe("patience with orders of unknown outcome"),
  treasury: treasurySchema.prefault({}).describe("mints, rails and rebalancing"),
  conversions: conversionsSchema.default({}),
  journal: journalSchema.prefault({}).describe("the durable record"),
  notices: noticesSchema.prefault({}).describe("messages to people"),
  server: serverSchema.prefault({}).describe("page, metrics and control on this machine"),
});

export type Config = Readonly<z.output<typeof configSchema>>;
