// The switches of `--set` by name, with the values they take: those of the operator, and after `profile.` those of the
// profile. docs/guides/simulator.md is checked against them.

import { z } from "zod";
import { jsonOf } from "../domain/json-of.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { printable, quoted } from "../domain/sanitise.ts";
import { complaintsOf } from "../domain/schema-complaint.ts";
import { type Profile, profileSchema } from "../exchange/profile.ts";
import { DEFAULT_SETTINGS, type VenueSettings } from "./core/settings.ts";
import { amount } from "./fault.ts";

/** `settings` without those of profile and market. */
export type Choices = {
  readonly profile: Profile;
  readonly settings: Partial<VenueSettings>;
  readonly pace: { readonly spacingMs: number };
};

type Tree = { readonly [name: string]: unknown };

const share = z.number().min(0).max(1);
const bps = z.number().min(0).max(9_999);
const ms = z
  .int()
  .min(0)
  .max(366 * 86_400_000);

export const OF_VENUE: Readonly<Record<string, z.ZodType>> = {
  fokErrorCode: z.enum(["fok_not_fillable", "non_marketable_fok_limit_price"]),
  priceBandBps: bps,
  duplicateClientOrderId: z.enum(["allow", "refuse"]),
  killedOrdersListed: z.boolean(),
  historyPageMax: z.int().min(1).max(1_000_000),
  mintMinimum: amount.nullable(),
  mintFeeBps: bps,
  "settlement.medianMs": ms,
  "settlement.sigma": z.number().min(0).max(5),
  "settlement.minMs": ms,
  "settlement.maxMs": ms,
  "accountPaymentFee.fixed": amount,
  "accountPaymentFee.bps": bps,
  paymentFeeStated: z.boolean(),
  "faults.publicationDelay.chance": share,
  "faults.publicationDelay.minMs": ms,
  "faults.publicationDelay.maxMs": ms,
  "faults.balanceLagMs": ms,
  "faults.mintHoldChance": share,
  "faults.railHoldChance": share,
};

const { preset: _, ...ofProfile } = profileSchema.options[1].shape;
const OF_PROFILE: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(ofProfile).map(([name, schema]) => [`profile.${name}`, schema.unwrap()]),
);

const TABLE = { "pace.spacingMs": ms, ...OF_VENUE, ...OF_PROFILE };

/** `given`: `name=value` each. */
export function switched(before: Choices, given: readonly string[]): Result<Choices> {
  let now = before;
  for (const one of given) {
    const name = one.slice(0, Math.max(0, one.indexOf("=")));
    const changed = turned(now, name, one.slice(name.length + 1));
    if (!changed.ok) return changed;
    now = changed.value;
  }
  return reversedIn(now);
}

function turned(now: Choices, name: string, text: string): Result<Choices> {
  const schema = Object.hasOwn(TABLE, name) ? (TABLE as Readonly<Record<string, z.ZodType>>)[name] : undefined;
  if (schema === undefined)
    return err(`${printable(name, 80) || quoted(text)} is no switch; there are ${Object.keys(TABLE).join(", ")}`);
  const value = readValue(schema, name, text);
  return value.ok ? ok(placed(now, pathOf(name), value.value) as Choices) : value;
}

/** A text or JSON: the first that the switch takes. */
function readValue(schema: z.ZodType, name: string, text: string): Result<unknown> {
  for (const value of [text, jsonOf(text)]) {
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
function reversedIn(now: Choices): Result<Choices> {
  const { settlement, faults } = { ...DEFAULT_SETTINGS, ...now.settings };
  const ranges = {
    settlement,
    "faults.publicationDelay": faults.publicationDelay,
  };
  for (const [name, { minMs, maxMs }] of Object.entries(ranges))
    if (minMs > maxMs) return err(`${name}.minMs must be at most ${name}.maxMs, ${maxMs}, was ${minMs}`);
  return ok(now);
}
