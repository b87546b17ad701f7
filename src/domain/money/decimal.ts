// The only user of decimal.js: amounts for people, and float text with an exponent. The constructor is a clone, so that
// nobody else's precision or rounding reaches it. Everything that counts is done in whole units (amount.ts).

import { Decimal } from "decimal.js";
import type { Amount } from "./amount.ts";
import type { Rounding } from "./parts.ts";

const Exact = Decimal.clone({ precision: 80, defaults: true });

const MODE = {
  down: Decimal.ROUND_FLOOR,
  up: Decimal.ROUND_CEIL,
  nearest: Decimal.ROUND_HALF_EVEN,
} as const;

/** For tables and messages: always so many decimals, thousands set apart when asked; never to be parsed again. */
export function formatFixed(
  amount: Amount,
  decimals: number,
  rounding: Rounding | "nearest",
  thousands: "" | "," | "'" | "\u202f" = "",
): string {
  const text = new Exact(amount.toString()).toFixed(decimals, MODE[rounding]);
  // A negative amount may round to nothing, and "-0.00" is no amount.
  const plain = /^-[0.]+$/.test(text) ? text.slice(1) : text;
  if (thousands === "") return plain;
  const [whole, fraction] = plain.split(".") as [string, string?];
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** A float's text, exponent or not, as a plain decimal on a grid. */
export function plainOnGrid(floatText: string, decimals: number, rounding: Rounding): string {
  return new Exact(floatText).toFixed(decimals, MODE[rounding]);
}
