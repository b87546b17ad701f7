// Codecs of the smallest values. Amounts are decimal text, never JSON numbers; floats are signals and keep every bit,
// including values that JSON cannot express.

import { type Asset, type PairSymbol, parseAsset, parseSymbol } from "../../domain/asset.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import type { Result } from "../../domain/result.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { type Codec, object, shown, Unreadable } from "./codec.ts";

/** Texts that JSON would not escape, which are most of them; faster than JSON.stringify. */
const PLAIN = /^[ !#-[\]-~]*$/;

export const text: Codec<string> = {
  encode: (value) => (PLAIN.test(typed(value, "string")) ? `"${value}"` : JSON.stringify(value)),
  decode: (plain) => typed(plain, "string"),
};

/** A branded text; the journal does not check its grammar. */
export function branded<T extends string>(): Codec<T> {
  return text as Codec<string> as Codec<T>;
}

export const flag: Codec<boolean> = {
  encode: (value) => String(typed(value, "boolean")),
  decode: (plain) => typed(plain, "boolean"),
};

/** NaN and the infinities become an object with one field; all other values are JSON numbers. */
export const float: Codec<number> = {
  encode(value) {
    if (typed(value, "number") === 0) return Object.is(value, -0) ? "-0" : "0";
    return Number.isFinite(value) ? String(value) : `{"float":"${value}"}`;
  },
  decode(plain) {
    if (typeof plain === "number") return plain;
    const special = NOT_FINITE.get(JSON.stringify(plain) ?? "");
    if (special === undefined) throw new Unreadable(`must be a number, was ${shown(plain)}`);
    return special;
  },
};

const NOT_FINITE = new Map([NaN, Infinity, -Infinity].map((value) => [`{"float":"${value}"}`, value]));

export const floatOrText: Codec<number | string> = {
  encode: (value) => (typeof value === "string" ? text.encode(value) : float.encode(value)),
  decode: (plain) => (typeof plain === "string" ? plain : float.decode(plain)),
};

export const whole: Codec<number> = {
  encode: (value) => String(wholeOf(value)),
  decode: wholeOf,
};

export const instant: Codec<Millis> = {
  encode: (value) => (Number.isSafeInteger(value) ? String(value) : float.encode(value)),
  decode: (plain) => millis(float.decode(plain)),
};

export function oneOf<T extends string>(...words: readonly T[]): Codec<T> {
  const known = (plain: unknown): T => {
    const word = words.find((one) => one === plain);
    if (word === undefined) throw new Unreadable(`must be one of ${words.join(", ")}, was ${shown(plain)}`);
    return word;
  };
  return { encode: (value) => `"${known(value)}"`, decode: known };
}

export const asset: Codec<Asset> = grammar(parseAsset);
export const symbol: Codec<PairSymbol> = grammar(parseSymbol);
export const price: Codec<Price> = grammar(Price.parse);
export const quantity: Codec<Quantity> = grammar((plain) => Quantity.parse(plain));

const moneyParts = object<{ asset: Asset; amount: string }>({ asset, amount: text });

export const money: Codec<Money> = {
  encode: (value) => `{"asset":"${value.asset}","amount":"${value.toString()}"}`,
  decode(plain) {
    const parts = moneyParts.decode(plain);
    return parsed(Money.parse(parts.amount, parts.asset, "any"));
  },
};

/** Plain JSON data; its owner interprets it. */
export const json: Codec<unknown> = {
  encode(value) {
    const said = JSON.stringify(value);
    if (said === undefined) throw new Unreadable(`must be plain data, was ${typeof value}`);
    return said;
  },
  decode: (plain) => plain,
};

function grammar<T extends { toString(): string }>(parse: (plain: unknown) => Result<T>): Codec<T> {
  return { encode: (value) => `"${value.toString()}"`, decode: (plain) => parsed(parse(plain)) };
}

function parsed<T>(result: Result<T>): T {
  if (!result.ok) throw new Unreadable(result.error);
  return result.value;
}

function wholeOf(plain: unknown): number {
  if (!Number.isSafeInteger(plain)) throw new Unreadable(`must be a whole number, was ${shown(plain)}`);
  return plain as number;
}

type Types = { readonly string: string; readonly boolean: boolean; readonly number: number };

function typed<K extends keyof Types>(value: unknown, type: K): Types[K] {
  if (typeof value !== type) throw new Unreadable(`must be a ${type}, was ${shown(value)}`);
  return value as Types[K];
}
