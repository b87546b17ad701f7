// The limits in force, each by its name with its value as JSON. A running bot applies tighter limits of its
// configuration on request (`pegbot limits reload`, SIGHUP) and all others at its next start.

import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import { isByHand } from "../../config/section/rebalancing.ts";
import { Quantity } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { riskSchema } from "../../risk/limits.ts";
import { parOf } from "../feeds/par.ts";

export type LimitTexts = Readonly<Record<string, string>>;

const VALUE_MAX = 80;
const NAMED_MAX = 40;

const RELOAD = "pegbot limits reload";
/** The remedy for differing limits. */
export const SAME_LIMITS = `${RELOAD} has the bot take over what is tighter, and a restart everything`;
/**
 * The limits of orders, mints and rails by their names in a configuration, and further settings that a restart would
 * change: approvers, destinations, and where par is a source of fair value.
 */
export function limitTexts(config: Config): LimitTexts {
  const { mint, approvals, destinations } = config.treasury;
  const { feeBpsMax, quantityMax, perDayMax } = mint;
  const par = Object.fromEntries(Array.from(parOf(config), ([symbol, { bandBps }]) => [symbol, bandBps]));
  const people = approvals.people.map(({ name }) => name);
  const who = { persons: approvals.persons, people, byHand: isByHand(approvals) };
  const treasury = { mint: { feeBpsMax, quantityMax, perDayMax }, approvals: who, destinations };
  const limits = { risk: limitsOf(config), treasury, market: { par } };
  // As in a file: amounts are text, and equal regardless of trailing zeros.
  return Object.fromEntries(leaves("", JSON.parse(JSON.stringify(limits))));
}

const LISTED = "listed";

/** List items are compared by presence; their order does not matter. */
function leaves(path: string, value: unknown): readonly (readonly [string, string])[] {
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  if (Array.isArray(value)) return value.map((item) => [at(String(item)), JSON.stringify(LISTED)]);
  if (typeof value !== "object" || value === null) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, inner]) => leaves(at(name), inner));
}

function parsed(text: string | undefined): string | number | undefined {
  return text === undefined ? undefined : JSON.parse(text);
}

export type Difference = {
  readonly name: string;
  readonly from: string | number | undefined;
  readonly to: string | number | undefined;
  /** How `to` compares with `from`. */
  readonly is: Exclude<Comparison, "same">;
};

export function differences(from: LimitTexts, to: LimitTexts): readonly Difference[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...names].flatMap((name) => {
    const [one, other] = [parsed(from[name]), parsed(to[name])];
    const is = compareLimit(name, one, other);
    return is === "same" ? [] : [{ name, from: one, to: other, is }];
  });
}

/** Lists each difference with both values; undefined if there is none. */
export function differingLimits(bots: LimitTexts, configured: LimitTexts): string | undefined {
  const each = ({ name, from, to }: Difference): string =>
    `${name} is ${shown(from)} in the bot and ${shown(to)} in the configuration`;
  return listed(differences(bots, configured), each);
}

/** A difference, with null for an absent value. */
type Changed = Pick<Difference, "name"> & { readonly from?: Value | null; readonly to?: Value | null };

/** `risk.orderValueMax 50000 -> 5000`. */
export function changeText(differ: readonly Changed[]): string {
  return listed(differ, ({ name, from, to }) => `${name} ${shown(from)} -> ${shown(to)}`) ?? "";
}

function listed<T>(differ: readonly T[], each: (one: T) => string): string | undefined {
  if (differ.length === 0) return undefined;
  const more = differ.length > NAMED_MAX ? [`and ${differ.length - NAMED_MAX} more`] : [];
  return [...differ.slice(0, NAMED_MAX).map(each), ...more].join("; ");
}

function shown(value: Value | null): string {
  return printable(String(value ?? "absent"), VALUE_MAX);
}

/** The configuration, with each limit replaced that is tighter in `other`. */
export type Tightened = { readonly config: Config; readonly taken: readonly Difference[] };

