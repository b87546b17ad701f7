// The base of Price, Quantity and Money: exact parts (parts.ts) and the operations on them. Opaque, so that no amount
// meets a float by accident: `<` and `+` throw, text and JSON are the canonical decimal. An amount belongs to one
// thread: structuredClone and postMessage drop its methods, so send the text and parse it again.

import type { Decimal } from "decimal.js";
import type { Asset } from "../asset.ts";
import { InvariantViolation, invariant } from "../invariant.ts";
import { DECIMALS, Exact } from "./grammar.ts";
import {
  decimalOf,
  isOrdinary,
  MICROS_EXACT,
  MILLION,
  ordinary,
  type Parts,
  partsOfDecimal,
  plainProduct,
  product,
  quotient,
  type Rounding,
  signed,
  TRILLION,
  unitsOf,
} from "./parts.ts";

export abstract class Amount {
  // Plain fields and not `#micros`: deep equality in tests would find any two amounts equal if it could not see them.
  // Declared and not defined: defining a field and then assigning it costs a sixth of making an amount.
  declare protected readonly micros: number;
  declare protected readonly rest: number;
  /** Only set on a large amount: others read it from the prototype, and so have one field less. */
  declare protected readonly large: Decimal | undefined;
  /** Set on Money; empty on prices and quantities. Amounts of two assets are never combined. */
  declare protected readonly asset: Asset | "";

  static {
    // On the prototype: always a string, so that the runtime's comparison of two stays specialised.
    Object.assign(Amount.prototype, { asset: "", large: undefined });
  }

  protected constructor({ micros, rest, large }: Parts) {
    this.micros = micros;
    this.rest = rest;
    if (large !== undefined) this.large = large;
  }

  compare(other: this): -1 | 0 | 1 {
    if (other.asset !== this.asset) throw mixture(this.asset, other.asset);
    // NaN, in a large amount, is neither less than, greater than nor equal to anything.
    if (this.micros < other.micros) return -1;
    if (this.micros > other.micros) return 1;
    // Compared with a large amount any other is effectively zero.
    if (this.micros !== other.micros) return (this.large ?? ZERO).comparedTo(other.large ?? ZERO) as -1 | 0 | 1;
    if (this.rest === other.rest) return 0;
    return this.rest < other.rest ? -1 : 1;
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
    return this.micros === 0 && this.rest === 0;
  }

  isPositive(): boolean {
    return this.micros > 0 || (this.micros === 0 && this.rest > 0) || this.large?.isPositive() === true;
  }

  isNegative(): boolean {
    return this.micros < 0 || this.large?.isNegative() === true;
  }

  /** Whether it is on a grid of this many decimals. */
  fits(decimals: number): boolean {
    checkDecimals(decimals);
    if (this.rest === 0 && isOrdinary(this.micros))
      return decimals >= MICRO_DECIMALS || this.micros % 10 ** (MICRO_DECIMALS - decimals) === 0;
    return this.decimal().decimalPlaces() <= decimals;
  }

  /** The nearest float: for signals, charts and metrics, never for money. */
  toNumber(): number {
    // Both operands are exact, so the division rounds only once.
    return this.rest === 0 && this.large === undefined ? this.micros / MILLION : Number(this.toString());
  }

  toString(): string {
    const millionths = this.inMillionths();
    if (!Number.isNaN(millionths)) return `${millionths / MILLION}`;
    if (this.large !== undefined) return this.large.toFixed();
    const billionths = this.micros * 1e3 + this.rest / 1e9;
    if (this.micros > 0 && billionths <= MICROS_EXACT && this.rest % 1e9 === 0) return `${billionths / 1e9}`;
    const size = this.sizeMicros();
    const whole = Math.floor(size / MILLION);
    // The leading one preserves the zeros after it.
    const digits = `${size - whole * MILLION + MILLION}`.slice(1) + `${this.sizeRest() + TRILLION}`.slice(1);
    let end = digits.length;
    while (end > 0 && digits.charCodeAt(end - 1) === NOUGHT) end--;
    return `${this.micros < 0 ? "-" : ""}${whole}${end > 0 ? "." : ""}${digits.slice(0, end)}`;
  }

  /** The number of millionths, if there is no rest and at most 15 digits; NaN otherwise. For writing many amounts. */
  inMillionths(): number {
    const { micros } = this;
    // A float prints a decimal of up to 15 digits with exactly these digits, and nothing below a millionth is left
    // here.
    return this.rest === 0 && micros <= MICROS_EXACT && micros >= -MICROS_EXACT ? micros : Number.NaN;
  }

  [Symbol.toPrimitive](hint: string): string {
    invariant(hint === "string", "amounts take no operators: use their methods (toNumber() gives a float)");
    return this.toString();
  }

