// Exact amounts: Price, Quantity and Money. Inside is a whole number of 10^-18; outside is opaque, so that a quantity
// cannot stand where a price belongs, money never loses its asset, and no amount meets a float by accident: `<` and `+`
// on them throw, text and JSON are the canonical decimal.

import type { Asset } from "../asset.ts";
import { InvariantViolation, invariant } from "../invariant.ts";
import { ok, type Result, unwrap } from "../result.ts";
import { BOUND, DECIMALS, formatUnits, ONE, POWERS, parseUnits, type Sign } from "./grammar.ts";

/** Toward minus or plus infinity; there is no default, the caller must know which side may not lose. */
export type Rounding = "down" | "up";

abstract class Amount {
  protected readonly units: bigint;

  protected constructor(units: bigint) {
    if (units >= BOUND || units <= -BOUND) throw new InvariantViolation("amount must stay below 18 integer digits");
    this.units = units;
  }

  compare(other: this): -1 | 0 | 1 {
    return this.units < other.units ? -1 : this.units > other.units ? 1 : 0;
  }

  equals(other: this): boolean {
    return this.units === other.units;
  }

  lessThan(other: this): boolean {
    return this.units < other.units;
  }

  moreThan(other: this): boolean {
    return this.units > other.units;
  }

  atMost(other: this): boolean {
    return this.units <= other.units;
  }

  atLeast(other: this): boolean {
    return this.units >= other.units;
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
    return Number(formatUnits(this.units));
  }

  toString(): string {
    return formatUnits(this.units);
  }

  [Symbol.toPrimitive](hint: string): string {
    invariant(hint === "string", "amounts take no operators: use their methods");
    return this.toString();
  }

  /** The product of a price and a quantity has up to 36 decimals: what is beyond 18 is rounded as told. */
  protected static product(a: Amount, b: Amount, rounding: Rounding): bigint {
    return divided(a.units * b.units, ONE, rounding);
  }

  protected static quotient(a: Amount, b: Amount, rounding: Rounding): bigint {
    invariant(b.units !== 0n, "cannot divide by zero");
    return divided(a.units * ONE, b.units, rounding);
  }

  protected static rounded(a: Amount, decimals: number, rounding: Rounding): bigint {
    const grid = step(decimals);
    return divided(a.units, grid, rounding) * grid;
  }

  protected static unitsOf(a: Amount): bigint {
    return a.units;
  }
}

/** Quote units for one base unit; always positive. */
export class Price extends Amount {
  declare protected readonly brand: "price";

  static parse(text: unknown): Result<Price> {
    const units = parseUnits(text, "positive");
    return units.ok ? ok(new Price(units.value)) : units;
  }

  /** For literals. */
  static of(text: string): Price {
    return unwrap(Price.parse(text));
  }

  /** What a trade really cost per unit; undefined when nothing was traded or it rounds to nothing. */
  static implied(paid: Money, quantity: Quantity, rounding: Rounding): Price | undefined {
    if (quantity.isZero()) return undefined;
    const units = Amount.quotient(paid, quantity, rounding);
    return units > 0n ? new Price(units) : undefined;
  }

  /** The value of so much base at this price, in the quote asset. */
  times(quantity: Quantity, quote: Asset, rounding: Rounding): Money {
    return Money.fromUnits(Amount.product(this, quantity, rounding), quote);
  }

  rounded(decimals: number, rounding: Rounding): Price {
    const units = Amount.rounded(this, decimals, rounding);
    invariant(units > 0n, `price ${this} must stay positive on a grid of ${decimals} decimals`);
    return new Price(units);
  }

  /** Moved by basis points: collars and bands. */
  shifted(basisPoints: number, rounding: Rounding): Price {
    invariant(
      Number.isInteger(basisPoints * 100) && basisPoints > -10_000,
      `basis points must be above -10000 with at most 2 decimals, was ${basisPoints}`,
    );
    const units = divided(this.units * BigInt(1_000_000 + Math.round(basisPoints * 100)), 1_000_000n, rounding);
    invariant(units > 0n, `price ${this} must stay positive when moved by ${basisPoints} bp`);
    return new Price(units);
  }

  toJSON(): string {
    return this.toString();
  }
}

