// The base of Price, Quantity and Money: a decimal of at most 18 digits before the point and 18 after it, and the
// operations on it. Opaque, so that no amount meets a float by accident: `<` and `+` throw, text and JSON are the
// canonical decimal. An amount belongs to one thread: structuredClone and postMessage drop its methods, so send the text
// and parse it again.

import { Decimal } from "decimal.js";
import type { Asset } from "../asset.ts";
import { InvariantViolation, invariant } from "../invariant.ts";
import { err, ok, type Result } from "../result.ts";
import { DECIMALS, Exact, INTEGER_DIGITS, refusalOf, type Sign } from "./grammar.ts";

/** Toward minus or plus infinity; there is no default, because the caller must know which side may not lose. */
export type Rounding = "down" | "up";

export const MODE = { down: Decimal.ROUND_FLOOR, up: Decimal.ROUND_CEIL } as const;

const ZERO = new Exact(0);
const STEPS: readonly Decimal[] = Array.from({ length: DECIMALS + 1 }, (_, decimals) => new Exact(`1e-${decimals}`));
const MILLIONTH = STEPS[6] as Decimal;

export abstract class Amount {
  // A plain field and not `#value`: deep equality in tests would find any two amounts equal if it could not see it.
  protected readonly value: Decimal;
  /** Set on Money; empty on prices and quantities. Amounts of two assets are never combined. */
  declare protected readonly asset: Asset | "";

  static {
    Object.assign(Amount.prototype, { asset: "" });
  }

  protected constructor(value: Decimal) {
    if (value.e >= INTEGER_DIGITS)
      throw new InvariantViolation(`amount must stay below ${INTEGER_DIGITS} integer digits`);
    // One zero, without a sign.
    this.value = value.isZero() ? ZERO : value;
  }

  compare(other: this): -1 | 0 | 1 {
    if (other.asset !== this.asset) throw mixture(this.asset, other.asset);
    return this.value.comparedTo(other.value) as -1 | 0 | 1;
  }

  equals(other: this): boolean {
    return this.compare(other) === 0;
  }

  lessThan(other: this): boolean {
    return this.compare(other) < 0;
  }

  moreThan(other: this): boolean {
    return this.compare(other) > 0;
  }

  atMost(other: this): boolean {
    return this.compare(other) <= 0;
  }

  atLeast(other: this): boolean {
    return this.compare(other) >= 0;
  }

  min(other: this): this {
    return this.compare(other) <= 0 ? this : other;
  }

  max(other: this): this {
    return this.compare(other) >= 0 ? this : other;
  }

  isZero(): boolean {
    return this.value === ZERO;
  }

  isPositive(): boolean {
    return this.value !== ZERO && this.value.s > 0;
  }

  isNegative(): boolean {
    return this.value.s < 0;
  }

  /** Whether it is on a grid of this many decimals. */
  fits(decimals: number): boolean {
    checkDecimals(decimals);
    return this.value.decimalPlaces() <= decimals;
  }

  /** The nearest float: for signals, charts and metrics, never for money. */
  toNumber(): number {
    return this.value.toNumber();
  }

  toString(): string {
    return this.value.toFixed();
  }

  [Symbol.toPrimitive](hint: string): string {
    invariant(hint === "string", "amounts take no operators: use their methods (toNumber() gives a float)");
    return this.toString();
  }

  /** The product of two amounts has up to 36 decimals: digits beyond 18 are rounded as requested. */
  protected product(other: Amount, rounding: Rounding): Decimal {
    return rounded(this.value.times(other.value), rounding);
  }

  protected quotient(other: Amount, rounding: Rounding): Decimal {
    if (other.isZero()) throw new InvariantViolation("cannot divide by zero");
    return rounded(this.value.dividedBy(other.value), rounding);
  }

  protected onGrid(decimals: number, rounding: Rounding): Decimal {
    checkDecimals(decimals);
    return rounded(this.value, rounding, decimals);
  }

  /** This many millionths of it; a basis point is a hundred of them. */
  protected millionths(count: number, rounding: Rounding): Decimal {
    return rounded(this.value.times(count).times(MILLIONTH), rounding);
  }
}

function rounded(value: Decimal, rounding: Rounding, decimals = DECIMALS): Decimal {
  return value.toDecimalPlaces(decimals, MODE[rounding]);
}

function checkDecimals(decimals: number): void {
  if (!(Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS))
    throw new InvariantViolation(`decimals must be a whole number from 0 to ${DECIMALS}, was ${decimals}`);
}

export function mixture(asset: Asset | "", other: Asset | ""): InvariantViolation {
  return new InvariantViolation(`cannot combine ${asset} with ${other}`);
}

export function parsed(text: unknown, sign: Sign): Result<Decimal> {
  const problem = refusalOf(text, sign);
  return problem === undefined ? ok(new Exact(text as string)) : err(problem);
}

/** `count` steps of a grid of this many decimals. */
export function steps(count: number, decimals: number): Decimal {
  if (!Number.isSafeInteger(count)) throw new InvariantViolation(`steps must be a safe whole number, was ${count}`);
  checkDecimals(decimals);
  return new Exact(count).times(STEPS[decimals] as Decimal);
}

/** Basis points have at most two decimals, so a share is a whole number of millionths. */
export function millionthsOf(basisPoints: number): number {
  const count = Math.round(basisPoints * 100);
  // 0.29 * 100 is 28.999999999999996: a float within noise of a whole number counts as one.
  const whole = Math.abs(basisPoints * 100 - count) < 1e-6 && Number.isSafeInteger(count);
  // Not with invariant(): its message would be built on every call, and every order makes one.
  if (!whole) throw new InvariantViolation(`basis points must have at most 2 decimals, was ${basisPoints}`);
  return count;
}
