// The only user of decimal.js: float text with an exponent. The constructor is a clone, so that nobody else's precision or
// rounding reaches it. Everything that counts is done in whole units (amount.ts).

import { Decimal } from "decimal.js";
import type { Rounding } from "./parts.ts";

const Exact = Decimal.clone({ precision: 80, defaults: true });

const MODE = {
  down: Decimal.ROUND_FLOOR,
  up: Decimal.ROUND_CEIL,
} as const;

/** A float's text, exponent or not, as a plain decimal on a grid. */
export function plainOnGrid(floatText: string, decimals: number, rounding: Rounding): string {
  return new Exact(floatText).toFixed(decimals, MODE[rounding]);
}