/** An amount of some base asset, known from where it stands; never negative. */
export class Quantity extends Amount {
  declare protected readonly brand: "quantity";
  static readonly zero: Quantity = new Quantity(0n);

  static parse(text: unknown, sign: "positive" | "not-negative" = "not-negative"): Result<Quantity> {
    const units = parseUnits(text, sign);
    return units.ok ? ok(new Quantity(units.value)) : units;
  }

  /** For literals. */
  static of(text: string): Quantity {
    return unwrap(Quantity.parse(text));
  }

  /** How much base so much money buys. */
  static affordable(money: Money, price: Price): Quantity {
    return money.isNegative() ? Quantity.zero : new Quantity(Amount.quotient(money, price, "down"));
  }

  /** The size of some money of the base asset; undefined below zero. */
  static ofMoney(money: Money): Quantity | undefined {
    return money.isNegative() ? undefined : new Quantity(Amount.unitsOf(money));
  }

  plus(other: Quantity): Quantity {
    return new Quantity(this.units + other.units);
  }

  /** Undefined when it would go below zero. */
  minus(other: Quantity): Quantity | undefined {
    return this.units < other.units ? undefined : new Quantity(this.units - other.units);
  }

  min(other: Quantity): Quantity {
    return this.units <= other.units ? this : other;
  }

  rounded(decimals: number, rounding: Rounding): Quantity {
    return new Quantity(Amount.rounded(this, decimals, rounding));
  }

  of(asset: Asset): Money {
    return Money.fromUnits(this.units, asset);
  }

  toJSON(): string {
    return this.toString();
  }
}

/** An amount with its asset; negative where a ledger allows it. */
export class Money extends Amount {
  declare protected readonly brand: "money";
  readonly asset: Asset;

  private constructor(units: bigint, asset: Asset) {
    super(units);
    this.asset = asset;
  }

  static parse(text: unknown, asset: Asset, sign: Sign = "not-negative"): Result<Money> {
    const units = parseUnits(text, sign);
    return units.ok ? ok(new Money(units.value, asset)) : units;
  }

  /** For literals, `Money.of("12.50", CHF)`. */
  static of(text: string, asset: Asset): Money {
    return unwrap(Money.parse(text, asset, "any"));
  }

  static zero(asset: Asset): Money {
    return new Money(0n, asset);
  }

  /** Only for this file: units are nobody else's business. */
  static fromUnits(units: bigint, asset: Asset): Money {
    return new Money(units, asset);
  }

  plus(other: Money): Money {
    return new Money(this.units + this.same(other), this.asset);
  }

  minus(other: Money): Money {
    return new Money(this.units - this.same(other), this.asset);
  }

  negated(): Money {
    return new Money(-this.units, this.asset);
  }

  size(): Money {
    return this.units < 0n ? this.negated() : this;
  }

  override compare(other: this): -1 | 0 | 1 {
    this.same(other);
    return super.compare(other);
  }

  override equals(other: this): boolean {
    return this.asset === other.asset && this.units === other.units;
  }

  rounded(decimals: number, rounding: Rounding): Money {
    return new Money(Amount.rounded(this, decimals, rounding), this.asset);
  }

  /** The same value in another asset, at a price of `other` per unit of this asset. */
  valued(price: Price, other: Asset, rounding: Rounding): Money {
    return new Money(Amount.product(this, price, rounding), other);
  }

  toJSON(): { asset: Asset; amount: string } {
    return { asset: this.asset, amount: this.toString() };
  }

  private same(other: Money): bigint {
    if (other.asset !== this.asset) throw new InvariantViolation(`cannot combine ${this.asset} with ${other.asset}`);
    return other.units;
  }
}

function step(decimals: number): bigint {
  const grid = POWERS[DECIMALS - decimals];
  invariant(grid !== undefined, `decimals must be a whole number from 0 to ${DECIMALS}, was ${decimals}`);
  return grid;
}

function divided(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const quotient = numerator / denominator;
  const exact = quotient * denominator === numerator;
  if (exact) return quotient;
  const negative = numerator < 0n !== denominator < 0n;
  if (rounding === "down") return negative ? quotient - 1n : quotient;
  return negative ? quotient : quotient + 1n;
}
