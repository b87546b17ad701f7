// What an amount is made of. Ordinary amounts, below nine billion, are two whole numbers that floats hold exactly: millionths,
// and the 10^-18 above them; only larger ones are a BigInt. Which of the two follows from the value alone, so that equal
// amounts have equal parts. Every float here is a whole number below 2^53, or the result is not used.

import { InvariantViolation } from "../invariant.ts";
import { err, ok, type Result } from "../result.ts";
import { BOUND, ONE, refusalOf, type Sign, unitsOfText } from "./grammar.ts";

/** Toward minus or plus infinity; there is no default, the caller must know which side may not lose. */
export type Rounding = "down" | "up";

export type Parts = {
  /** Rounded down, so that of a negative amount too the rest goes up; infinite for a large amount. */
  readonly micros: number;
  /** So many 10^-18, from 0 to below 10^12; nothing for a large amount. */
  readonly rest: number;
  /** All of a large amount in 10^-18, and undefined for any other. */
  readonly units: bigint | undefined;
};

/** So much smaller than 2^53 that a sum of two and a carry, rounded as floats are, cannot come out within it by mistake. */
const MICROS_MAX = 9e15;
/** Decimals of up to 15 digits and floats name each other. */
export const MICROS_EXACT = 1e15 - 1;
const MILLION = 1e6;
export const TRILLION = 1e12;
const TRILLION_UNITS = 10n ** 12n;
const MICROS_MAX_UNITS = BigInt(MICROS_MAX);
const MINUS_BOUND = -BOUND;

// One object for all results: whoever asks for one makes an amount of it at once.
// The halves tell the runtime that these are floats.
const result: { micros: number; rest: number; units: bigint | undefined } = {
  micros: 0.5,
  rest: 0.5,
  units: undefined,
};

/** Whether so many millionths make an ordinary amount; false for what is no number. */
export function isOrdinary(micros: number): boolean {
  return Math.abs(micros) <= MICROS_MAX;
}

/** The parts of an ordinary amount. */
export function ordinary(micros: number, rest: number): Parts {
  result.micros = micros;
  result.rest = rest;
  result.units = undefined;
  return result;
}

export function partsOfUnits(units: bigint): Parts {
  let micros = units / TRILLION_UNITS;
  let rest = units - micros * TRILLION_UNITS;
  if (rest < 0n) {
    micros -= 1n;
    rest += TRILLION_UNITS;
  }
  if (micros <= MICROS_MAX_UNITS && micros >= -MICROS_MAX_UNITS) return ordinary(Number(micros), Number(rest));
  if (units >= BOUND || units <= MINUS_BOUND) throw new InvariantViolation("amount must stay below 18 integer digits");
  result.micros = units < 0n ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  result.rest = 0;
  result.units = units;
  return result;
}

export function parseParts(text: unknown, sign: Sign): Result<Parts> {
  const problem = refusalOf(text, sign);
  if (problem !== undefined) return err(problem);
  const decimal = text as string;
  const point = decimal.indexOf(".");
  if (point < 0 || decimal.length - point <= 7) {
    // On a grid of millionths, and too small for the error of a float to reach half of one. Minus zero is no amount.
    const micros = Math.round(Number(decimal) * MILLION) + 0;
    if (micros <= MICROS_EXACT && micros >= -MICROS_EXACT) return ok(ordinary(micros, 0));
  }
  const isNegative = decimal.charCodeAt(0) === 45;
  const from = isNegative ? 1 : 0;
  // Nine digits before the point are below the largest ordinary amount, and what is behind it is cut in two.
  if (point > 0 && point - from <= 9) {
    const micros = Number(decimal.slice(from, point)) * MILLION + Number(decimal.slice(point + 1, point + 7));
    const rest = Number(decimal.slice(point + 7)) * (STEPS_OF_REST[decimal.length - point - 7] as number);
    return ok(
      isNegative && rest > 0
        ? ordinary(-micros - 1, TRILLION - rest)
        : ordinary(isNegative ? 0 - micros : micros, rest),
    );
  }
  return ok(partsOfUnits(unitsOfText(decimal)));
}

/** What the last of so many digits of a rest is worth. */
const STEPS_OF_REST: readonly number[] = Array.from({ length: 13 }, (_, digits) => Number(`1e${12 - digits}`));

/** Canonical text of an ordinary amount. */
export function textOfParts(micros: number, rest: number): string {
  const isNegative = micros < 0;
  // Of a negative amount the rest goes up from the millionths below.
  const above = isNegative && rest > 0 ? TRILLION - rest : rest;
  const size = isNegative ? -micros - (rest > 0 ? 1 : 0) : micros;
  const whole = Math.floor(size / MILLION);
  const digits = `${size - whole * MILLION + MILLION}${above + TRILLION}`;
  // Both begin with a one that keeps their noughts: of seven and of thirteen digits.
  const decimals = withoutNoughts(digits.slice(1, 7) + digits.slice(8));
  return `${isNegative ? "-" : ""}${whole}${decimals === "" ? "" : "."}${decimals}`;
}

