// The one grammar of amounts: at most 18 digits before the point and 18 after it, no exponent, no blanks. Text outside
// it is refused, never repaired.

import { Decimal } from "decimal.js";
import { err, ok, type Result } from "../result.ts";
import { quoted } from "../sanitise.ts";

export const DECIMALS = 18;
export const INTEGER_DIGITS = 18;
/** One, in units of 10^-18. */
export const ONE = 10n ** BigInt(DECIMALS);

const AMOUNT = /^-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?$/;

/** A clone, isolated from other settings of precision and rounding. The product of two amounts has up to 72 digits. */
export const Exact = Decimal.clone({ precision: 80, toExpNeg: -90, toExpPos: 90, defaults: true });

export type Sign = "positive" | "not-negative" | "any";

/** Why the text is not such an amount; undefined if it is one. */
export function refusalOf(text: unknown, sign: Sign): string | undefined {
  if (typeof text !== "string") return `amount must be a decimal text, was ${quoted(text)}`;
  if (!AMOUNT.test(text))
    return `amount must be a plain decimal of at most ${INTEGER_DIGITS}+${DECIMALS} digits, was ${quoted(text)}`;
  if (sign === "any") return undefined;
  if (text.charCodeAt(0) === 45) return `amount must not be negative, was ${quoted(text)}`;
  return sign === "positive" && !/[1-9]/.test(text) ? `amount must be positive, was ${quoted(text)}` : undefined;
}

const WITH_EXPONENT = /^-?(?:0|[1-9][0-9]{0,35})(?:\.[0-9]{1,36})?[eE][-+]?[0-9]{1,2}$/;

/** `1e-7` and `0E-8` without the exponent, exactly; any other text as it is. */
export function plainText(text: string): string {
  return WITH_EXPONENT.test(text) ? new Exact(text).toFixed() : text;
}

/** In units of 10^-18. */
export function parseUnits(text: unknown, sign: Sign): Result<bigint> {
  const problem = refusalOf(text, sign);
  return problem === undefined ? ok(BigInt(new Exact(text as string).times(`1e${DECIMALS}`).toFixed())) : err(problem);
}

/** Canonical text: no trailing zeros, no trailing point, no minus zero. */
export function formatUnits(units: bigint): string {
  return new Exact(`${units}e-${DECIMALS}`).toFixed();
}
