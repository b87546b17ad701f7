// What Price, Quantity and Money share: a whole number of 10^-18, compared and rounded exactly. Opaque, so that no amount
// meets a float by accident: `<` and `+` throw, text and JSON are the canonical decimal. An amount is an object of one
// thread: structuredClone and postMessage drop its methods, so send the text and parse it again.

import { InvariantViolation, invariant } from "../invariant.ts";
import { BOUND, DECIMALS, formatUnits, ONE, POWERS, wholeMillionths } from "./grammar.ts";

/** Toward minus or plus infinity; there is no default, the caller must know which side may not lose. */
export type Rounding = "down" | "up";

export abstract class Amount {
  // A plain field, not `#units`: deep equality in tests would call any two amounts equal if it could not see it.
  // Declared, not defined: defining a field and then assigning it costs a sixth of making an amount.
  declare protected readonly units: bigint;

  protected constructor(units: bigint) {
    this.units = inBounds(units);
  }

  compare(other: this): -1 | 0 | 1 {
    const units = this.unitsOf(other);
    return this.units < units ? -1 : this.units > units ? 1 : 0;
  }

  equals(other: this): boolean {
    return this.units === this.unitsOf(other);
  }

  lessThan(other: this): boolean {
    return this.units < this.unitsOf(other);
  }

  moreThan(other: this): boolean {
    return this.units > this.unitsOf(other);
  }

  atMost(other: this): boolean {
    return this.units <= this.unitsOf(other);
  }

  atLeast(other: this): boolean {
    return this.units >= this.unitsOf(other);
  }

  min(other: this): this {
    return this.atMost(other) ? this : other;
  }

  max(other: this): this {
    return this.atLeast(other) ? this : other;
  }

  isZero(): boolean {
    return this.units === 0n;
  }

  isPositive(): boolean {
    return this.units > 0n;
  }

  isNegative(): boolean {
    return this.units < 0n;
  }

  /** Does it fit on a grid of so many decimals? */
  fits(decimals: number): boolean {
    return this.units % step(decimals) === 0n;
  }

  /** The nearest float: for signals, charts and metrics, never for money. */
  toNumber(): number {
    // Both operands are exact doubles when so few decimals hold the amount, so the one division rounds once.
    const millionths = wholeMillionths(this.units);
    if (millionths !== undefined) return millionths / 1e6;
    const billionths = this.units / BILLION;
    const float = Number(billionths);
    if (Math.abs(float) <= Number.MAX_SAFE_INTEGER && billionths * BILLION === this.units) return float / 1e9;
    return Number(formatUnits(this.units));
  }

  toString(): string {
    return formatUnits(this.units);
  }

  [Symbol.toPrimitive](hint: string): string {
    invariant(hint === "string", "amounts take no operators: use their methods");
    return this.toString();
  }

  /** Of an amount that may be combined with this one; money refuses another asset here. */
  protected unitsOf(other: this): bigint {
    return other.units;
  }

  /** The product of two amounts has up to 36 decimals: what is beyond 18 is rounded as told. */
  protected product(other: Amount, rounding: Rounding): bigint {
    // Par is the commonest price.
    return other.units === ONE ? this.units : divided(this.units * other.units, ONE, rounding);
  }

  protected quotient(other: Amount, rounding: Rounding): bigint {
    invariant(other.units !== 0n, "cannot divide by zero");
    return divided(this.units * ONE, other.units, rounding);
  }

  protected onGrid(decimals: number, rounding: Rounding): bigint {
    const grid = step(decimals);
    return divided(this.units, grid, rounding) * grid;
  }

  /** So many millionths of it; a basis point is a hundred of them. */
  protected millionths(count: number, rounding: Rounding): bigint {
    return divided(this.units * BigInt(count), 1_000_000n, rounding);
  }
}

export function inBounds(units: bigint): bigint {
  if (units >= BOUND || units <= MINUS_BOUND) throw new InvariantViolation("amount must stay below 18 integer digits");
  return units;
}

/** `count` steps of a grid of so many decimals, in units. */
export function unitsOfSteps(count: number, decimals: number): bigint {
  if (!Number.isSafeInteger(count)) throw new InvariantViolation(`steps must be a safe whole number, was ${count}`);
  return BigInt(count) * step(decimals);
}

/** Basis points carry at most two decimals, so that a share is a whole number of millionths. */
export function millionthsOf(basisPoints: number): number {
  const count = Math.round(basisPoints * 100);
  // 0.29 * 100 is 28.999999999999996: a float that is noise away from a whole number counts as one.
  const whole = Math.abs(basisPoints * 100 - count) < 1e-6 && Number.isSafeInteger(count);
  // Not by invariant(): its message would be built on every call, and every order makes one.
  if (!whole) throw new InvariantViolation(`basis points must have at most 2 decimals, was ${basisPoints}`);
  return count;
}

const BILLION = 10n ** 9n;
const MINUS_BOUND = -BOUND;

function step(decimals: number): bigint {
  const grid = POWERS[DECIMALS - decimals];
  if (grid === undefined)
    throw new InvariantViolation(`decimals must be a whole number from 0 to ${DECIMALS}, was ${decimals}`);
  return grid;
}

function divided(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  // A division drops what is left over: nearly always that is the rounding asked for.
  const negative = numerator < 0n !== denominator < 0n;
  if ((rounding === "down") !== negative) return quotient;
  if (quotient * denominator === numerator) return quotient;
  return negative ? quotient - 1n : quotient + 1n;
}
