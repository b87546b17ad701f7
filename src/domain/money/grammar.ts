// The one grammar of amounts, and the scaled integer behind them: every amount is a whole number of 10^-18, so that
// adding and comparing is integer arithmetic. Text outside the grammar is refused, never repaired.

import { quoted } from "../outside-text.ts";
import { err, ok, type Result } from "../result.ts";

export const DECIMALS = 18;
const INTEGER_DIGITS = 18;
export const ONE = 10n ** 18n;
/** Every amount is smaller than this in size: 18 digits before the point and 18 behind it. */
export const BOUND = 10n ** 36n;

const AMOUNT = /^-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,18})?$/;
export const POWERS: readonly bigint[] = Array.from({ length: DECIMALS + 1 }, (_, i) => 10n ** BigInt(i));

export type Sign = "positive" | "not-negative" | "any";

export function parseUnits(text: unknown, sign: Sign): Result<bigint> {
  const problem = refusalOf(text, sign);
  return problem === undefined ? ok(unitsOfText(text as string)) : err(problem);
}

/** Why it is no such amount; undefined when it is one. */
export function refusalOf(text: unknown, sign: Sign): string | undefined {
  if (typeof text !== "string") return `amount must be a decimal text, was ${quoted(text)}`;
  if (!AMOUNT.test(text))
    return `amount must be a plain decimal of at most ${INTEGER_DIGITS}+${DECIMALS} digits, was ${quoted(text)}`;
  if (sign === "any") return undefined;
  if (text.charCodeAt(0) === 45) return `amount must not be negative, was ${quoted(text)}`;
  return sign === "positive" && !/[1-9]/.test(text) ? `amount must be positive, was ${quoted(text)}` : undefined;
}

/** For a text that fits the grammar. */
export function unitsOfText(text: string): bigint {
  const point = text.indexOf(".");
  if (point < 0) return BigInt(text) * ONE;
  return (
    BigInt(text.slice(0, point) + text.slice(point + 1)) * (POWERS[DECIMALS - (text.length - point - 1)] as bigint)
  );
}

const BILLION = 10n ** 9n;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** Of steps of 10^-decimals, `one` of which are a whole unit. */
function formatSteps(count: number, decimals: number, one: number): string {
  const size = Math.abs(count);
  const whole = Math.floor(size / one);
  let rest = size - whole * one;
  const sign = count < 0 ? "-" : "";
  if (rest === 0) return `${sign}${whole}`;
  let digits = decimals;
  for (; rest % 10 === 0; rest /= 10) digits--;
  return `${sign}${whole}.${ZEROS[digits - digitsOf(rest)]}${rest}`;
}

const TRILLION = 10n ** 12n;

/** The amount as a count of millionths, where that is a float's whole number: most amounts are. */
function wholeMillionths(units: bigint): number | undefined {
  // A guess, which the exact product decides on: cheaper than dividing.
  const guess = Math.round(Number(units) / 1e12);
  return Number.isSafeInteger(guess) && BigInt(guess) * TRILLION === units ? guess : undefined;
}

const ZEROS: readonly string[] = Array.from({ length: 10 }, (_, count) => "0".repeat(count));

function digitsOf(count: number): number {
  let digits = 1;
  for (let bound = 10; count >= bound; bound *= 10) digits++;
  return digits;
}

/** Canonical text: no trailing zeros, no point without digits behind it, no minus zero. */
export function formatUnits(units: bigint): string {
  // What few decimals hold within a float's whole numbers is written from that: it is most amounts, and much faster.
  const millionths = wholeMillionths(units);
  if (millionths !== undefined) return formatSteps(millionths, 6, 1e6);
  const billionths = units / BILLION;
  if (billionths <= SAFE && billionths >= -SAFE && billionths * BILLION === units)
    return formatSteps(Number(billionths), 9, 1e9);
  const size = units < 0n ? -units : units;
  const digits = size.toString().padStart(DECIMALS + 1, "0");
  const whole = digits.slice(0, -DECIMALS);
  let end = digits.length;
  while (end > whole.length && digits.charCodeAt(end - 1) === 48) end--;
  const text = end === whole.length ? whole : `${whole}.${digits.slice(whole.length, end)}`;
  return units < 0n ? `-${text}` : text;
}
