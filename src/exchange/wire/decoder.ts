// Schemas of answers. They handle what a general schema library does not: numbers as source text, keys of varying case,
// and several names for one field. Decoding tolerates spelling and is strict about values: a missing or unreadable
// value is a named problem, never a default.

import { createHash } from "node:crypto";
import { type Asset, type PairSymbol, parseAsset, parseSymbol } from "../../domain/asset.ts";
import { parseUnits, plainText, refusalOf } from "../../domain/money/grammar.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { problemOf, type Unread, unreadText } from "../port.ts";
import { type Json, JsonNumber, JsonObject } from "./json.ts";

/**
 * Decodes one value or throws Unreadable; `undefined` stands for an absent field. Rows that were left out are listed in
 * `problems`.
 */
export type Decoder<T> = (json: Json | undefined, problems: Unread[]) => T;
export type Read<S> = S extends Decoder<infer T> ? T : never;

export class Unreadable extends Error {
  path = "";
  /** Our name of the field that the row would need. */
  private lacked: string | undefined;
  /** Lines for the section venue that decide it. */
  lines: readonly string[] = [];
  private row: Unread | undefined;

  lacks(name: string): this {
    this.lacked = name;
    return this;
  }

  get text(): string {
    return this.row === undefined ? this.problem : unreadText({ ...this.row, problem: this.problem });
  }

  private get problem(): string {
    return printable(`${this.path === "" ? "the answer" : this.path} ${this.message}`, PROSE_MAX);
  }

  /** The row in which it was found: what it has in place of what it lacks. */
  of(json: Json, slots: readonly Slot[]): Unread {
    const lines = this.lines.length > 0 ? this.lines : proposals(this.lacked, json, slots);
    this.row ??= { problem: this.problem, keys: masked(json), lines, words: wordsIn(json), digest: digestOf(json) };
    return { ...this.row, problem: this.problem };
  }

  under(key: string): this {
    if (key === "") return this;
    this.path = this.path === "" || this.path.startsWith("[") ? key + this.path : `${key}.${this.path}`;
    return this;
  }
}

export function read<T>(shape: Decoder<T>, json: Json, problems: Unread[] = []): Result<T> {
  try {
    return ok(shape(json, problems));
  } catch (error) {
    if (error instanceof Unreadable) return err(error.text);
    throw error;
  }
}

/** A field under its own name, or under its names on the wire, of which the first is ours for it, too. */
type Field = Decoder<unknown> | readonly [Decoder<unknown>, ...string[]] | Ruled<unknown>;
type Fields = Readonly<Record<string, Field>>;
type ValueOf<F> = F extends Ruled<infer T> ? T : F extends readonly [infer S, ...string[]] ? Read<S> : Read<F>;
type Named<F extends Fields> = { readonly [K in keyof F]: ValueOf<F[K]> };

/** A field whose names may differ. `own`: the first is the interface's and is read where it is there. `neither`: none of them is read. */
type Ruled<T> = { readonly shape: Decoder<T>; readonly names: readonly string[]; readonly rule: "own" | "neither" };

export function own<T>(shape: Decoder<T>, ...names: readonly [string, ...string[]]): Ruled<T> {
  return { shape, names, rule: "own" };
}

export function neither<T>(shape: Decoder<T | undefined>, ...names: readonly string[]): Ruled<T | undefined> {
  return { shape, names, rule: "neither" };
}

/** A field of a row: its name here, how it is read, and its names on the wire. */
export type Slot = {
  readonly field: string;
  readonly shape: Decoder<unknown>;
  readonly names: readonly string[];
  readonly rule: "same" | Ruled<unknown>["rule"];
};
type Place = { readonly slot: number; readonly rank: number };
type Stated = { readonly key: string; readonly value: Json; readonly rank: number };

/** Decodes an object, and knows the names of its fields. */
export type RecordOf<T> = Decoder<T> & { readonly slots: readonly Slot[] };

