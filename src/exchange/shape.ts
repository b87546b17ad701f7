// Recognises the shape of a list from its answer: which values of the profile's switches its rows show, what of it the
// client cannot read, and the switch that would decide. Nothing is guessed: an empty list shows nothing.

import type { Asset } from "../domain/asset.ts";
import { quoted } from "../domain/sanitise.ts";
import { settlementOf } from "../domain/settlement-status.ts";
import { orderFields, type ReadEndpoint, rowTime } from "./endpoint/endpoint.ts";
import { type ListParts, listEndpoints, supplyChangesOf } from "./lists.ts";
import { type SupplyChange, type Unread, unreadText } from "./port.ts";
import { type Profile, statusWords } from "./profile.ts";
import {
  findList,
  folded,
  type Read,
  read,
  renamed,
  type TimeForm,
  timeForm,
  timeIn,
  Unreadable,
} from "./wire/decoder.ts";
import { type Json, JsonNumber, JsonObject } from "./wire/json.ts";

/** The lists whose rows the interface does not show. */
export const LIST_NAMES = [
  "pairs",
  "quotes",
  "orders",
  "trades",
  "supplyChanges",
  "rails",
  "payments",
  "addresses",
] as const;
export type ListName = (typeof LIST_NAMES)[number];

export type ListRows = {
  readonly [L in keyof ReturnType<typeof listEndpoints>]: Read<ReturnType<typeof listEndpoints>[L]["answer"]>[number];
} & { readonly supplyChanges: SupplyChange };

type Shapes = Pick<
  Profile,
  | "lists"
  | "keys"
  | "orderIds"
  | "tradeIds"
  | "tradeAmounts"
  | "statusCase"
  | "answerNumbers"
  | "times"
  | "quoteLevels"
  | "symbolForm"
>;

export type Shape = {
  readonly list: ListName;
  readonly rows: number;
  /** No row yet, so nothing but its name is known. */
  readonly isEmpty: boolean;
  /** Times never fall from row to row, and rise at least once. */
  readonly isAscending: boolean;
  /** The switches of the profile that the rows show. */
  readonly switches: Partial<Shapes>;
  /** The same in words. */
  readonly seen: readonly string[];
  /** What the client cannot read, with the switch that decides it; these rows block what depends on them. */
  readonly unreadable: readonly string[];
};

export function listEndpoint(
  list: ListName,
  parts: ListParts,
  asset = "VCHF" as Asset,
): ReadEndpoint<readonly unknown[]> {
  return list === "supplyChanges" ? supplyChangesOf(asset, parts.profile) : listEndpoints(parts)[list];
}

export function recogniseShape(list: ListName, json: Json, parts: ListParts): Shape {
  const problems: Unread[] = [];
  const decoded = read(listEndpoint(list, parts).answer, json, problems);
  const unreadable = decoded.ok ? problems.map(unreadText) : [decoded.error];
  const found = listIn(renamed(json, parts.profile.fields));
  const none = { list, rows: 0, isEmpty: false, isAscending: false, unreadable };
  if (found === undefined) return { ...none, switches: {}, seen: [] };
  const { under, isGeneric } = found;
  const rows = found.rows.filter((row) => row instanceof JsonObject).map(membersOf);
  const lists = under === "" ? "bare" : isGeneric ? "data" : "named";
  const place = under === "" ? "bare rows" : `rows under \`${under}\``;
  if (found.rows.length === 0) return { ...none, isEmpty: true, switches: { lists }, seen: [place] };
  const switches: Partial<Shapes> = defined({
    lists,
    keys: keysOf([under.slice(under.lastIndexOf(".") + 1), ...rows.flatMap(({ names }) => names)]),
    ...(list === "orders" && { orderIds: idsOf(rows) }),
    ...(list === "trades" && { tradeIds: idsOf(rows), tradeAmounts: amountsOf(rows) }),
    ...(list === "quotes" ? { quoteLevels: levelsOf(rows) } : { answerNumbers: numbersOf(rows) }),
    ...(SYMBOLS.has(list) && { symbolForm: symbolOf(rows) }),
    statusCase: caseOf(list, rows),
    times: timesOf(rows),
  });
  return {
    ...none,
    rows: found.rows.length,
    isAscending: isAscending(rows),
    switches,
    seen: [place, ...wordsFor(switches)],
    unreadable: [...unreadable, ...undecided(list, rows, parts.profile)],
  };
}