function withoutNoughts(decimals: string): string {
  let end = decimals.length;
  while (end > 0 && decimals.charCodeAt(end - 1) === 48) end--;
  return decimals.slice(0, end);
}

export function unitsOfParts(micros: number, rest: number): bigint {
  return BigInt(micros) * TRILLION_UNITS + BigInt(rest);
}

/** Apart from the product, an operation of floats is off by a part of 2^-53; what a few of them come to is well within this. */
const DOUBT = 2 ** -48;
/** Cuts a float into two of 26 bits. */
const HALVES = 2 ** 27 + 1;

/** The float that is nearest to an ordinary amount. Undefined when these few operations cannot tell it from the next. */
export function nearestFloat(micros: number, rest: number): number | undefined {
  const float = micros / MILLION;
  // What the division left over, exactly: a half of 26 bits times a million is a whole float.
  const wide = float * HALVES;
  const high = wide - (wide - float);
  const left = micros - high * MILLION - (float - high) * MILLION;
  const missing = (left + rest / TRILLION) / MILLION;
  const nearest = float + missing * (1 - DOUBT);
  return nearest === float + missing * (1 + DOUBT) ? nearest : undefined;
}

/** Of two amounts without a rest. Undefined when it is not positive, or has more digits than a float. */
export function plainProduct(one: number, other: number): Parts | undefined {
  const direct = one * other;
  if (!(direct > 0 && direct <= MICROS_MAX)) return undefined;
  const micros = Math.floor(direct / MILLION);
  return ordinary(micros, (direct - micros * MILLION) * MILLION);
}

/** Of two ordinary amounts, neither negative. Undefined when it is not ordinary. */
export function product(
  micros1: number,
  rest1: number,
  micros2: number,
  rest2: number,
  isNegative: boolean,
  rounding: Rounding,
): Parts | undefined {
  // Digits in groups of six, the first of up to ten. While the product is ordinary the two first groups come to at most
  // 9e9 + 1 together, so that every sum of products below stays under 2^53.
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
  return rounded(micros, below, isExact, isNegative, rounding);
}

/** Of two ordinary amounts, neither negative; `rest` is of the first, the second has none. Undefined when this is no way. */
export function quotient(
  one: number,
  rest: number,
  by: number,
  isNegative: boolean,
  rounding: Rounding,
): Parts | undefined {
  // Long division, some digits at a time: what is left over, which is less than the divisor, must take as many more.
  const group = by <= MICROS_MAX / MILLION ? 6 : 3;
  const base = group === 6 ? MILLION : 1e3;
  if (by > MICROS_MAX / base) return undefined;
  let micros = Math.floor(one / by);
  let left = one - micros * by;
  let below = 0;
  let tail = rest;
  let unit = TRILLION;
  for (let digits = group; digits <= 18; digits += group) {
    unit = digits <= 12 ? unit / base : 1;
    const next = digits <= 12 ? Math.floor(tail / unit) : 0;
    tail -= next * unit;
    left = left * base + next;
    const digit = Math.floor(left / by);
    left -= digit * by;
    if (digits <= 6) micros = micros * base + digit;
    else below = below * base + digit;
  }
  return isOrdinary(micros) ? rounded(micros, below, left === 0, isNegative, rounding) : undefined;
}

/** Of BigInts of any size, what is left over rounded as told. */
export function divided(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  // A division drops what is left over: nearly always that is the rounding asked for.
  const negative = numerator < 0n !== denominator < 0n;
  if ((rounding === "down") !== negative) return quotient;
  if (quotient * denominator === numerator) return quotient;
  return negative ? quotient - 1n : quotient + 1n;
}

export function largeProduct(one: bigint, other: bigint, rounding: Rounding): Parts {
  return partsOfUnits(divided(one * other, ONE, rounding));
}

export function largeQuotient(one: bigint, by: bigint, rounding: Rounding): Parts {
  return partsOfUnits(divided(one * ONE, by, rounding));
}

/** A number of that size, of either sign. */
export function signed(micros: number, rest: number, isNegative: boolean): Parts {
  if (!isNegative) return partsOf(micros, rest);
  return rest === 0 ? partsOf(0 - micros, 0) : partsOf(-1 - micros, TRILLION - rest);
}

/** Up to a few steps beyond what is ordinary, and a rest of up to a whole millionth. */
export function partsOf(micros: number, rest: number): Parts {
  if (rest === TRILLION) return partsOf(micros + 1, 0);
  return isOrdinary(micros) ? ordinary(micros, rest) : partsOfUnits(unitsOfParts(micros, rest));
}

/** Rounds a size that was cut toward zero. */
function rounded(micros: number, rest: number, isExact: boolean, isNegative: boolean, rounding: Rounding): Parts {
  const isAway = !isExact && (rounding === "up") !== isNegative;
  if (!isAway) return signed(micros, rest, isNegative);
  return rest + 1 === TRILLION ? signed(micros + 1, 0, isNegative) : signed(micros, rest + 1, isNegative);
}
