// What Price, Quantity and Money share: a whole number of 10^-18 (parts.ts), compared and rounded exactly. Opaque, so that no
// amount meets a float by accident: `<` and `+` throw, text and JSON are the canonical decimal. An amount is an object of one
// thread: structuredClone and postMessage drop its methods, so send the text and parse it again.

import type { Asset } from "../asset.ts";
import { InvariantViolation, invariant } from "../invariant.ts";
import { DECIMALS, formatUnits, POWERS } from "./grammar.ts";
import {
  divided,
  isOrdinary,
  largeProduct,
  largeQuotient,
  MICROS_EXACT,
  nearestFloat,
  ordinary,
  type Parts,
  partsOf,
  partsOfUnits,
  plainProduct,
  product,
  quotient,
  type Rounding,
  signed,
  TRILLION,
  textOfParts,
  unitsOfParts,
} from "./parts.ts";

export abstract class Amount {
  // Plain fields, not `#micros`: deep equality in tests would call any two amounts equal if it could not see them.
  // Declared, not defined: defining a field and then assigning it costs a sixth of making an amount.
  declare protected readonly micros: number;
  declare protected readonly rest: number;
  /** Of a large amount alone: any other has it from the prototype, and so has one field less. */
  declare protected readonly units: bigint | undefined;
  /** Of money; prices and quantities have no text there. Amounts of two assets are never combined. */
  declare protected readonly asset: Asset | "";

  static {
    // On the prototype: always a text, so that the runtime compares two of them as what they are.
    Object.assign(Amount.prototype, { asset: "", units: undefined });
  }

  protected constructor(micros: number, rest: number, units: bigint | undefined) {
    this.micros = micros;
    this.rest = rest;
    if (units !== undefined) this.units = units;
  }

  compare(other: this): -1 | 0 | 1 {
    if (other.asset !== this.asset) throw mixture(this.asset, other.asset);
    if (this === other) return 0;
    const { micros } = this;
    // A large amount is beyond every other of its sign.
    if (micros !== other.micros) return micros < other.micros ? -1 : 1;
    if (this.rest !== other.rest) return this.rest < other.rest ? -1 : 1;
    if (this.units === undefined || other.units === undefined || this.units === other.units) return 0;
    return this.units < other.units ? -1 : 1;
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
    return this.micros > 0 || (this.micros === 0 && this.rest > 0);
  }

  isNegative(): boolean {
    return this.micros < 0;
  }

  /** Does it fit on a grid of so many decimals? */
  fits(decimals: number): boolean {
    const step = stepOf(decimals);
    if (this.units !== undefined) return this.units % unitsOfStep(decimals) === 0n;
    if (decimals > MICRO_DECIMALS) return Math.floor(this.rest / step) * step === this.rest;
    return this.rest === 0 && Math.floor(this.micros / step) * step === this.micros;
  }

  /** The nearest float: for signals, charts and metrics, never for money. */
  toNumber(): number {
    // Both operands are exact, so that the one division rounds once.
    if (this.rest === 0 && this.units === undefined) return this.micros / 1e6;
    const nearest = this.units === undefined ? nearestFloat(this.micros, this.rest) : undefined;
    return nearest ?? Number(this.toString());
  }

  toString(): string {
    const millionths = this.inMillionths();
    if (!Number.isNaN(millionths)) return `${millionths / 1e6}`;
    return this.units === undefined ? textOfParts(this.micros, this.rest) : formatUnits(this.units);
  }

  /** So many millionths, where it has no rest and at most 15 digits; NaN elsewhere. For who writes many amounts. */
  inMillionths(): number {
    const { micros } = this;
    // A float names a decimal of up to 15 digits by just these digits, and none of less than a millionth is left here.
    return this.rest === 0 && micros <= MICROS_EXACT && micros >= -MICROS_EXACT ? micros : Number.NaN;
  }

  [Symbol.toPrimitive](hint: string): string {
    invariant(hint === "string", "amounts take no operators: use their methods (toNumber() gives a float)");
    return this.toString();
  }

  protected parts(): Parts {
    return this.units === undefined ? ordinary(this.micros, this.rest) : partsOfUnits(this.units);
  }

  /** The same number, whatever asset either is of. */
  protected isSame(other: Amount): boolean {
    return this.micros === other.micros && this.rest === other.rest && this.units === other.units;
  }

  protected isSameAs({ micros, rest, units }: Parts): boolean {
    return this.micros === micros && this.rest === rest && this.units === units;
  }

  protected isBelow({ micros, rest, units }: Parts): boolean {
    if (this.micros !== micros) return this.micros < micros;
    if (this.rest !== rest) return this.rest < rest;
    return this.units !== undefined && units !== undefined && this.units < units;
  }

  protected sum(other: Amount): Parts {
    const rest = this.rest + other.rest;
    const isCarried = rest >= TRILLION;
    const micros = isCarried ? this.micros + other.micros + 1 : this.micros + other.micros;
    if (isOrdinary(micros)) return ordinary(micros, isCarried ? rest - TRILLION : rest);
    return partsOfUnits(this.inUnits() + other.inUnits());
  }

