// Canonical JSON: object keys sorted by UTF-16 code unit at every depth, array order kept, no whitespace, no escapes
// beyond what JSON requires (non-ASCII stays as it is), numbers as plain decimals. Each value has one text, so the
// signed text and the sent body cannot differ; a value without an exact text is refused.

import { formatUnits, parseUnits } from "../../domain/money/grammar.ts";
import { Money, Price, Quantity } from "../../domain/money/money.ts";
import { err, ok, type Result } from "../../domain/result.ts";

const DEPTH_MAX = 64;

/** A JSON number with all its digits, which a double cannot guarantee: `30.0` becomes `30`, `1e3` is refused. */
export class BareNumber {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static parse(text: string): Result<BareNumber> {
    const units = parseUnits(text, "any");
    return units.ok ? ok(new BareNumber(formatUnits(units.value))) : units;
  }

  static of(amount: Price | Quantity | Money): BareNumber {
    return new BareNumber(amount.toString());
  }
}

/** Amounts become quoted decimals; wrapped in a BareNumber they are written without quotes. */
export function canonicalJson(value: unknown): Result<string> {
  try {
    return ok(write(value, "$", []));
  } catch (error) {
    if (error instanceof Refusal) return err(error.message);
    throw error;
  }
}

class Refusal extends Error {}

function write(value: unknown, at: string, above: readonly object[]): string {
  switch (typeof value) {
    case "string":
      return text(value, at);
    case "boolean":
      return String(value);
    case "number":
      return integer(value, at);
    case "object":
      return value === null ? "null" : composite(value, at, above);
    default:
      throw new Refusal(`${at} must be a JSON value, was ${typeof value}`);
  }
}

function text(value: string, at: string): string {
  if (!value.isWellFormed()) throw new Refusal(`${at} must be well-formed text, had half of a surrogate pair`);
  return JSON.stringify(value);
}

/** A double with a fraction has no exact decimal text to sign; amounts must be passed as amounts. */
function integer(value: number, at: string): string {
  if (!Number.isSafeInteger(value)) throw new Refusal(`${at} must be a whole number below 2^53 or an exact amount`);
  return String(value);
}

function composite(value: object, at: string, above: readonly object[]): string {
  if (value instanceof BareNumber) return value.text;
  if (value instanceof Price || value instanceof Quantity || value instanceof Money) return `"${value}"`;
  if (above.includes(value)) throw new Refusal(`${at} must not contain itself`);
  if (above.length >= DEPTH_MAX) throw new Refusal(`${at} must not be nested deeper than ${DEPTH_MAX}`);
  const path = [...above, value];
  if (Array.isArray(value)) return `[${Array.from(value, (item, i) => write(item, `${at}[${i}]`, path)).join(",")}]`;
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new Refusal(`${at} must be a plain object`);
  const members = Object.keys(value)
    .sort()
    .map(
      (key) => `${text(key, `a key of ${at}`)}:${write((value as Record<string, unknown>)[key], `${at}.${key}`, path)}`,
    );
  return `{${members.join(",")}}`;
}
