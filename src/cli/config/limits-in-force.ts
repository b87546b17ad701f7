// Which limits are in force, each as a name and a text. A running bot reads its own once, and leaves them in the ledger of its key; a
// command reads the configuration anew. Where the two differ there are two sets of limits on one journal: whoever moves money
// is refused then, and whoever looks is told.

import type { Config } from "../../config/schema.ts";
import { isByHand } from "../../config/section/rebalancing.ts";
import { printable } from "../../domain/outside-text.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import type { Member } from "../../exchange/budget/ledger-store.ts";
import { limitsOf, parOf } from "../bot/core-of.ts";
import { environmentName } from "../bot/identity.ts";

export type LimitTexts = NonNullable<Member["limits"]>;

const VALUE_MAX = 80;
const NAMED_MAX = 40;

export const SAME_LIMITS = "restart the bot first, so that it goes by those of the configuration, or put that back";

/** How many people a plan is for, who they are, and whether anything goes without one: `approve` goes by it. */
export const WHO_APPROVES = "treasury.approvals";

/**
 * Of orders, mints and rails; by their names in a configuration. With them what a command would go by at once: who and how many
 * approve, where money may be sent, and where par is a source of fair value.
 */
export function limitTexts(config: Config): LimitTexts {
  const { mint, approvals, destinations } = config.treasury;
  const { feeBpsMax, quantityMax, perDayMax } = mint;
  const par = Object.fromEntries(Array.from(parOf(config), ([symbol, { bandBps }]) => [symbol, bandBps]));
  const people = Object.fromEntries(approvals.people.map(({ name, publicKey = "without a key" }) => [name, publicKey]));
  const who = { persons: approvals.persons, people, byHand: isByHand(approvals) };
  const treasury = { mint: { feeBpsMax, quantityMax, perDayMax }, approvals: who, destinations };
  const limits = { risk: limitsOf(config), treasury, market: { par } };
  // As a file would have them: amounts are text again, and the same however many zeros they were written with.
  return Object.fromEntries(leaves("", JSON.parse(JSON.stringify(limits))));
}

/** What is in a list is there or not, in whatever order. */
function leaves(path: string, value: unknown): readonly (readonly [string, string])[] {
  const at = (name: string): string => (path === "" ? name : `${path}.${name}`);
  if (Array.isArray(value)) return value.map((item) => [at(String(item)), "listed"]);
  if (typeof value !== "object" || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, inner]) => leaves(at(name), inner));
}

/** Each one with both values, of those in that section where one is told; undefined where all are the same. */
export function differingLimits(bots: LimitTexts, configured: LimitTexts, only?: string): string | undefined {
  const names = new Set([...Object.keys(bots), ...Object.keys(configured)]);
  const isMeant = (name: string): boolean => only === undefined || name.startsWith(`${only}.`);
  const differ = [...names].filter((name) => isMeant(name) && !isSameLimit(bots[name], configured[name]));
  if (differ.length === 0) return undefined;
  const shown = (text = "absent"): string => printable(text, VALUE_MAX);
  const named = differ
    .slice(0, NAMED_MAX)
    .map((name) => `${name} is ${shown(bots[name])} in the bot and ${shown(configured[name])} in the configuration`);
  return [...named, ...(differ.length > NAMED_MAX ? [`and ${differ.length - NAMED_MAX} more`] : [])].join("; ");
}

/** One that is off is so for whatever reason. */
function isSameLimit(one: string | undefined, other: string | undefined): boolean {
  const isOff = (text: string | undefined): boolean => text?.startsWith("off: ") === true;
  return one === other || (isOff(one) && isOff(other));
}

/** Why this configuration's limits are not those of the bot that runs on its journal; undefined where they are, or none runs. */
export function otherLimits(
  { bot, members }: Pick<LedgerStatus, "bot" | "members">,
  config: Config,
  only?: string,
): string | undefined {
  const running = bot && (members.find(({ instance }) => instance === bot.instance) ?? bot);
  if (running === undefined) return undefined;
  const { pid, limits, books } = running;
  // The same key elsewhere has another journal, and limits of its own.
  if (books !== undefined && books.environment !== environmentName(config)) return undefined;
  if (limits === undefined)
    return `the running bot, process ${pid}, has not named its limits yet: they may not be those of the configuration`;
  const differ = differingLimits(limits, limitTexts(config), only);
  return differ && `the running bot, process ${pid}, goes by other limits than the configuration has: ${differ}`;
}