  protected difference(other: Amount): Parts {
    const rest = this.rest - other.rest;
    const micros = rest < 0 ? this.micros - other.micros - 1 : this.micros - other.micros;
    if (isOrdinary(micros)) return ordinary(micros, rest < 0 ? rest + TRILLION : rest);
    return partsOfUnits(this.inUnits() - other.inUnits());
  }

  protected opposite(): Parts {
    if (this.units !== undefined) return partsOfUnits(-this.units);
    return signed(this.sizeMicros(), this.sizeRest(), this.micros >= 0);
  }

  /** The product of two amounts has up to 36 decimals: what is beyond 18 is rounded as told. */
  protected product(other: Amount, rounding: Rounding): Parts {
    return this.plainly(other) ?? this.longProduct(other, rounding);
  }

  /** The product where it is exact and has few digits, as it does mostly. */
  protected plainly(other: Amount): Parts | undefined {
    return this.rest === 0 && other.rest === 0 ? plainProduct(this.micros, other.micros) : undefined;
  }

  private longProduct(other: Amount, rounding: Rounding): Parts {
    // Par is the commonest price.
    if (other.micros === 1e6 && other.rest === 0) return this.parts();
    const isNegative = this.micros < 0 !== other.micros < 0;
    return (
      product(this.sizeMicros(), this.sizeRest(), other.sizeMicros(), other.sizeRest(), isNegative, rounding) ??
      largeProduct(this.inUnits(), other.inUnits(), rounding)
    );
  }

  protected quotient(other: Amount, rounding: Rounding): Parts {
    if (other.isZero()) throw new InvariantViolation("cannot divide by zero");
    const isNegative = this.micros < 0 !== other.micros < 0;
    let parts: Parts | undefined;
    if (other.rest === 0)
      parts = quotient(this.sizeMicros(), this.sizeRest(), other.sizeMicros(), isNegative, rounding);
    return parts ?? largeQuotient(this.inUnits(), other.inUnits(), rounding);
  }

  protected onGrid(decimals: number, rounding: Rounding): Parts {
    const step = stepOf(decimals);
    if (this.units !== undefined) {
      const grid = unitsOfStep(decimals);
      return partsOfUnits(divided(this.units, grid, rounding) * grid);
    }
    const { micros, rest } = this;
    if (decimals > MICRO_DECIMALS) {
      const low = Math.floor(rest / step) * step;
      return partsOf(micros, low === rest || rounding === "down" ? low : low + step);
    }
    const low = Math.floor(micros / step) * step;
    return partsOf((low === micros && rest === 0) || rounding === "down" ? low : low + step, 0);
  }

  /** So many millionths of it; a basis point is a hundred of them. */
  protected millionths(count: number, rounding: Rounding): Parts {
    const plain = this.rest === 0 ? plainProduct(this.micros, count) : undefined;
    if (plain !== undefined) return plain;
    const isNegative = this.micros < 0 !== count < 0;
    const parts = isOrdinary(count)
      ? product(Math.abs(count), 0, this.sizeMicros(), this.sizeRest(), isNegative, rounding)
      : undefined;
    return parts ?? partsOfUnits(divided(this.inUnits() * BigInt(count), 1_000_000n, rounding));
  }

  private inUnits(): bigint {
    return this.units ?? unitsOfParts(this.micros, this.rest);
  }

  private sizeMicros(): number {
    if (this.micros >= 0) return this.micros;
    return this.rest === 0 ? -this.micros : -1 - this.micros;
  }

  private sizeRest(): number {
    return this.micros >= 0 || this.rest === 0 ? this.rest : TRILLION - this.rest;
  }
}

/** A millionth has so many decimals: finer grids have their steps in the rest, the others in millionths. */
const MICRO_DECIMALS = 6;
const STEPS: readonly number[] = Array.from({ length: DECIMALS + 1 }, (_, decimals) =>
  Number(`1e${decimals > MICRO_DECIMALS ? DECIMALS - decimals : MICRO_DECIMALS - decimals}`),
);

function stepOf(decimals: number): number {
  const step = STEPS[decimals];
  if (step === undefined)
    throw new InvariantViolation(`decimals must be a whole number from 0 to ${DECIMALS}, was ${decimals}`);
  return step;
}

function unitsOfStep(decimals: number): bigint {
  return POWERS[DECIMALS - decimals] as bigint;
}

export function mixture(asset: Asset | "", other: Asset | ""): InvariantViolation {
  return new InvariantViolation(`cannot combine ${asset} with ${other}`);
}

/** `count` steps of a grid of so many decimals. */
export function partsOfSteps(count: number, decimals: number): Parts {
  if (!Number.isSafeInteger(count)) throw new InvariantViolation(`steps must be a safe whole number, was ${count}`);
  const step = stepOf(decimals);
  // Minus zero is no amount.
  const steps = count + 0;
  if (decimals > MICRO_DECIMALS) {
    const each = TRILLION / step;
    const micros = Math.floor(steps / each);
    return ordinary(micros, (steps - micros * each) * step);
  }
  const micros = steps * step;
  return isOrdinary(micros) ? ordinary(micros, 0) : partsOfUnits(BigInt(count) * unitsOfStep(decimals));
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
