// The venue profile: each point that the venue's interface leaves open is one named switch with a default. The rest of
// the code takes a profile and knows no other variants.

import { readFileSync } from "node:fs";
import { z } from "zod";
import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";
import { isFurtherRefusal } from "./refusals.ts";

const MEANINGS = ["Filled", "Rejected", "pending", "held", "settled", "online"] as const;

/** Our names of fields and lists, the contract's where it has one. */
const FIELDS = [
  ...["pairs", "quotes", "orders", "trades", "supplychanges", "rails", "payments", "addresses", "balances"],
  ...["symbol", "base", "quote", "status", "clordid", "ordid", "tradeid", "side", "quantity", "price", "total"],
  ...["bought", "bought_currency", "sold", "sold_currency", "fee", "fee_currency", "timestamp", "requestid", "txid"],
  ...["asset", "blockchain", "type", "reason", "railid", "paymentid", "amount", "currency", "address", "label"],
  ...["min_order_size", "qty_decimals", "price_decimals", "step_size", "tick_size", "active", "orderqty", "ordstatus"],
  ...["b", "a", "bid_size", "ask_size", "received", "received_currency", "spent", "spent_currency", "available"],
  ...["pending", "id", "name"],
  ...["railtype", "wallet", "bankaccount", "instructions", "ignored"],
] as const;

const mintField = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9_.]{0,39}$/, "a field's name must be 1 to 40 letters, digits, _ and ., after a letter")
  .refine((name) => !["asset", "blockchain", "quantity"].includes(name), "mintTokens has a field of this name already");

const switches = z.strictObject({
  curve: z
    .enum(["p256", "secp256k1"])
    .describe("elliptic curve of the key pair; the key itself says which it is, and the two must agree"),
  signingOrder: z.enum(["path-body-nonce", "body-path-nonce"]).describe("order of the three parts of the signing text"),
  signingSeparator: z
    .string()
    .regex(/^[\n\x20-\x7e]{0,8}$/, "signing separator must be at most 8 printable ASCII characters or line feeds")
    .describe("what stands between the parts of the signing text"),
  signedPath: z
    .enum(["full", "relative"])
    .describe("path in the signing text: /api/v1/private/<name>, or /private/<name>"),
  emptyCall: z
    .enum(["empty", "braces", "braces-signed"])
    .describe("a call without fields: nothing signed and nothing sent, {} signed and sent as JSON, or {} signed alone"),
  signatureBytes: z.enum(["der", "raw"]).describe("signature as ASN.1 DER, or as the 64 bytes of r and s"),
  signatureText: z
    .enum(["base64url", "base64", "base64url-padded"])
    .describe("signature as base64url without padding, as standard base64 with padding, or as base64url with padding"),
  formCalls: z.enum(["form", "json"]).describe("how calls with fields are sent; addPaymentRail is always JSON"),
  formNumbers: z
    .enum(["strings", "numbers"])
    .describe("amounts in the signed (and sent) JSON: quoted decimal texts, or bare numbers with the same digits"),
  tradingPairs: z.enum(["get", "post"]).describe("HTTP method of /client/tradingPairs"),
  quotes: z.enum(["get", "absent"]).describe("whether GET /client/quotes exists"),
  mintMinimum: z.enum(["applies", "waived"]).describe("whether the minimum issuance is enforced"),
  mintDestination: mintField.describe("field of mintTokens that names an external wallet; none refuses a mint to one"),
  mintFunding: mintField.describe("field of mintTokens that names the asset that pays; none lets the venue choose it"),
  answers: z
    .enum(["contract", "observed"])
    .describe("shape of answers: only the simulator has to choose, the client reads both"),
  feeMissing: z.enum(["none", "zero"]).describe("a trade without a fee: unreadable, or known to be free of one"),
  feeCurrencyMissing: z
    .enum(["none", "base", "quote", "bought", "sold"])
    .describe("currency of a trade's fee that states none: unreadable, or known to be this one"),
  paymentAmounts: z
    .enum(["none", "gross", "net"])
    .describe("amount of a payment next to its fee: not booked, or known to be before the fee is taken off or after"),
  feeInside: z
    .enum(["none", "quote", "base"])
    .describe("the leg of a fill that is stated with the fee in it: none, or the one in the quote or the base asset"),
  fillsAt: z
    .enum(["price", "limit"])
    .describe("what a fill pays: the venue's price, or the order's limit, which then goes no further than the quote"),
  pairStatusMissing: z
    .enum(["none", "online"])
    .describe("a pair without a status: unreadable, or known to be tradable"),
  timesWithoutZone: z.enum(["none", "utc"]).describe("ISO times without a zone: not read, or known to be UTC"),
  refusals: z
    .array(
      z
        .string()
        .regex(/^[\x21-\x7e][\x20-\x7e]{0,79}$/, "a code must be 1 to 80 printable ASCII characters")
        .refine(isFurtherRefusal, "this code has a meaning already, or also answers requests that landed"),
    )
    .max(100)
    .describe(
      "further error codes of this venue that refuse an order, a mint or a rail for certain; any other code leaves the outcome unknown",
    ),
  fields: z
    .record(
      z.string().regex(/^[\x21-\x7e]{1,60}$/, "a field's name must be 1 to 60 printable ASCII characters"),
      z.enum(FIELDS),
    )
    .describe(
      "further names of fields and lists in this venue's lists, and which of ours each is; ignored leaves it out",
    ),
  statuses: z
    .record(
      z
        .string()
        .regex(/^[\x21-\x7e][\x20-\x7e]{0,79}$/, "a status must be 1 to 80 printable ASCII characters")
        .refine(isFurtherStatus, "this status has a meaning already"),
      z.enum(MEANINGS),
    )
    .describe(
      "further statuses of this venue in its lists of pairs, orders, trades, mints, rails and payments, and what each means",
    ),
});

