// A strict, bounded reader of JSON answers. Numbers keep their source text (an amount must never pass through a float),
// an object is a list of members (so that no key can reach a prototype), and what JSON.parse lets through silently (a
// repeated key, half a surrogate pair, endless nesting) is refused by name.

import { err, ok, type Result } from "../../domain/result.ts";

export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Keys and values side by side, in the order of the text. */
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
  | "truncated"
  | "too-large"
  | "too-deep"
  | "too-many-items"
  | "duplicate-key"
  | "not-utf8"
  | "byte-order-mark"
  | "nul"
  | "lone-surrogate";

export type JsonLimits = { readonly bytes: number; readonly depth: number; readonly items: number };

/** An answer about one order, mint or rail that is larger is none. */
export const jsonLimits: JsonLimits = { bytes: 2_000_000, depth: 32, items: 50_000 };
/**
 * The interface knows no paging: a venue that gives all of a history with each answer is beyond those limits after some thousand orders.
 * Within these there are some 60,000, which take about half a second to read.
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
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const ESCAPED: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
});

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
    this.blanks();
    if (this.at === this.text.length) throw new Refused("empty");
    const value = this.value(0);
    this.blanks();
    if (this.at < this.text.length) throw new Refused("not-json");
    return value;
  }

  private value(depth: number): Json {
    if (++this.items > this.limits.items) throw new Refused("too-many-items");
    switch (this.text.charCodeAt(this.at)) {
      case 0x7b:
        return this.object(depth + 1);
      case 0x5b:
        return this.array(depth + 1);
      case 0x22:
        return this.string();
      case 0x74:
        return this.word("true", true);
      case 0x66:
        return this.word("false", false);
      case 0x6e:
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  private object(depth: number): JsonObject {
    const keys: string[] = [];
    const values: Json[] = [];
    const object = new JsonObject(keys, values);
    if (this.opened(depth, 0x7d)) return object;
    let seen: Set<string> | undefined;
    for (;;) {
      this.blanks();
      if (this.text.charCodeAt(this.at) !== 0x22) this.fail();
      const key = this.string();
      // A scan is quicker for the few keys of a row; a hostile object gets an index.
      if (keys.length === SCANNED_MAX) seen = new Set(keys);
      if (seen === undefined ? keys.includes(key) : seen.has(key)) throw new Refused("duplicate-key");
      seen?.add(key);
      this.blanks();
      this.expect(0x3a);
      this.blanks();
      keys.push(key);
      values.push(this.value(depth));
      if (this.closed(0x7d)) return object;
    }
  }

  private array(depth: number): readonly Json[] {
    const values: Json[] = [];
    if (this.opened(depth, 0x5d)) return values;
    for (;;) {
      this.blanks();
      values.push(this.value(depth));
      if (this.closed(0x5d)) return values;
    }
  }

  /** Past the opening bracket; true when the closing one follows at once. */
  private opened(depth: number, close: number): boolean {
    if (depth > this.limits.depth) throw new Refused("too-deep");
    this.at++;
    this.blanks();
    if (this.text.charCodeAt(this.at) !== close) return false;
    this.at++;
    return true;
  }

  private closed(close: number): boolean {
    this.blanks();
    const found = this.text.charCodeAt(this.at);
    if (found !== close && found !== 0x2c) this.fail();
    this.at++;
    return found === close;
  }

  private string(): string {
    this.at++;
    const first = this.plain();
    if (this.text.charCodeAt(this.at) === 0x22) {
      this.at++;
      return first;
    }
    let value = first;
    for (;;) {
      const found = this.text.charCodeAt(this.at);
      if (found === 0x22) break;
      if (found !== 0x5c) this.fail();
      value += this.escape() + this.plain();
    }
    this.at++;
    if (!value.isWellFormed()) throw new Refused("lone-surrogate");
    return value;
  }

  /** Up to the next quote, backslash or control character. */
  private plain(): string {
    const { text, at: from } = this;
    let at = from;
    for (; ; at++) {
      const code = text.charCodeAt(at);
      // Past the end the code is NaN, which no comparison lets through.
      if (!(code >= 0x20) || code === 0x22 || code === 0x5c) break;
    }
    this.at = at;
    return text.slice(from, at);
  }

  private escape(): string {
    const letter = this.text.charAt(this.at + 1);
    if (letter !== "u") {
      const value = ESCAPED[letter];
      if (value === undefined) this.fail(this.at + 1);
      this.at += 2;
      return value;
    }
    const digits = this.text.slice(this.at + 2, this.at + 6);
    if (!/^[0-9a-fA-F]*$/.test(digits)) this.fail();
    if (digits.length < 4) throw new Refused("truncated");
    this.at += 6;
    const unit = Number.parseInt(digits, 16);
    if (unit === 0) throw new Refused("nul");
    return String.fromCharCode(unit);
  }

  private number(): JsonNumber {
    NUMBER.lastIndex = this.at;
    if (!NUMBER.test(this.text)) this.fail(this.text.charCodeAt(this.at) === 0x2d ? this.at + 1 : this.at);
    const number = new JsonNumber(this.text.slice(this.at, NUMBER.lastIndex));
    this.at = NUMBER.lastIndex;
    return number;
  }

  private word<T>(word: string, value: T): T {
    const found = this.text.slice(this.at, this.at + word.length);
    if (found !== word) throw new Refused(word.startsWith(found) ? "truncated" : "not-json");
    this.at += word.length;
    return value;
  }

  private expect(code: number): void {
    if (this.text.charCodeAt(this.at) !== code) this.fail();
    this.at++;
  }

  private blanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  /** Input that ends where more was needed was cut off; anything else was never JSON. */
  private fail(at = this.at): never {
    throw new Refused(at >= this.text.length ? "truncated" : "not-json");
  }
}