export function tightened(config: Config, other: LimitTexts): Result<Tightened> {
  const own = limitTexts(config);
  const taken = differences(own, other).filter(({ is }) => is === "tighter");
  if (taken.length === 0) return ok({ config, taken });
  const texts: Record<string, string | undefined> = { ...own };
  for (const { name } of taken) texts[name] = other[name];
  const { risk, treasury } = sectionsOf(texts);
  const limits = riskSchema.safeParse({ ...risk, symbols: Object.keys(risk.symbols ?? {}) });
  if (!limits.success) return err("no pair is in both lists of risk.symbols");
  const { feeBpsMax, quantityMax, perDayMax } = treasury.mint;
  const mint = { ...config.treasury.mint, feeBpsMax, quantityMax: amounts(quantityMax), perDayMax: amounts(perDayMax) };
  return ok({ config: { ...config, risk: limits.data, treasury: { ...config.treasury, mint } }, taken });
}

type Amounts = Readonly<Record<string, string>>;
type Sections = {
  readonly risk: { readonly symbols?: object };
  readonly treasury: {
    readonly mint: { readonly feeBpsMax: number; readonly quantityMax?: Amounts; readonly perDayMax?: Amounts };
  };
};

/** Builds the nested sections from dotted names. */
function sectionsOf(texts: Readonly<Record<string, string | undefined>>): Sections {
  const sections: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(texts)) {
    if (text === undefined || !/^(risk|treasury\.mint)\./.test(name)) continue;
    const path = name.split(".");
    const last = path.pop() as string;
    let section = sections;
    for (const key of path) {
      // The limit was off as a whole and now has a value for each pair.
      if (typeof section[key] !== "object") section[key] = {};
      section = section[key] as Record<string, unknown>;
    }
    section[last] ??= parsed(text);
  }
  return sections as Sections;
}

function amounts(texts: Amounts = {}): Record<string, Quantity> {
  return Object.fromEntries(Object.entries(texts).map(([asset, text]) => [asset, Quantity.of(text)]));
}

// Decides which of two values of a limit is tighter. Limits are compared by their name in a configuration
// (`risk.orderValueMax`); a setting that is not a pure bound has no order and changes only at a restart.

/** `unordered`: they differ, and neither is known to be tighter. */
type Comparison = "same" | "tighter" | "wider" | "unordered";

type Value = string | number | undefined;

/** For every other limit a lower value is tighter. */
const MORE_IS_TIGHTER: ReadonlySet<string> = new Set([
  "risk.depegAssumedBps",
  "risk.issuerEndBps",
  "risk.referenceSourcesMin",
  "risk.rejectFreezeMs",
  "risk.lossFreezeMs",
  "risk.duplicateWindowMs",
  "risk.offsetWindowMs",
  "risk.reserveBpsMin",
  "risk.rampOrders",
]);

/** Rules do not read these directly: one is the currency of all amounts, the others affect the marks of holdings. */
const AT_START: ReadonlySet<string> = new Set(["risk.currency", "risk.markAgeMsMax", "risk.markHaircutBps"]);

/** An absent permit allows nothing, while any other absent limit means no limit. */
const PERMITS = /^risk\.(symbols|exit)\./;
const ORDERED = /^(risk|treasury\.mint)\./;

/** How `to` compares with `from`. */
export function compareLimit(name: string, from: Value, to: Value): Comparison {
  if (from === to) return "same";
  if (!ORDERED.test(name) || AT_START.has(name)) return "unordered";
  const [one, other] = [room(name, from), room(name, to)];
  // Both mean no bound, written differently.
  if (one === other) return Number.isFinite(one) ? "unordered" : "same";
  if (Number.isNaN(one) || Number.isNaN(other)) return "unordered";
  return other < one === !MORE_IS_TIGHTER.has(name) ? "tighter" : "wider";
}

function room(name: string, value: Value): number {
  if (value === "listed") return 1;
  const isOff = typeof value === "string" && value.startsWith("off: ");
  if (!isOff && value !== undefined) return Number(value);
  if (PERMITS.test(name)) return 0;
  return MORE_IS_TIGHTER.has(name) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
