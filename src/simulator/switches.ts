// Every switch of the simulator by name, with the values it takes and what it is for. The command line (--set) and the
// portal take them from here, and docs/SIMULATOR.md is checked against it. `profile.` and `market.` lead to the switches
// of the profile and to the market's parameters, which have tables of their own.

import { z } from "zod";
import { jsonOf } from "../domain/json-of.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { printable, quoted } from "../domain/sanitise.ts";
import { SCENARIO_NAMES } from "../domain/scenario.ts";
import { complaintsOf } from "../domain/schema-complaint.ts";
import { type Profile, profileSchema } from "../exchange/profile.ts";
import { DEFAULT_SETTINGS, type VenueSettings } from "./core/settings.ts";
import { amount } from "./fault.ts";
import type { PaceRules } from "./http/key-gate.ts";
import type { MarketParameters } from "./market/parameters.ts";
import { marketIn } from "./market/scenario.ts";

/** The choices in force; `settings` without those of profile and market. */
export type InForce = {
  readonly profile: Profile;
  readonly scenario: readonly string[];
  readonly settings: Partial<VenueSettings>;
  readonly pace: PaceRules;
  readonly publicCallsCount: boolean;
  readonly strict: boolean;
  readonly speed: number;
};

type Tree = { readonly [name: string]: unknown };

const YEAR = 366 * 86_400_000;
const share = z.number().min(0).max(1);
const bps = z.number().min(0).max(9_999);
const ms = z.int().min(0).max(YEAR);
const count = z.int().min(1).max(1_000_000);
const asset = z.string().regex(/^[A-Z0-9]{2,12}$/, "must be an asset such as GBP");
const delay = (name: string, what: string) => ({
  [`${name}.chance`]: share.describe(`share of orders that ${what}`),
  [`${name}.minMs`]: ms.describe("the least delay"),
  [`${name}.maxMs`]: ms.describe("the longest delay"),
});

/** Of the server; the others are settings of the venue. */
export const OF_SERVER: Readonly<Record<string, z.ZodType>> = {
  "pace.spacingMs": ms.describe("arrivals of one key that are closer than this are 429"),
  "pace.refusedCount": z.boolean().describe("whether a refused arrival restarts the wait"),
  publicCallsCount: z.boolean().describe("whether public calls with a registered key count"),
  strict: z.boolean().describe("whether signed requests are taken in the form of the profile only"),
  speed: z.int().min(1).max(1_000_000).describe("of settlement time"),
};

const OF_VENUE: Readonly<Record<string, z.ZodType>> = {
  fokErrorCode: z.enum(["fok_not_fillable", "non_marketable_fok_limit_price"]).describe("error code of a kill"),
  priceBandBps: bps.describe("a limit further than this from the dealer's price is refused"),
  orderAgeMsMax: ms.nullable().describe("largest difference of an order's timestamp; null takes any"),
  duplicateClientOrderId: z.enum(["allow", "refuse"]).describe("a clordid that was used before"),
  killedOrdersListed: z.boolean().describe("whether queryOrders lists killed orders"),
  historyOrder: z.enum(["newest-first", "oldest-first"]).describe("order of rows in lists"),
  historyPageMax: count.describe("rows of a list"),
  historyRetainedMax: count.describe("rows kept per account and kind"),
  postingsRetainedMax: count.describe("postings kept in the ledger's dump"),
  mintMinimum: amount.nullable().describe("minimum issuance; null waives it"),
  mintFeeBps: bps.describe("fee of a mint"),
  mintFunding: z.array(z.union([z.literal("fiat"), asset])).describe("what may fund a mint, in order"),
  conversionSpreadBps: bps.describe("spread of the provider that converts crypto"),
  "settlement.medianMs": ms.describe("median time of a settlement"),
  "settlement.sigma": z.number().min(0).max(5).describe("its log-normal deviation"),
  "settlement.minMs": ms.describe("its least time"),
  "settlement.maxMs": ms.describe("its longest time"),
  "accountPaymentFee.fixed": amount.describe("fixed fee of a payment into the own balance"),
  "accountPaymentFee.bps": bps.describe("its proportional fee"),
  paymentFeeStated: z.boolean().describe("whether queryPayments states fees"),
  railCountries: z.array(z.string().regex(/^[A-Z]{2}$/, "must be two capital letters")).describe("countries served"),
  partyTypes: z.array(z.string().min(1).max(40)).describe("party types served"),
  ...delay("faults.publicationDelay", "show in the lists late"),
  "faults.balanceLagMs": ms.describe("balances as they were this long ago"),
  "faults.secondWriterChance": share.describe("share of orders after which a second user of the account trades"),
  "faults.mintHoldChance": share.describe("share of mints that are held"),
  "faults.railHoldChance": share.describe("share of rails that are held"),
};