/** The profile with what was recognised, and the switches on which lists differ: the first list wins, all are read. */
export function withShapes(
  profile: Profile,
  shapes: readonly Shape[],
): { readonly profile: Profile; readonly conflicts: readonly string[] } {
  const seen = new Map<string, { readonly value: string; readonly list: ListName }>();
  const conflicts: string[] = [];
  for (const { list, switches } of shapes)
    for (const [name, value] of Object.entries(switches)) {
      const before = seen.get(name);
      if (before === undefined) seen.set(name, { value, list });
      else if (before.value !== value)
        conflicts.push(`${name} is ${before.value} in ${before.list}, ${value} in ${list}`);
    }
  const shown = Object.fromEntries([...seen].map(([name, { value }]) => [name, value]));
  return { profile: { ...profile, ...shown }, conflicts };
}

const STATUSES = orderFields.status.names;
const TIMES = rowTime({ timesWithoutZone: "none" }).names;

const SYMBOLS: ReadonlySet<ListName> = new Set(["pairs", "quotes", "orders", "trades"]);
const AMOUNTS = [
  "quantity",
  "orderqty",
  "qty",
  "price",
  "bought",
  "sold",
  "fee",
  "amount",
  "minordersize",
  "minorderqty",
];

/** The members of a row, under their names without case and underscores. */
type Row = { readonly names: readonly string[]; get(...names: readonly string[]): Json | undefined };

function membersOf({ keys, values }: JsonObject): Row {
  const members = new Map(keys.map((key, i) => [folded(key), values[i] as Json]));
  return {
    names: keys,
    get: (...names) =>
      names.map((name) => members.get(folded(name))).find((value) => value !== undefined && value !== null),
  };
}

