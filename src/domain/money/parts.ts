// The representation of an amount. Below nine billion it is two whole numbers that floats hold exactly, which makes
// adding, comparing and multiplying fast: millionths, and the 10^-18 above them. A larger one is a Decimal, and
// decimal.js divides and rounds all of them. The value alone decides between the two, so that equal amounts have equal
// parts.

import { Decimal } from "decimal.js";
import { InvariantViolation } from "../invariant.ts";
import { err, ok, type Result } from "../result.ts";
import { DECIMALS, Exact, INTEGER_DIGITS, refusalOf, type Sign } from "./grammar.ts";

/** Toward minus or plus infinity; there is no default, because the caller must know which side may not lose. */
export type Rounding = "down" | "up";

export const MODE = { down: Decimal.ROUND_FLOOR, up: Decimal.ROUND_CEIL } as const;

export type Parts = {
  /** Rounded down, so that the rest is positive for negative amounts, too; NaN for a large amount. */
  readonly micros: number;
  /** In units of 10^-18, from 0 to below 10^12; zero for a large amount. */
  readonly rest: number;
  /** The whole value of a large amount; undefined for any other. */
  readonly large: Decimal | undefined;
};

/** Far enough below 2^53 that the float sum of two and a carry cannot round back into range. */
const MICROS_MAX = 9e15;
/** Decimals of up to 15 digits convert to floats and back exactly. */
export const MICROS_EXACT = 1e15 - 1;
export const MILLION = 1e6;
export const TRILLION = 1e12;

// One object for all results: every caller makes an amount of it at once. The initial 0.5 makes the runtime treat the
// fields as floats.
const result: { micros: number; rest: number; large: Decimal | undefined } = {
  micros: 0.5,
  rest: 0.5,
  large: undefined,
};

/** Whether this many millionths make an ordinary amount; false for NaN. */
export function isOrdinary(micros: number): boolean {
  return Math.abs(micros) <= MICROS_MAX;
}

export function ordinary(micros: number, rest: number): Parts {
  result.micros = micros;
  result.rest = rest;
  result.large = undefined;
  return result;
}

/** Rounded to a grid of this many decimals. */
export function partsOfDecimal(decimal: Decimal, rounding: Rounding = "down", decimals = DECIMALS): Parts {
  const exact = decimal.toDecimalPlaces(decimals, MODE[rounding]);
  if (exact.e >= INTEGER_DIGITS)
    throw new InvariantViolation(`amount must stay below ${INTEGER_DIGITS} integer digits`);
  const inMicros = exact.times(MILLION);
  const micros = inMicros.floor();
  // Adding zero removes a minus zero.
  if (isOrdinary(micros.toNumber()))
    return ordinary(micros.toNumber() + 0, inMicros.minus(micros).times(TRILLION).toNumber());
  result.micros = Number.NaN;
  result.rest = 0;
  result.large = exact;
  return result;
}

export function decimalOf(micros: number, rest: number): Decimal {
  const decimal = new Exact(`${micros}e-6`);
  return rest === 0 ? decimal : decimal.plus(`${rest}e-18`);
}

export function parseParts(text: unknown, sign: Sign): Result<Parts> {
  const problem = refusalOf(text, sign);
  if (problem !== undefined) return err(problem);
  const [, minus, whole, fraction = ""] = ORDINARY.exec(text as string) ?? [];
  if (whole === undefined) return ok(partsOfDecimal(new Exact(text as string)));
  const micros = Number(whole + fraction.slice(0, 6).padEnd(6, "0"));
  return ok(signed(micros, Number(fraction.slice(6).padEnd(12, "0")), minus === "-"));
}

/** Nine digits before the point are below the largest ordinary amount. */
const ORDINARY = /^(-?)(\d{1,9})(?:\.(\d+))?$/;

/** The product of two amounts without a rest; undefined if it is not positive, or has more digits than a float. */
export function plainProduct(one: number, other: number): Parts | undefined {
  const direct = one * other;
  if (!(direct > 0 && direct <= MICROS_MAX)) return undefined;
  const micros = Math.floor(direct / MILLION);
  return ordinary(micros, (direct - micros * MILLION) * MILLION);
}

/** The product of two ordinary amounts, neither negative; undefined if it is not ordinary. */
export function product(
  micros1: number,
  rest1: number,
  micros2: number,
  rest2: number,
  isNegative: boolean,
  rounding: Rounding,
): Parts | undefined {
  // Digits in groups of six, the first of up to ten. While the product is ordinary the two first groups sum to at most
  // 9e9 + 1, so that every sum of products below stays under 2^53.
  const a1 = Math.floor(micros1 / MILLION);
  const b1 = micros1 - a1 * MILLION;
  const c1 = Math.floor(rest1 / MILLION);
  const d1 = rest1 - c1 * MILLION;
  const a2 = Math.floor(micros2 / MILLION);
  const b2 = micros2 - a2 * MILLION;
  const c2 = Math.floor(rest2 / MILLION);
  const d2 = rest2 - c2 * MILLION;
  const e36 = d1 * d2;
  const from36 = Math.floor(e36 / MILLION);
  const e30 = c1 * d2 + d1 * c2 + from36;
  const from30 = Math.floor(e30 / MILLION);
  const e24 = b1 * d2 + c1 * c2 + d1 * b2 + from30;
  const from24 = Math.floor(e24 / MILLION);
  const e18 = a1 * d2 + b1 * c2 + c1 * b2 + d1 * a2 + from24;
  const from18 = Math.floor(e18 / MILLION);
  const e12 = a1 * c2 + b1 * b2 + c1 * a2 + from18;
  const from12 = Math.floor(e12 / MILLION);
  const micros = a1 * a2 * MILLION + a1 * b2 + b1 * a2 + from12;
  if (!isOrdinary(micros)) return undefined;
  const below = (e12 - from12 * MILLION) * MILLION + (e18 - from18 * MILLION);
  const isExact = e36 === from36 * MILLION && e30 === from30 * MILLION && e24 === from24 * MILLION;
  return signed(micros, isExact || (rounding === "up") === isNegative ? below : below + 1, isNegative);
}

const [E12, E18] = [10n ** 12n, 10n ** 18n];

/** In units of 10^-18. */
export function unitsOf(micros: number, rest: number): bigint {
  return BigInt(micros) * E12 + BigInt(rest);
}

/** Undefined if it is not ordinary. */
export function quotient(one: bigint, by: bigint, rounding: Rounding): Parts | undefined {
  const isNegative = one < 0n !== by < 0n;
  const [dividend, divisor] = [one < 0n ? -one * E18 : one * E18, by < 0n ? -by : by];
  const size = dividend / divisor;
  const isAway = size * divisor !== dividend && (rounding === "up") !== isNegative;
  const micros = size / E12;
  if (!isOrdinary(Number(micros))) return undefined;
  return signed(Number(micros), Number(size - micros * E12) + (isAway ? 1 : 0), isNegative);
}

/** A number of this size with a sign; the rest may be up to a whole millionth. */
export function signed(micros: number, rest: number, isNegative: boolean): Parts {
  if (rest === TRILLION) return signed(micros + 1, 0, isNegative);
  if (!isNegative) return partsOf(micros, rest);
  return rest === 0 ? partsOf(0 - micros, 0) : partsOf(-1 - micros, TRILLION - rest);
}

/** `micros` may be slightly beyond the ordinary range. */
function partsOf(micros: number, rest: number): Parts {
  return isOrdinary(micros) ? ordinary(micros, rest) : partsOfDecimal(decimalOf(micros, rest));
}
