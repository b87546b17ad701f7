// A strict, bounded JSON reader for answers. Numbers keep their source text (an amount must never pass through a
// float), an object is a list of members (so that no key can reach a prototype), and input that JSON.parse silently
// accepts (a repeated key, half a surrogate pair, endless nesting) is refused by name.

import { err, ok, type Result } from "../../domain/result.ts";

export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Keys and values as parallel lists, in source order. */
export class JsonObject {
  readonly keys: readonly string[];
  readonly values: readonly Json[];

  constructor(keys: readonly string[], values: readonly Json[]) {
    this.keys = keys;
    this.values = values;
  }
}

export type Json = string | boolean | null | JsonNumber | readonly Json[] | JsonObject;

export type JsonProblem =
  | "empty"
  | "not-json"
  | "too-large"
  | "too-deep"
  | "too-many-items"
  | "duplicate-key"
  | "not-utf8"
  | "byte-order-mark"
  | "nul"
  | "lone-surrogate";

export type JsonLimits = { readonly bytes: number; readonly depth: number; readonly items: number };

/** For answers about one order, mint or rail; a larger one is not valid. */
export const jsonLimits: JsonLimits = { bytes: 2_000_000, depth: 32, items: 50_000 };
/**
 * The interface has no paging: a venue that returns its whole history each time exceeds the limits above after some
 * thousand orders. These limits allow some 60,000, which take about half a second to read.
 */
export const listLimits: JsonLimits = { bytes: 32_000_000, depth: 32, items: 1_000_000 };

export function parseJson(bytes: Uint8Array, limits = jsonLimits): Result<Json, JsonProblem> {
  if (bytes.length > limits.bytes) return err("too-large");
  if (bytes.includes(0)) return err("nul");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return err("not-utf8");
  }
  if (text.charCodeAt(0) === 0xfeff) return err("byte-order-mark");
  if (text.trim() === "") return err("empty");
  try {
    return ok(new Reader(text, limits).document());
  } catch (error) {
    if (error instanceof Refused) return err(error.problem);
    throw error;
  }
}

class Refused extends Error {
  readonly problem: JsonProblem;

  constructor(problem: JsonProblem) {
    super(problem);
    this.problem = problem;
  }
}

const SCANNED_MAX = 24;
const SCALAR = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

class Reader {
  private readonly text: string;
  private readonly limits: JsonLimits;
  private at = 0;
  private items = 0;

  constructor(text: string, limits: JsonLimits) {
    this.text = text;
    this.limits = limits;
  }

  document(): Json {
    const value = this.value(0);
    this.next();
    if (this.at < this.text.length) throw new Refused("not-json");
    return value;
  }

  private value(depth: number): Json {
    if (++this.items > this.limits.items) throw new Refused("too-many-items");
    switch (this.next()) {
      case 0x7b:
        return this.object(depth + 1);
      case 0x5b:
        return this.array(depth + 1);
      case QUOTE:
        return this.string();
      default:
        return this.scalar();
    }
  }

  private object(depth: number): JsonObject {
    const keys: string[] = [];
    const values: Json[] = [];
    let seen: Set<string> | undefined;
    this.members(depth, 0x7d, () => {
      if (this.next() !== QUOTE) throw new Refused("not-json");
      const key = this.string();
      // A scan is faster for the few keys of a row; an object with many keys gets an index.
      if (keys.length === SCANNED_MAX) seen = new Set(keys);
      if (seen === undefined ? keys.includes(key) : seen.has(key)) throw new Refused("duplicate-key");
      seen?.add(key);
      if (this.next() !== 0x3a) throw new Refused("not-json");
      this.at++;
      keys.push(key);
      values.push(this.value(depth));
    });
    return new JsonObject(keys, values);
  }

  private array(depth: number): readonly Json[] {
    const values: Json[] = [];
    this.members(depth, 0x5d, () => values.push(this.value(depth)));
    return values;
  }

  /** From the opening bracket to after the closing one. */
  private members(depth: number, close: number, read: () => void): void {
    if (depth > this.limits.depth) throw new Refused("too-deep");
    this.at++;
    if (this.next() === close) {
      this.at++;
      return;
    }
    for (;;) {
      read();
      const found = this.next();
      if (found !== close && found !== 0x2c) throw new Refused("not-json");
      this.at++;
      if (found === close) return;
    }
  }

  private string(): string {
    const { text, at: from } = this;
    let hasEscape = false;
    let at = from + 1;
    for (; ; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) break;
      // Past the end the code is NaN, which fails every comparison.
      if (!(code >= 0x20)) throw new Refused("not-json");
      if (code === BACKSLASH) {
        hasEscape = true;
        at++;
      }
    }
    this.at = at + 1;
    return hasEscape ? unescaped(text.slice(from, at + 1)) : text.slice(from + 1, at);
  }

  private scalar(): JsonNumber | boolean | null {
    SCALAR.lastIndex = this.at;
    if (!SCALAR.test(this.text)) throw new Refused("not-json");
    const text = this.text.slice(this.at, SCALAR.lastIndex);
    this.at = SCALAR.lastIndex;
    const word = WORDS.get(text);
    return word === undefined ? new JsonNumber(text) : word;
  }

  /** Skips whitespace and returns the next character's code. */
  private next(): number {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.at++;
    }
  }
}

function unescaped(quoted: string): string {
  let text: string;
  try {
    text = JSON.parse(quoted) as string;
  } catch {
    throw new Refused("not-json");
  }
  if (text.includes("\0")) throw new Refused("nul");
  if (!text.isWellFormed()) throw new Refused("lone-surrogate");
  return text;
}