/** One meaning or refused: a field under two names must have one value, unless its rule says otherwise. Case and underscores do not count. */
export function record<const F extends Fields>(fields: F): RecordOf<Named<F>> {
  const slots = Object.entries(fields).map(([field, given]): Slot => {
    if (typeof given === "function") return { field, shape: given, names: [field], rule: "same" };
    if ("rule" in given) return { field, ...given };
    const [shape, ...names] = given;
    return { field, shape, names, rule: "same" };
  });
  const places = new Map<string, Place>();
  for (const [slot, { names }] of slots.entries())
    for (const [rank, name] of names.entries()) places.set(name, { slot, rank }).set(folded(name), { slot, rank });
  const decode = (json: Json | undefined, problems: Unread[]): Named<F> => {
    const { found, more } = gather(asObject(json), places);
    const out: Record<string, unknown> = {};
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as Slot;
      try {
        const values = more?.get(i);
        out[slot.field] = values === undefined ? slot.shape(found[i], problems) : oneMeaning(slot, values, problems);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        throw (found[i] === undefined ? error.lacks(slot.names[0] as string) : error).under(slot.names[0] as string);
      }
    }
    return out as Named<F>;
  };
  return Object.assign(decode, { slots });
}

function gather({ keys, values }: JsonObject, places: ReadonlyMap<string, Place>) {
  const found: (Json | undefined)[] = [];
  const stated: Stated[] = [];
  let more: Map<number, Stated[]> | undefined;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] as string;
    const place = places.get(key) ?? places.get(folded(key));
    const value = values[i] as Json;
    if (place === undefined || value === null) continue;
    const { slot, rank } = place;
    const one = { key, value, rank };
    const first = stated[slot];
    if (first === undefined) {
      found[slot] = value;
      stated[slot] = one;
      continue;
    }
    more ??= new Map();
    more.set(slot, [...(more.get(slot) ?? [first]), one]);
  }
  return { found, more };
}

function oneMeaning({ shape, rule }: Slot, stated: readonly Stated[], problems: Unread[]): unknown {
  const byRank = stated.toSorted((a, b) => a.rank - b.rank);
  const owned = rule === "own" ? byRank.filter(({ rank }) => rank === 0) : [];
  const values = (owned.length > 0 ? owned : byRank).map(({ value }) => shape(value, problems));
  const [first, ...others] = values;
  if (others.every((other) => isAlike(first, other))) return first;
  if (rule === "neither") return undefined;
  const said = byRank.map(({ key, value }) => `${shownScalar(value)} (${printable(key, 40)})`).join(" and ");
  const error = new Unreadable(`must have one value, was ${said}: venue.profile.fields says which field is meant`);
  error.lines = byRank.map(({ key: meant }) => {
    const others = byRank.flatMap(({ key }) => (key === meant ? [] : [`${quotedKey(key)}: ignored`]));
    return `profile: { fields: { ${others.join(", ")} } }`;
  });
  throw error;
}

/** What two fields say of the same, which must be one. */
export function agreed<T>(one: T | undefined, other: T | undefined, name: string): T | undefined {
  if (one === undefined || other === undefined || isAlike(one, other)) return one ?? other;
  throw new Unreadable(`must have one value, was ${one} and ${other}`).under(name);
}

/** Words without regard to case, amounts by value. */
function isAlike(one: unknown, other: unknown): boolean {
  const [a, b] = [one, other].map((value) => `${JSON.stringify(value)}`.replaceAll('"', "").toLowerCase());
  const [amount, same] = [parseUnits(a, "any"), parseUnits(b, "any")];
  return a === b || (amount.ok && same.ok && amount.value === same.value);
}

/** The only relevant field of an answer, under its names on the wire. */
export function only<T>(shape: Decoder<T>, ...names: readonly [string, ...string[]]): Decoder<T> {
  return mapped(record({ value: [shape, ...names] }), ({ value }) => value as T);
}