function listIn(json: Json): ReturnType<typeof findList> | undefined {
  try {
    return findList(json);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The value on which all rows that show one agree. */
function agreed<T>(values: readonly (T | undefined)[]): T | undefined {
  const shown = new Set(values.filter((value) => value !== undefined));
  return shown.size === 1 ? [...shown][0] : undefined;
}

function keysOf(names: readonly string[]): Profile["keys"] | undefined {
  return agreed(
    names.map((name) => {
      if (/^[A-Z]/.test(name)) return "pascal";
      return name.includes("_") ? "snake" : /[A-Z]/.test(name) ? "camel" : undefined;
    }),
  );
}

function idsOf(rows: readonly Row[]): Profile["orderIds"] | undefined {
  const has = ({ names }: { readonly names: readonly string[] }) =>
    rows.every((row) => row.get(...names) !== undefined);
  const [hasOurs, hasVenues] = [has(orderFields.clientOrderId), has(orderFields.orderId)];
  if (hasOurs) return hasVenues ? "both" : "clordid";
  return hasVenues ? "ordid" : undefined;
}

function amountsOf(rows: readonly Row[]): Profile["tradeAmounts"] | undefined {
  if (rows.every((row) => row.get("bought") !== undefined && row.get("sold") !== undefined)) return "legs";
  const isDerived = (row: Row) =>
    row.get("quantity", "qty", "orderqty") !== undefined && row.get("price") !== undefined;
  return rows.every(isDerived) ? "quantity-price" : undefined;
}

function levelsOf(rows: readonly Row[]): Profile["quoteLevels"] | undefined {
  const bids = rows.map((row) => row.get("b", "bid", "bid_price"));
  return agreed(bids.map((bid) => (bid === undefined ? undefined : Array.isArray(bid) ? "pairs" : "flat")));
}

function numbersOf(rows: readonly Row[]): Profile["answerNumbers"] | undefined {
  const amounts = rows.flatMap((row) => AMOUNTS.map((name) => row.get(name)));
  return agreed(
    amounts.map((amount) =>
      amount instanceof JsonNumber ? "numbers" : typeof amount === "string" ? "strings" : undefined,
    ),
  );
}

function symbolOf(rows: readonly Row[]): Profile["symbolForm"] | undefined {
  return agreed(
    rows.map((row) => {
      const text = row.get("symbol", "pair");
      if (typeof text === "string") return text.includes("/") ? "slash" : text.includes("-") ? "dash" : undefined;
      return row.get("base", "base_asset", "base_currency") === undefined ? undefined : "base-quote";
    }),
  );
}

/** The contract's words of orders begin with a capital; those of mints and rails do not, so lower case shows nothing. */
function caseOf(list: ListName, rows: readonly Row[]): Profile["statusCase"] | undefined {
  if (list === "addresses") return undefined;
  const isCapital = list === "orders" || list === "trades";
  return agreed(
    statusesIn(rows).map((status) => {
      if (!/[A-Za-z]/.test(status)) return undefined;
      if (status === status.toUpperCase()) return "upper";
      if (status === status.toLowerCase()) return isCapital ? "lower" : undefined;
      return "contract";
    }),
  );
}

function timesOf(rows: readonly Row[]): Profile["times"] | undefined {
  const form = agreed(rows.map((row) => timeForm(row.get(...TIMES))));
  return form === "zoneless" ? "iso" : form;
}

const readTime = timeIn("utc");

function isAscending(rows: readonly Row[]): boolean {
  const times = rows.map((row) => readTime(row.get(...TIMES), []));
  const isKnown = times.every((time) => time !== undefined);
  const steps = times.slice(1).map((time, i) => (time ?? 0) - (times[i] ?? 0));
  return isKnown && steps.every((step) => step >= 0) && steps.some((step) => step > 0);
}

function statusesIn(rows: readonly Row[]): readonly string[] {
  return rows.map((row) => row.get(...STATUSES)).filter((status) => typeof status === "string");
}

/** Values that the client reads as they are, and cannot understand. */
function undecided(list: ListName, rows: readonly Row[], { statuses, timesWithoutZone }: Profile): readonly string[] {
  const words = statusWords(statuses);
  const isKnown = (status: string): boolean => {
    if (list === "orders" || list === "trades") return ["Filled", "Rejected"].includes(words.history(status));
    return list === "pairs" || list === "addresses" || settlementOf(words.settlement(status)) !== "unknown";
  };
  const shown = [...new Set(statusesIn(rows))];
  const found = shown
    .filter((status) => !isKnown(status))
    .map((status) => `status ${quoted(status)} has no meaning here: name it in venue.profile.statuses`);
  if (list === "pairs" && shown.length > 0 && !shown.some((status) => words.pair(status) === "online"))
    found.push(
      `no pair is online, statuses are ${shown.map((status) => quoted(status)).join(", ")}: name it in venue.profile.statuses`,
    );
  const times = rows.map((row) => row.get(...TIMES)).filter((time) => time !== undefined);
  const forms: readonly (TimeForm | undefined)[] = times.map(timeForm);
  if (forms.includes("zoneless") && timesWithoutZone === "none")
    found.push("times have no zone and are not read; if they are UTC, set venue.profile.timesWithoutZone: utc");
  if (forms.includes(undefined)) found.push("times are neither ISO 8601 nor UNIX time of 10 or 13 digits: not read");
  return found;
}

function wordsFor({ keys, orderIds, tradeIds, ...rest }: Partial<Shapes>): readonly string[] {
  const ids = orderIds ?? tradeIds;
  const said = [
    keys && { snake: "snake_case", camel: "camelCase", pascal: "PascalCase" }[keys],
    ids && `ids ${ids === "both" ? "clordid and ordid" : `${ids} only`}`,
    rest.tradeAmounts && { legs: "bought and sold", "quantity-price": "quantity and price" }[rest.tradeAmounts],
    rest.quoteLevels && { pairs: "levels as [price, size]", flat: "bid and ask in fields" }[rest.quoteLevels],
    rest.symbolForm && { slash: "pairs as A/B", dash: "pairs as A-B", "base-quote": "base and quote" }[rest.symbolForm],
    rest.answerNumbers && `amounts as ${rest.answerNumbers}`,
    rest.times && `times in ${rest.times === "iso" ? "ISO 8601" : rest.times}`,
    rest.statusCase && rest.statusCase !== "contract" && `statuses in ${rest.statusCase} case`,
  ];
  return said.filter((text) => typeof text === "string");
}

function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as typeof fields;
}
