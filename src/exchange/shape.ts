// What an answer shows of a list beyond its rows: where they are, whether they may be a page of more, and what the client cannot read or
// understand of them, with the switch that decides. Nothing is guessed: an empty list shows nothing.

import type { Asset } from "../domain/asset.ts";
import { quoted } from "../domain/sanitise.ts";
import { settlementOf } from "../domain/settlement-status.ts";
import type { Millis } from "../domain/time.ts";
import { type ReadEndpoint, rowTime } from "./endpoint/endpoint.ts";
import { type ListParts, listEndpoints, supplyChangesOf } from "./lists.ts";
import { type SupplyChange, type Unread, unreadText } from "./port.ts";
import { type Profile, statusWords } from "./profile.ts";
import { type FoundList, findList, folded, type Read, read, renamed, Unreadable } from "./wire/decoder.ts";
import { type Json, JsonObject } from "./wire/json.ts";

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

export type Shape = {
  readonly list: ListName;
  readonly rows: number;
  /** Where the rows are. */
  readonly place: string;
  /** Times never fall from row to row, and rise at least once. */
  readonly isAscending: boolean;
  /** Names of the fields of its rows, and the words of their status, as the venue has them. */
  readonly fields: readonly string[];
  readonly words: readonly string[];
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

type Shown = { readonly status?: string | undefined; readonly at?: Millis | undefined };

export function recogniseShape(list: ListName, json: Json, parts: ListParts): Shape {
  const problems: Unread[] = [];
  const { answer, slots = [] } = listEndpoint(list, parts);
  const decoded = read(answer, json, problems);
  if (!decoded.ok)
    return { list, rows: 0, place: "", isAscending: false, fields: [], words: [], unreadable: [decoded.error] };
  const rows = decoded.value as readonly Shown[];
  const times = rows.flatMap(({ at }) => (at === undefined ? [] : [at]));
  const pairs = times.slice(1).map((time, i) => time - (times[i] as number));
  const listed = rowsIn(renamed(json, parts.profile.fields));
  return {
    list,
    rows: rows.length + problems.length,
    place: listed === undefined ? "in a map" : listed.under === "" ? "bare rows" : `rows under \`${listed.under}\``,
    ...namesIn(listed?.rows ?? []),
    isAscending: pairs.every((step) => step >= 0) && pairs.some((step) => step > 0),
    unreadable: [
      ...problems.map(unreadText),
      ...strangeStatuses(list, rows, parts.profile),
      ...(slots.some(({ field }) => field === "at") && listed?.rows.some(hasTime) && times.length === 0
        ? [unreadTimes(list, json, parts)]
        : []),
    ],
  };
}

/** Of the first rows: later ones have the same. */
const NAMED_ROWS = 50;

function namesIn(found: FoundList["rows"]): Pick<Shape, "fields" | "words"> {
  const objects = found.slice(0, NAMED_ROWS).filter((row) => row instanceof JsonObject);
  const words = objects.flatMap(({ keys, values }) =>
    values.filter((value, i) => typeof value === "string" && /status$/i.test(keys[i] as string)),
  );
  return { fields: [...new Set(objects.flatMap(({ keys }) => keys))], words: [...new Set(words as string[])] };
}

function rowsIn(json: Json): FoundList | undefined {
  try {
    return findList(json);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Statuses that the client reads as they are, and does not understand. */
function strangeStatuses(list: ListName, rows: readonly Shown[], { statuses }: Profile): readonly string[] {
  const words = statusWords(statuses);
  const isKnown = (status: string): boolean => {
    if (list === "orders" || list === "trades") return ["Filled", "Rejected"].includes(words.history(status));
    return list === "pairs" || list === "addresses" || settlementOf(words.settlement(status)) !== "unknown";
  };
  const shown = [...new Set(rows.flatMap(({ status }) => (status === undefined ? [] : [status])))];
  const found = shown
    .filter((status) => !isKnown(status))
    .map((status) => `status ${quoted(status)} has no meaning here: name it in venue.profile.statuses`);
  const isOffline = list === "pairs" && shown.length > 0 && !shown.includes("online");
  const all = shown.map((status) => quoted(status)).join(", ");
  return isOffline ? [...found, `no pair is online, statuses are ${all}: name it in venue.profile.statuses`] : found;
}

const TIMES: ReadonlySet<string> = new Set(rowTime({ timesWithoutZone: "none" }).names.map(folded));

/** Of two times that differ neither is read. */
function hasTime(row: Json): boolean {
  return row instanceof JsonObject && row.keys.filter((key) => TIMES.has(folded(key))).length === 1;
}

function unreadTimes(list: ListName, json: Json, parts: ListParts): string {
  const utc = { ...parts, profile: { ...parts.profile, timesWithoutZone: "utc" as const } };
  const decoded = read(listEndpoint(list, utc).answer, json);
  const isUtc = decoded.ok && (decoded.value as readonly Shown[]).every(({ at }) => at !== undefined);
  return isUtc
    ? "times have no zone and are not read; if they are UTC, set venue.profile.timesWithoutZone: utc"
    : "times are neither ISO 8601 nor UNIX time of 10 or 13 digits: not read";
}