/** Names under which venues put the rows of any list. */
const GENERIC: ReadonlySet<string> = new Set([
  "data",
  "result",
  "results",
  "rows",
  "items",
  "list",
  "records",
  "response",
  "payload",
  "content",
]);

export type FoundList = { readonly under: string; readonly isGeneric: boolean; readonly rows: readonly Json[] };

/**
 * The rows of an answer: under one of their names, under a generic name, or the answer itself (`under` is empty then).
 * Without names, under any. Two lists are ambiguous.
 */
export function findList(json: Json | undefined, names: readonly string[] = []): FoundList {
  const found = listsIn(json, new Set(names.map(folded)), "");
  const [first, second] = found;
  if (second !== undefined)
    throw new Unreadable(`must have one list, had ${found.map(({ under }) => under).join(" and ")}`);
  if (first !== undefined) return first;
  const { keys, values } = asObject(json);
  const at = keys.findIndex((key) => names.some((name) => folded(name) === folded(key)));
  // A list under any other name, if it is the only one.
  const others = at < 0 ? listsIn(json, NO_NAMES, "").filter(({ under }) => !/error|warning|message/i.test(under)) : [];
  const [only, another] = others;
  if (only !== undefined && another === undefined) return only;
  const which = others.map(({ under }) => printable(under, 40)).join(" or ");
  const hint = which === "" ? "" : `; if ${which} is meant, name it in venue.profile.fields`;
  const given = at < 0 || values[at] === null ? undefined : values[at];
  throw new Unreadable(`must be a list, was ${described(given)}${hint}`).under(names[0] ?? "data");
}

const NO_NAMES: ReadonlySet<string> = new Set();

function listsIn(json: Json | undefined, names: ReadonlySet<string>, outer: string): readonly FoundList[] {
  if (Array.isArray(json)) return [{ under: "", isGeneric: false, rows: json as readonly Json[] }];
  const { keys, values } = asObject(json);
  return keys.flatMap((key, i) => {
    const value = values[i] as Json;
    const isGeneric = GENERIC.has(folded(key));
    if (Array.isArray(value))
      return isGeneric || names.size === 0 || names.has(folded(key))
        ? [{ under: `${outer}${key}`, isGeneric, rows: value as readonly Json[] }]
        : [];
    return isGeneric && outer === "" && value instanceof JsonObject ? listsIn(value, names, `${key}.`) : [];
  });
}

/** The rows of an answer, wherever `findList` finds them. One that cannot be read is left out and listed in `problems`. */
export function rows<T>(row: Decoder<T>, slots: readonly Slot[], ...names: readonly [string, ...string[]]) {
  return within(names, ({ rows: items, under }, problems): readonly T[] =>
    items.flatMap((item, i) => {
      try {
        return [row(item, problems)];
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        if (problems.length >= UNREAD_MAX)
          throw new Unreadable(`must be readable, and over ${UNREAD_MAX} rows are not`);
        problems.push(error.under(`[${i}]`).under(under).of(item, slots));
        return [];
      }
    }),
  );
}

/** The same, where one row that cannot be read makes the list unreadable. */
export function allRows<T>(row: Decoder<T>, slots: readonly Slot[], ...names: readonly [string, ...string[]]) {
  return within(names, ({ rows: items }, problems): readonly T[] =>
    items.map((item, i) => {
      try {
        return row(item, problems);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        error.under(`[${i}]`).of(item, slots);
        throw error;
      }
    }),
  );
}

function within<T>(names: readonly string[], decode: (found: FoundList, problems: Unread[]) => T): Decoder<T> {
  return (json, problems) => {
    const found = findList(json, names);
    try {
      return decode(found, problems);
    } catch (error) {
      throw error instanceof Unreadable ? error.under(found.under) : error;
    }
  };
}

/** More of them make the list unreadable. */
const UNREAD_MAX = 1_000;

/** ordid, ordId and OrdId are one name, and so are bought_currency and boughtCurrency. */
export function folded(key: string): string {
  return key.toLowerCase().replaceAll("_", "");
}