  protected parts(): Parts {
    return this.large === undefined ? ordinary(this.micros, this.rest) : partsOfDecimal(this.large);
  }

  protected sum(other: Amount): Parts {
    const rest = this.rest + other.rest;
    const carry = rest >= TRILLION ? 1 : 0;
    const micros = this.micros + other.micros + carry;
    if (isOrdinary(micros)) return ordinary(micros, rest - carry * TRILLION);
    return partsOfDecimal(this.decimal().plus(other.decimal()));
  }

  protected difference(other: Amount): Parts {
    const rest = this.rest - other.rest;
    const carry = rest < 0 ? 1 : 0;
    const micros = this.micros - other.micros - carry;
    if (isOrdinary(micros)) return ordinary(micros, rest + carry * TRILLION);
    return partsOfDecimal(this.decimal().minus(other.decimal()));
  }

  protected opposite(): Parts {
    if (this.large !== undefined) return partsOfDecimal(this.large.negated());
    return signed(this.sizeMicros(), this.sizeRest(), this.micros >= 0);
  }

  /** The product of two amounts has up to 36 decimals: digits beyond 18 are rounded as requested. */
  protected product(other: Amount, rounding: Rounding): Parts {
    const plain = this.rest === 0 && other.rest === 0 ? plainProduct(this.micros, other.micros) : undefined;
    return (
      plain ?? this.longProduct(other, rounding) ?? partsOfDecimal(this.decimal().times(other.decimal()), rounding)
    );
  }

  private longProduct(other: Amount, rounding: Rounding): Parts | undefined {
    const isNegative = this.micros < 0 !== other.micros < 0;
    return product(this.sizeMicros(), this.sizeRest(), other.sizeMicros(), other.sizeRest(), isNegative, rounding);
  }

  protected quotient(other: Amount, rounding: Rounding): Parts {
    if (other.isZero()) throw new InvariantViolation("cannot divide by zero");
    const isLarge = this.large !== undefined || other.large !== undefined;
    return (
      (isLarge ? undefined : quotient(unitsOf(this.micros, this.rest), unitsOf(other.micros, other.rest), rounding)) ??
      partsOfDecimal(this.decimal().dividedBy(other.decimal()), rounding)
    );
  }

  protected onGrid(decimals: number, rounding: Rounding): Parts {
    return this.fits(decimals) ? this.parts() : partsOfDecimal(this.decimal(), rounding, decimals);
  }

  /** This many millionths of it; a basis point is a hundred of them. */
  protected millionths(count: number, rounding: Rounding): Parts {
    const plain = this.rest === 0 ? plainProduct(this.micros, count) : undefined;
    if (plain !== undefined) return plain;
    const isNegative = this.micros < 0 !== count < 0;
    const parts = isOrdinary(count)
      ? product(Math.abs(count), 0, this.sizeMicros(), this.sizeRest(), isNegative, rounding)
      : undefined;
    return parts ?? partsOfDecimal(this.decimal().times(`${count}e-6`), rounding);
  }

  private decimal(): Decimal {
    return this.large ?? decimalOf(this.micros, this.rest);
  }

  private sizeMicros(): number {
    if (this.micros >= 0) return this.micros;
    return this.rest === 0 ? -this.micros : -1 - this.micros;
  }

  private sizeRest(): number {
    return this.micros >= 0 || this.rest === 0 ? this.rest : TRILLION - this.rest;
  }
}

const ZERO = new Exact(0);
const MICRO_DECIMALS = 6;
const TENS: readonly number[] = Array.from({ length: DECIMALS + 1 }, (_, digits) => 10 ** digits);
const NOUGHT = 48;

function checkDecimals(decimals: number): void {
  if (!(Number.isInteger(decimals) && decimals >= 0 && decimals <= DECIMALS))
    throw new InvariantViolation(`decimals must be a whole number from 0 to ${DECIMALS}, was ${decimals}`);
}

export function mixture(asset: Asset | "", other: Asset | ""): InvariantViolation {
  return new InvariantViolation(`cannot combine ${asset} with ${other}`);
}

/** `count` steps of a grid of this many decimals. */
export function partsOfSteps(count: number, decimals: number): Parts {
  if (!Number.isSafeInteger(count)) throw new InvariantViolation(`steps must be a safe whole number, was ${count}`);
  checkDecimals(decimals);
  if (decimals > MICRO_DECIMALS) {
    const each = TENS[decimals - MICRO_DECIMALS] as number;
    const micros = Math.floor(count / each);
    return ordinary(micros + 0, (count - micros * each) * (TENS[DECIMALS - decimals] as number));
  }
  // Adding zero removes a minus zero.
  const micros = count * (TENS[MICRO_DECIMALS - decimals] as number) + 0;
  return isOrdinary(micros) ? ordinary(micros, 0) : partsOfDecimal(new Exact(`${count}e-${decimals}`));
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
