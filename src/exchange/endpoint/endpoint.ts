// The definition of a wire call: its path, its fields, and the schema of its answer. The parts that all calls share
// (slot, nonce, signature, sending, classification) are elsewhere.

import { assetsOf, type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import type { Price, Quantity } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { quoted } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import type { MoneyKind } from "../port.ts";
import { type Profile, type StatusWords, statusWords } from "../profile.ts";
import type { VenueError } from "../refusals.ts";
import { BareNumber, canonicalJson } from "../wire/canonical-json.ts";
import {
  asset,
  type Decoder,
  ifReadable,
  mapped,
  neither,
  optional,
  own,
  type Read,
  type Slot,
  symbol,
  timeIn,
  Unreadable,
  word,
} from "../wire/decoder.ts";

/** Relative to the base address; all paths under /private are signed. */
export type CallPath = `/client/${string}` | `/private/${string}`;

const READ_POSTS: ReadonlySet<string> = new Set<CallPath>([
  "/client/tradingPairs",
  "/private/accountBalance",
  "/private/depositAddress",
  "/private/queryOrders",
  "/private/queryPaymentRails",
  "/private/queryPayments",
  "/private/querySupplyChanges",
  "/private/queryTrades",
  "/private/withdrawAddresses",
]);

/** For the last check before the socket: every path that is not known to move nothing is refused. */
export function movesNothing(method: "GET" | "POST", path: string): boolean {
  return READ_POSTS.has(path) || (method === "GET" && path.startsWith("/client/"));
}

export type ReadEndpoint<T> = {
  readonly path: CallPath;
  readonly fields: CallFields;
  readonly answer: Decoder<T>;
  /** The fields of its rows, if it is a list. */
  readonly slots?: readonly Slot[];
};

/** The decisions of the profile on what a row cannot say. */
export type RowRules = Pick<
  Profile,
  | "feeMissing"
  | "paymentAmounts"
  | "feeCurrencyMissing"
  | "feeInside"
  | "pairStatusMissing"
  | "timesWithoutZone"
  | "statuses"
>;

/** The contract names the fields of no history row: those of the answer to an order are read first. */
export function orderFields(rules: RowRules) {
  const status = statusIn(rules, "history");
  return {
    clientOrderId: own(optional(word), "clordid", "clientorderid", "clientoid"),
    orderId: own(optional(word), "ordid", "orderid"),
    /** Any id: that of the row where nothing else names it. */
    id: ifReadable(word),
    status: own(optional(status), "ordstatus", "status", "orderstatus", "tradestatus", "state"),
    at: rowTime(rules),
  };
}

/** A status in our words. */
export function statusIn({ statuses }: Pick<RowRules, "statuses">, list: keyof StatusWords): Decoder<string> {
  return mapped(word, statusWords(statuses)[list]);
}

export function rowTime({ timesWithoutZone }: Pick<RowRules, "timesWithoutZone">) {
  const names = ["timestamp", "time", "executed_at", "transact_time", "created_at", "date", "datetime"] as const;
  return neither(timeIn(timesWithoutZone), ...names);
}

/** A pair as one text, or as its two assets. */
export const pairFields = {
  symbol: [optional(symbol), "symbol", "pair", "instrument", "market"],
  base: [ifReadable(asset), "base", "base_asset", "base_currency"],
  quote: [ifReadable(asset), "quote", "quote_asset", "quote_currency"],
} as const;

type PairFields = { readonly [K in keyof typeof pairFields]: Read<(typeof pairFields)[K][0]> };

export function pairOf({ symbol, base, quote }: PairFields): PairSymbol | undefined {
  const stated = symbol === undefined ? undefined : assetsOf(symbol);
  const pair = parseSymbol(`${base ?? stated?.base}/${quote ?? stated?.quote}`);
  if (symbol === undefined && (base === undefined || quote === undefined)) return undefined;
  if (!pair.ok || (symbol !== undefined && symbol !== pair.value))
    throw new Unreadable(`must be one pair, was ${symbol ?? "one"} of ${base} and ${quote}`).under("symbol");
  return pair.value;
}

/** As `pairOf`, where a row without a pair is useless. */
export function namedPair(fields: PairFields): PairSymbol {
  const pair = pairOf(fields);
  if (pair === undefined) throw new Unreadable("must name its pair, as symbol or as base and quote").lacks("symbol");
  return pair;
}

/** The answer to a request that moves money, judged by its body. */
export type Receipt<T> =
  | { readonly kind: "accepted"; readonly value: T }
  /** Refused by a status in the body: a rail's `rejected`. */
  | { readonly kind: "rejected"; readonly message: string }
  /** An error, and no sign of execution; its code decides whether it is a refusal. `isUnsure`: another word is odd. */
  | { readonly kind: "refused"; readonly error: VenueError; readonly isUnsure?: boolean }
  /** The body contradicts itself or the request: nothing may be assumed, and new orders must stop. */
  | { readonly kind: "contradiction"; readonly message: string }
  /** The body does not state what happened. */
  | { readonly kind: "unclear"; readonly message: string };

export type MoneyEndpoint<T> = {
  readonly kind: MoneyKind;
  readonly path: `/private/${string}`;
  /** `at` is the slot's time, for calls that carry one. */
  body(profile: Profile, at: Millis): Result<CallBody>;
  readonly answer: Decoder<Receipt<T>>;
};

/** Undefined fields are refused, not left out, so that a call is explicit. */
export type CallFields = Readonly<Record<string, string | Price | Quantity>>;

export type CallBody = {
  /** Canonical JSON or empty: the middle part of the signed text. */
  readonly signed: string;
  readonly sent: string;
  readonly contentType: "application/x-www-form-urlencoded" | "application/json";
};

export function formBody(fields: CallFields, profile: Profile): Result<CallBody> {
  if (Object.keys(fields).length === 0) return ok(emptyBody(profile));
  const problem = textProblem(fields);
  if (problem !== undefined) return err(problem);
  const signed = canonicalJson(profile.formNumbers === "numbers" ? withBareNumbers(fields) : fields);
  if (!signed.ok) return signed;
  if (profile.formCalls === "json") return ok(jsonOf(signed.value));
  const form = new URLSearchParams();
  for (const key of Object.keys(fields).sort()) form.append(key, String(fields[key]));
  return ok({ signed: signed.value, sent: form.toString(), contentType: "application/x-www-form-urlencoded" });
}

export function jsonBody(value: Readonly<Record<string, unknown>>): Result<CallBody> {
  if (Object.keys(value).length === 0) return err("a JSON call must have fields, had none");
  const problem = textProblem(value);
  if (problem !== undefined) return err(problem);
  const signed = canonicalJson(value);
  return signed.ok ? ok(jsonOf(signed.value)) : signed;
}

/** An empty text or one with control characters is our own mistake and is not sent. */
function textProblem(fields: object): string | undefined {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string" && (value.trim() === "" || /\p{Cc}/u.test(value)))
      return `${name} must be a text without control characters, was ${quoted(value)}`;
    const inside = isPlain(value) ? textProblem(value) : undefined;
    if (inside !== undefined) return `${name}.${inside}`;
  }
  return undefined;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function emptyBody(profile: Profile): CallBody {
  if (profile.emptyCall === "braces") return jsonOf("{}");
  const signed = profile.emptyCall === "empty" ? "" : "{}";
  return { signed, sent: "", contentType: "application/x-www-form-urlencoded" };
}

function jsonOf(text: string): CallBody {
  return { signed: text, sent: text, contentType: "application/json" };
}

function withBareNumbers(fields: CallFields): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, typeof value === "string" ? value : BareNumber.of(value)]),
  );
}