export function list<T>(row: Decoder<T>): Decoder<readonly T[]> {
  return (json, problems) => asList(json).map((item) => row(item, problems));
}

export function addProblem(problems: Unread[], problem: string): void {
  problems.push(problemOf(printable(problem, PROSE_MAX)));
}

/** Absent and null both mean "not stated". */
export function optional<T>(shape: Decoder<T>): Decoder<T | undefined> {
  return (json, problems) => (json === undefined || json === null ? undefined : shape(json, problems));
}

/** A field that only helps: an unreadable one counts as absent. */
export function ifReadable<T>(shape: Decoder<T>): Decoder<T | undefined> {
  return (json, problems) => {
    try {
      return json === undefined || json === null ? undefined : shape(json, problems);
    } catch (error) {
      if (error instanceof Unreadable) return undefined;
      throw error;
    }
  };
}

export function mapped<T, U>(shape: Decoder<T>, make: (value: T) => U): Decoder<U> {
  return (json, problems) => make(shape(json, problems));
}

/** A fast check first: almost every word is printable ASCII. */
const ASCII = /^[ -~]*$/;

/** An opaque word of the venue (an id, a status, a chain): a text, or the digits of a whole number. */
export const word: Decoder<string> = (json) => {
  const text = json instanceof JsonNumber && /^[0-9]{1,40}$/.test(json.text) ? json.text : json;
  if (typeof text !== "string") throw new Unreadable(`must be a text, was ${described(json)}`);
  if (text === "") throw new Unreadable("must not be empty");
  if (text.length > 256) throw new Unreadable(`must be at most 256 characters, was ${text.length}`);
  if (!ASCII.test(text) && /\p{C}/u.test(text)) throw new Unreadable("must not contain control characters");
  return text;
};

/** Text for people, sanitised and truncated here, so that it can be shown as it is. */
export const prose: Decoder<string | undefined> = (json) => {
  if (json === undefined || json === null || json === "") return undefined;
  if (json instanceof JsonNumber) return printable(json.text, PROSE_MAX);
  if (typeof json !== "string") throw new Unreadable(`must be a text, was ${described(json)}`);
  return printable(json, PROSE_MAX);
};

const PROSE_MAX = 300;

/** An amount's text, from a decimal text or a number's digits. */
export const amount: Decoder<string> = (json) => {
  const stated = json instanceof JsonNumber ? json.text : json;
  if (typeof stated !== "string") throw new Unreadable(`must be a decimal, was ${described(json)}`);
  const text = plainText(stated);
  const problem = refusalOf(text, "any");
  if (problem !== undefined) throw new Unreadable(`is not readable: ${problem}`);
  return text;
};

export const asset: Decoder<Asset> = (json, problems) => must(parseAsset(word(json, problems)));
export const symbol: Decoder<PairSymbol> = (json, problems) =>
  must(parseSymbol(word(json, problems).replace(/^([A-Z0-9]+)[-_]([A-Z0-9]+)$/, "$1/$2")));
export const quantity: Decoder<Quantity> = (json, problems) => must(Quantity.parse(amount(json, problems)));
export const price: Decoder<Price> = (json, problems) => must(Price.parse(amount(json, problems)));

export const side: Decoder<Side> = (json, problems) => {
  const text = word(json, problems).toLowerCase();
  if (text !== "buy" && text !== "sell") throw new Unreadable("must be Buy or Sell");
  return text;
};

export const flag: Decoder<boolean> = (json) => {
  if (typeof json !== "boolean") throw new Unreadable(`must be true or false, was ${described(json)}`);
  return json;
};

/** A small whole number, as a number or as digits. */
export function integer(max: number): Decoder<number> {
  return (json) => {
    const text = json instanceof JsonNumber ? json.text : json;
    if (typeof text !== "string" || !/^(?:0|[1-9][0-9]{0,5})$/.test(text) || Number(text) > max)
      throw new Unreadable(`must be a whole number from 0 to ${max}`);
    return Number(text);
  };
}