const { preset: _, ...ofProfile } = profileSchema.options[1].shape;
const OF_PROFILE: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(ofProfile).map(([name, schema]) => [`profile.${name}`, schema.unwrap()]),
);

const TABLE = { ...OF_SERVER, ...OF_VENUE, ...OF_PROFILE };

/** Each switch once, with its last value. */
export function lastOfEach(given: readonly string[]): readonly string[] {
  return [...new Map(given.map((one) => [one.slice(0, one.indexOf("=")), one])).values()];
}

/** `given`: `name=value` each. Nothing is in force unless all of them are right. */
export function switched(before: InForce, given: readonly string[]): Result<InForce> {
  let now = before;
  for (const one of given) {
    const name = one.slice(0, Math.max(0, one.indexOf("=")));
    const changed = turned(now, name, one.slice(name.length + 1));
    if (!changed.ok) return changed;
    now = changed.value;
  }
  const parameters = marketIn(now.scenario);
  return parameters.ok ? reversedIn(now) : err(`market: ${parameters.error}`);
}

function turned(now: InForce, name: string, text: string): Result<InForce> {
  if (name === "market") {
    if (!(SCENARIO_NAMES as readonly string[]).includes(text))
      return err(`market must be ${SCENARIO_NAMES.join(", ")}, was ${quoted(text)}`);
    const rest = now.scenario.filter((setting) => setting.includes("="));
    return ok({ ...now, scenario: [text, ...rest] });
  }
  if (name.startsWith("market.")) {
    const path = `${name.slice("market.".length)}=`;
    return ok({ ...now, scenario: [...now.scenario.filter((one) => !one.startsWith(path)), path + text] });
  }
  const schema = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
  if (schema === undefined)
    return err(`${printable(name, 80) || quoted(text)} is no switch; GET /portal/switches lists them`);
  const value = readValue(schema, name, text);
  return value.ok ? ok(placed(now, pathOf(name), value.value) as InForce) : value;
}

/** A text, JSON or a list with commas: the first that the switch takes. */
function readValue(schema: z.ZodType, name: string, text: string): Result<unknown> {
  for (const value of [text, jsonOf(text), text.split(",")]) {
    if (value === undefined) continue;
    const read = schema.safeParse(value);
    // Settings have no null.
    if (read.success) return ok(read.data ?? undefined);
  }
  const value = jsonOf(text) ?? text;
  const { error } = schema.safeParse(value);
  return err(complaintsOf(error?.issues ?? [], value, (path) => [name, ...path].join(".")).join("; "));
}

function pathOf(name: string): readonly string[] {
  const path = name.split(".");
  return Object.hasOwn(OF_VENUE, name) ? ["settings", ...path] : path;
}

function placed(tree: Tree, [name = "", ...rest]: readonly string[], value: unknown): Tree {
  if (rest.length === 0) return { ...tree, [name]: value };
  const branch = name in tree ? tree[name] : (DEFAULT_SETTINGS as Tree)[name];
  return { ...tree, [name]: placed(branch as Tree, rest, value) };
}

/** A time is drawn between its bounds. */
function reversedIn(now: InForce): Result<InForce> {
  const { settlement, faults } = { ...DEFAULT_SETTINGS, ...now.settings };
  const ranges = {
    settlement,
    "faults.publicationDelay": faults.publicationDelay,
  };
  for (const [name, { minMs, maxMs }] of Object.entries(ranges))
    if (minMs > maxMs) return err(`${name}.minMs must be at most ${name}.maxMs, ${maxMs}, was ${minMs}`);
  return ok(now);
}

export type Switch = { readonly name: string; readonly value: unknown; readonly about?: string | undefined };

/** All of them with the values in force. */
export function listSwitches(
  now: InForce & { readonly settings: VenueSettings },
  market: MarketParameters,
): readonly Switch[] {
  const own = Object.entries(TABLE).map(([name, { description: about }]) => {
    const value = pathOf(name).reduce<unknown>((tree, step) => (tree as Tree)[step], now);
    return { name, value: value ?? null, about };
  });
  return [...own, { name: "market", value: market.name, about: "scenario" }, ...parametersIn(market, "market.")];
}

function parametersIn(tree: object, path: string): readonly Switch[] {
  return Object.entries(tree).flatMap(([name, value]): readonly Switch[] => {
    if (typeof value === "object") return parametersIn(value, `${path}${name}.`);
    return typeof value === "string" ? [] : [{ name: path + name, value }];
  });
}
