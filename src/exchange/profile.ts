// The venue profile: each point that the venue's interface leaves open is one named switch with a default. The rest of
// the code takes a profile and knows no other variants.

import { z } from "zod";
import { isFurtherRefusal } from "./refusals.ts";

const MEANINGS = ["Filled", "Rejected", "pending", "held", "settled"] as const;

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
    .enum(["empty", "braces"])
    .describe("a call without fields: nothing signed and nothing sent, or {} signed and {} sent as JSON"),
  signatureBytes: z.enum(["der", "raw"]).describe("signature as ASN.1 DER, or as the 64 bytes of r and s"),
  signatureText: z
    .enum(["base64url", "base64"])
    .describe("signature as base64url without padding, or as standard base64 with padding"),
  formCalls: z.enum(["form", "json"]).describe("how calls with fields are sent; addPaymentRail is always JSON"),
  formNumbers: z
    .enum(["strings", "numbers"])
    .describe("amounts in the signed (and sent) JSON: quoted decimal texts, or bare numbers with the same digits"),
  tradingPairs: z.enum(["get", "post"]).describe("HTTP method of /client/tradingPairs"),
  quotes: z.enum(["get", "absent"]).describe("whether GET /client/quotes exists"),
  mintMinimum: z.enum(["applies", "waived"]).describe("whether the minimum issuance is enforced"),
  mintDestination: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_.]{0,39}$/, "a field's name must be 1 to 40 letters, digits, _ and ., after a letter")
    .refine(
      (name) => !["asset", "blockchain", "quantity"].includes(name),
      "mintTokens has a field of this name already",
    )
    .describe("field of mintTokens that names an external wallet; none refuses a mint to one"),
  answers: z
    .enum(["contract", "observed"])
    .describe("shape of answers: only the simulator has to choose, the client reads both"),
  refusals: z
    .array(
      z
        .string()
        .regex(/^[\x21-\x7e][\x20-\x7e]{0,79}$/, "a code must be 1 to 80 printable ASCII characters")
        .refine(isFurtherRefusal, "this code has a meaning already, or is also said of requests that landed"),
    )
    .max(100)
    .describe(
      "further error codes of this venue that refuse an order, a mint or a rail for certain; any other code leaves the outcome unknown",
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
      "further statuses of this venue in its lists of orders, trades, mints, rails and payments, and what each means",
    ),
});

export type Profile = Readonly<z.infer<typeof switches>>;
export type Curve = Profile["curve"];

const contract: Profile = {
  curve: "p256",
  signingOrder: "path-body-nonce",
  signingSeparator: "",
  signedPath: "full",
  emptyCall: "empty",
  signatureBytes: "der",
  signatureText: "base64url",
  formCalls: "form",
  formNumbers: "strings",
  tradingPairs: "get",
  quotes: "get",
  mintMinimum: "applies",
  mintDestination: "none",
  answers: "contract",
  refusals: [],
  statuses: {},
};

/** Differences from the contract that clients of such a venue were seen to use; none is confirmed. */
const observed: Profile = {
  ...contract,
  emptyCall: "braces",
  signatureText: "base64",
  formCalls: "json",
  answers: "observed",
};

export const presets = { contract, observed } as const;
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

type Meaning = (typeof MEANINGS)[number];

export type Reword = (status: string) => string;

type StatusWords = { readonly history: Reword; readonly settlement: Reword };

const KNOWN: ReadonlyMap<string, Meaning> = new Map([
  ["filled", "Filled"],
  ["rejected", "Rejected"],
  ["pending", "pending"],
  ["held", "held"],
  ["settled", "settled"],
  ["completed", "settled"],
]);

export function statusWords(further: Readonly<Record<string, Meaning>> = {}): StatusWords {
  const given = new Map(Object.entries(further).map(([status, meaning]) => [status.toLowerCase(), meaning]));
  return {
    history(status) {
      const meaning = KNOWN.get(status.toLowerCase()) ?? given.get(status.toLowerCase());
      if (meaning === "Rejected") return meaning;
      // A fill settles at once, so some lists report it as filled and others as settled.
      return meaning === "Filled" || meaning === "settled" ? "Filled" : status;
    },
    settlement(status) {
      const meaning = given.get(status.toLowerCase());
      if (meaning === "Filled") return "settled";
      return meaning === "Rejected" ? "rejected" : (meaning ?? status);
    },
  };
}

/** Whether a profile may define this status: only one without a built-in meaning. */
function isFurtherStatus(status: string): boolean {
  return !KNOWN.has(status.toLowerCase());
}