const ISO = /^(\d{4}-\d\d-(\d\d))[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|([+-])(\d\d):?(\d\d))?$/;
const UNIX = /^[1-9]\d{9}(?:\d{3})?$/;

type TimeForm = "iso" | "zoneless" | "seconds" | "milliseconds";

/** Undefined: impossible, local or in another form. */
function timeForm(json: Json | undefined): TimeForm | undefined {
  const text = json instanceof JsonNumber ? json.text : json;
  if (typeof text !== "string") return undefined;
  if (UNIX.test(text)) return text.length === 10 ? "seconds" : "milliseconds";
  const match = typeof json === "string" ? ISO.exec(text) : null;
  if (match === null) return undefined;
  return match[4] === undefined ? "zoneless" : "iso";
}

/** A time that cannot be read gives undefined, never a guess. */
export function timeIn(withoutZone: "none" | "utc"): Decoder<Millis | undefined> {
  return (json) => {
    const form = timeForm(json);
    if (form === undefined || (form === "zoneless" && withoutZone === "none")) return undefined;
    const text = json instanceof JsonNumber ? json.text : (json as string);
    if (form === "seconds") return millis(Number(text) * 1_000);
    if (form === "milliseconds") return millis(Number(text));
    const [, date, day, clock, , sign, hours = 0, minutes = 0] = ISO.exec(text) as unknown as readonly string[];
    const at = Date.parse(`${date}T${clock}Z`);
    const aheadMs = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000);
    // Date.parse turns 30 February into a day in March, and 24:00 into the next day.
    return Number.isNaN(at) || new Date(at).getUTCDate() !== Number(day) ? undefined : millis(at - aheadMs);
  };
}

export const time = timeIn("none");

export function money(text: string, of: Asset, field: string, sign: "not-negative" | "any" = "not-negative"): Money {
  const parsed = Money.parse(text, of, sign);
  if (!parsed.ok) throw new Unreadable(parsed.error).under(field);
  return parsed.value;
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Unreadable(`is not readable: ${result.error}`);
  return result.value;
}

function asList(json: Json | undefined): readonly Json[] {
  if (!Array.isArray(json)) throw new Unreadable(`must be a list, was ${described(json)}`);
  return json as readonly Json[];
}

function asObject(json: Json | undefined): JsonObject {
  if (!(json instanceof JsonObject)) throw new Unreadable(`must be an object, was ${described(json)}`);
  return json;
}

function shownScalar(json: Json): string {
  return json instanceof JsonNumber ? json.text : typeof json === "string" ? printable(json, 40) : described(json);
}

/** A map of rows by a name is a list of rows that state it as `symbol`. */
export function bySymbol<T>(rows: Decoder<T>, ...names: readonly string[]): Decoder<T> {
  const listNames = new Set(names.map(folded));
  const unmapped = (json: Json, isNamed: boolean, depth: number): Json => {
    if (!(json instanceof JsonObject) || depth > 2) return json;
    const { keys, values } = json;
    const isMap = keys.length > 0 && values.every((value) => value instanceof JsonObject);
    if (isMap && keys.every((key) => isNamed || key.includes("/")))
      return keys.map((key, i) => {
        const row = values[i] as JsonObject;
        return new JsonObject(["symbol", ...row.keys], [key, ...row.values]);
      });
    const isIn = (key: string) => listNames.has(folded(key)) || GENERIC.has(folded(key));
    return new JsonObject(
      keys,
      values.map((value, i) =>
        isIn(keys[i] as string) ? unmapped(value, listNames.has(folded(keys[i] as string)), depth + 1) : value,
      ),
    );
  };
  return (json, problems) => rows(json && unmapped(json, false, 0), problems);
}

/** A key as it stands in a line of YAML. */
function quotedKey(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : JSON.stringify(printable(key, 60));
}