export type Profile = Readonly<z.infer<typeof switches>>;
export type Curve = Profile["curve"];

const by = z.string().max(200).describe("what showed it");
const pair = z.string().regex(/^[A-Z0-9]{2,12}\/[A-Z0-9]{2,12}$/, "must be a pair");

/** A profile that is shared: each switch and each thing seen, with what showed it. No account is in it. */
export const profileFileSchema = z.strictObject({
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, "a profile's name must be 1 to 40 of a-z, 0-9 and hyphens"),
  date: z.iso.date({ error: "must be a day, such as 2026-11-19" }),
  switches: z.strictObject(
    Object.fromEntries(
      Object.entries(switches.shape).map(([name, is]) => [name, z.strictObject({ is, by }).optional()]),
    ),
  ),
  /** As in venue.instruments. */
  instruments: z.record(pair, z.record(z.string(), z.union([z.string(), z.number()]))).default({}),
  seen: z
    .record(z.string().max(60), z.strictObject({ is: z.union([z.string().max(1_000), z.number()]), by }))
    .default({}),
});
export type ProfileFile = z.infer<typeof profileFileSchema>;

/** What the file leaves out is as in the contract. */
export function profileOf({ switches: given }: ProfileFile): Profile {
  return { ...presets.contract, ...Object.fromEntries(Object.entries(given).map(([name, one]) => [name, one?.is])) };
}

export function presetPlace(name: string): URL {
  return new URL(`../../profiles/${name}.yaml`, import.meta.url);
}

/** A line of a switch, in which the values are JSON: a command that reads no other YAML loads no reader of it. */
const LINE = /^ {2}(\w+): \{ is: (.+), by: ".*" \}$/gm;

function presetIn(name: string): Profile {
  const lines = readFileSync(presetPlace(name), "utf8").matchAll(LINE);
  return switches.parse(Object.fromEntries(Array.from(lines, ([, key, is = ""]) => [key, JSON.parse(is)])));
}

/** `observed`: differences from the contract that clients of such a venue were seen to use; none is confirmed. */
export const presets = { contract: presetIn("contract"), observed: presetIn("observed") } as const;

export function isPreset(name: string): name is PresetName {
  return Object.hasOwn(presets, name);
}

export type PresetName = keyof typeof presets;

const presetName = z.enum(["contract", "observed"]);

/** The configured form: a preset's name, or a preset and the switches that differ from it. */
export const profileSchema = z
  .union([presetName, switches.partial().extend({ preset: presetName.default("contract") })])
  .describe("venue profile: a preset, or { preset, <switch>: <value>, ... }");

export type ProfileSetting = z.input<typeof profileSchema>;

export function resolveProfile(setting: ProfileSetting): Profile {
  if (typeof setting === "string") return presets[setting];
  const { preset = "contract", ...overrides } = setting;
  const given = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
  return { ...presets[preset], ...given };
}

/** The asset of the leg that has the fee in it. */
export function insideOf(symbol: PairSymbol, feeInside: Profile["feeInside"]): Asset | undefined {
  return feeInside === "none" ? undefined : assetsOf(symbol)[feeInside];
}

type Meaning = (typeof MEANINGS)[number];

type Reword = (status: string) => string;

export type StatusWords = { readonly history: Reword; readonly settlement: Reword; readonly pair: Reword };

const KNOWN: ReadonlyMap<string, Meaning> = new Map([
  ["filled", "Filled"],
  ["rejected", "Rejected"],
  ["pending", "pending"],
  ["held", "held"],
  ["settled", "settled"],
  ["completed", "settled"],
  ["online", "online"],
]);

export function statusWords(further: Readonly<Record<string, Meaning>> = {}): StatusWords {
  const given = new Map(Object.entries(further).map(([status, meaning]) => [status.toLowerCase(), meaning]));
  const meaningOf = (status: string): Meaning | undefined =>
    KNOWN.get(status.toLowerCase()) ?? given.get(status.toLowerCase());
  return {
    history(status) {
      const meaning = meaningOf(status);
      if (meaning === "Rejected") return meaning;
      // A fill settles at once, so some lists report it as filled and others as settled.
      return meaning === "Filled" || meaning === "settled" ? "Filled" : status;
    },
    settlement(status) {
      const meaning = given.get(status.toLowerCase());
      if (meaning === "Filled") return "settled";
      return meaning === "Rejected" ? "rejected" : (meaning ?? status);
    },
    pair: (status) => (meaningOf(status) === "online" ? "online" : status),
  };
}

/** Whether a profile may define this status: only one without a built-in meaning. */
function isFurtherStatus(status: string): boolean {
  return !KNOWN.has(status.toLowerCase());
}