/** Fields of the row that no name here reads, and whose values would do for what it lacks. */
function proposals(lacked: string | undefined, json: Json, slots: readonly Slot[]): readonly string[] {
  const slot = slots.find(({ names }) => names[0] === lacked);
  if (slot === undefined || !(json instanceof JsonObject)) return [];
  const known = new Set(slots.flatMap(({ names }) => names.map(folded)));
  const { keys, values } = json;
  const would = keys.filter((key, i) => {
    const value = values[i] as Json;
    return !known.has(folded(key)) && value !== null && read(slot.shape, value).ok;
  });
  return would.slice(0, PROPOSALS_MAX).map((key) => `profile: { fields: { ${quotedKey(key)}: ${lacked} } }`);
}

const PROPOSALS_MAX = 4;
const KEYS_MAX = 30;
const VALUE_MAX = 24;

function masked(json: Json): Readonly<Record<string, string>> {
  if (!(json instanceof JsonObject)) return {};
  const shown = json.keys
    .slice(0, KEYS_MAX)
    .map((key, i) => [printable(key, 40), mask(json.values[i] as Json)] as const);
  return Object.fromEntries(shown);
}

function mask(value: Json): string {
  if (value instanceof JsonObject)
    return `{${value.keys
      .slice(0, KEYS_MAX)
      .map((key) => printable(key, 40))
      .join(", ")}}`;
  if (Array.isArray(value)) return `[${value.length}]`;
  const text = value instanceof JsonNumber ? value.text : typeof value === "string" ? value : undefined;
  if (text === undefined) return String(value);
  const form = printable(text, VALUE_MAX).replace(/\p{N}/gu, "0").replace(/\p{L}/gu, "x");
  return value instanceof JsonNumber ? form : `"${form}"`;
}

function wordsIn(json: Json): readonly string[] {
  if (json instanceof JsonNumber) return [json.text];
  if (json instanceof JsonObject) return json.values.flatMap(wordsIn);
  if (Array.isArray(json)) return json.flatMap(wordsIn);
  return typeof json === "string" ? [json] : [];
}

function digestOf(json: Json): string {
  const plain = (value: Json): unknown => {
    if (value instanceof JsonNumber) return [value.text];
    if (Array.isArray(value)) return value.map(plain);
    if (!(value instanceof JsonObject)) return value;
    const members = value.keys.map((key, i) => [key, plain(value.values[i] as Json)] as const);
    return { members: members.toSorted(([a], [b]) => (a < b ? -1 : 1)) };
  };
  return createHash("sha256")
    .update(JSON.stringify(plain(json)))
    .digest("hex")
    .slice(0, 32);
}

/**
 * The answer with the venue's names of fields replaced by ours, at any depth. A renamed field takes the place of one
 * that has its new name, and `ignored` ones are left out.
 */
export function renamed(json: Json, names: Readonly<Record<string, string>>): Json {
  const given = new Map(Object.entries(names).map(([name, ours]) => [folded(name), ours]));
  const inside = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inside);
    if (!(value instanceof JsonObject)) return value;
    const replaced = new Set(value.keys.map((key) => folded(given.get(folded(key)) ?? "")));
    const places = [...value.keys.keys()].filter((i) => {
      const ours = given.get(folded(value.keys[i] as string));
      return ours === undefined ? !replaced.has(folded(value.keys[i] as string)) : ours !== "ignored";
    });
    return new JsonObject(
      places.map((i) => given.get(folded(value.keys[i] as string)) ?? (value.keys[i] as string)),
      places.map((i) => inside(value.values[i] as Json)),
    );
  };
  return given.size === 0 ? json : inside(json);
}

function described(json: Json | undefined): string {
  if (json === undefined) return "missing";
  if (json === null) return "null";
  if (json instanceof JsonNumber) return "a number";
  return Array.isArray(json) ? "a list" : `a${typeof json === "object" ? "n object" : ` ${typeof json}`}`;
}
