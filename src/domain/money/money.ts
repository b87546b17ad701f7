// Price, Quantity and Money: a quantity cannot stand where a price belongs, and money never loses its asset. Nothing here
// makes an amount from a raw integer: they come from text, from whole steps of a grid, or from other amounts.

import type { Asset } from "../asset.ts";
import { InvariantViolation, invariant } from "../invariant.ts";
import { ok, type Result, unwrap } from "../result.ts";
import { Amount, inBounds, millionthsOf, type Rounding, unitsOfSteps } from "./amount.ts";
import { parseUnits, type Sign } from "./grammar.ts";

export type { Rounding } from "./amount.ts";

/** Quote units for one base unit; always positive. */
export class Price extends Amount {
  declare protected readonly brand: "price";

  private constructor(units: bigint) {
    super(units);
    if (units <= 0n) throw new InvariantViolation("price must be positive");
  }

  static parse(text: unknown): Result<Price> {
    const units = parseUnits(text, "positive");
    return units.ok ? ok(new Price(units.value)) : units;
  }

  /** For literals. */
  static of(text: string): Price {
    return unwrap(Price.parse(text));
  }

  /** So many ticks of 10^-decimals. */
  static ofSteps(count: number, decimals: number): Price {
    return new Price(unitsOfSteps(count, decimals));
  }

  /** What a trade really cost per unit; undefined when nothing was traded or it rounds to nothing. */
  static implied(paid: Money, quantity: Quantity, rounding: Rounding): Price | undefined {
    if (quantity.isZero()) return undefined;
    const units = quotientOf(paid, quantity, rounding);
    return units > 0n ? new Price(units) : undefined;
  }

  /** The value of so much base at this price, in the quote asset. */
  times(quantity: Quantity, quote: Asset, rounding: Rounding): Money {
    return moneyOf(this.product(quantity, rounding), quote);
  }

  rounded(decimals: number, rounding: Rounding): Price {
    const units = this.onGrid(decimals, rounding);
    invariant(units > 0n, `price must stay positive on a grid of ${decimals} decimals`);
    return new Price(units);
  }

  /** Moved by basis points: collars and bands. */
  shifted(basisPoints: number, rounding: Rounding): Price {
    const units = this.millionths(1_000_000 + millionthsOf(basisPoints), rounding);
    if (units <= 0n) throw new InvariantViolation(`price ${this} must stay positive, was moved by ${basisPoints} bp`);
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

  private constructor(units: bigint) {
    super(units);
    if (units < 0n) throw new InvariantViolation("quantity must not be negative");
  }

  static parse(text: unknown, sign: "positive" | "not-negative" = "not-negative"): Result<Quantity> {
    const units = parseUnits(text, sign);
    return units.ok ? ok(new Quantity(units.value)) : units;
  }

  /** For literals. */
  static of(text: string): Quantity {
    return unwrap(Quantity.parse(text));
  }

  /** So many steps of 10^-decimals. */
  static ofSteps(count: number, decimals: number): Quantity {
    return new Quantity(unitsOfSteps(count, decimals));
  }

  /** How much base so much money buys. */
  static affordable(money: Money, price: Price): Quantity {
    return money.isNegative() ? Quantity.zero : new Quantity(quotientOf(money, price, "down"));
  }

  /** The size of some money of the base asset; undefined below zero. */
  static ofMoney(money: Money): Quantity | undefined {
    return money.isNegative() ? undefined : new Quantity(rawUnits(money));
  }

  plus(other: Quantity): Quantity {
    return new Quantity(this.units + other.units);
  }

  /** Undefined when it would go below zero. */
  minus(other: Quantity): Quantity | undefined {
    return this.units < other.units ? undefined : new Quantity(this.units - other.units);
  }

  rounded(decimals: number, rounding: Rounding): Quantity {
    return new Quantity(this.onGrid(decimals, rounding));
  }

  of(asset: Asset): Money {
    return moneyOf(this.units, asset);
  }

  toJSON(): string {
    return this.toString();
  }
}

// Set by Money's static block: what this file may do with units, and no other file can.
let moneyOf: (units: bigint, asset: Asset) => Money;
let quotientOf: (money: Money, by: Price | Quantity, rounding: Rounding) => bigint;
let rawUnits: (money: Money) => bigint;

/** More assets than any venue lists. */
const ZEROS_MAX = 4_096;
const zeros = new Map<Asset, Money>();

/** An amount with its asset; negative where a ledger allows it. Two assets never mix: that throws, comparing included. */
export class Money extends Amount {
  declare protected readonly brand: "money";
  declare readonly asset: Asset;

  static {
    moneyOf = (units, asset) => new Money(units, asset);
    quotientOf = (money, by, rounding) => money.quotient(by, rounding);
    rawUnits = (money) => money.units;
  }

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

  /** So many steps of 10^-decimals: `Money.ofSteps(1, 2, CHF)` is one centime. */
  static ofSteps(count: number, decimals: number, asset: Asset): Money {
    return new Money(unitsOfSteps(count, decimals), asset);
  }

  /** The same object each time: nothing is asked for most often, and an amount never changes. */
  static zero(asset: Asset): Money {
    const known = zeros.get(asset);
    if (known !== undefined) return known;
    const zero = new Money(0n, asset);
    if (zeros.size < ZEROS_MAX) zeros.set(asset, zero);
    return zero;
  }

  static sum(amounts: Iterable<Money>, asset: Asset): Money {
    const none = Money.zero(asset);
    let units = 0n;
    for (const amount of amounts) units = inBounds(units + none.unitsOf(amount));
    return new Money(units, asset);
  }

  plus(other: Money): Money {
    const units = this.unitsOf(other);
    // Nothing is what is added most often, and an amount never changes.
    if (units === 0n) return this;
    return this.units === 0n ? other : new Money(this.units + units, this.asset);
  }

  minus(other: Money): Money {
    const units = this.unitsOf(other);
    return units === 0n ? this : new Money(this.units - units, this.asset);
  }

  negated(): Money {
    return new Money(-this.units, this.asset);
  }

  size(): Money {
    return this.units < 0n ? this.negated() : this;
  }

  rounded(decimals: number, rounding: Rounding): Money {
    return new Money(this.onGrid(decimals, rounding), this.asset);
  }

  /** So many basis points of it: fees, haircuts, limits that are a part of something. */
  share(basisPoints: number, rounding: Rounding): Money {
    return new Money(this.millionths(millionthsOf(basisPoints), rounding), this.asset);
  }

  /** The same value in another asset, at a price of `other` per unit of this asset: base to quote. */
  valued(price: Price, other: Asset, rounding: Rounding): Money {
    return new Money(this.product(price, rounding), other);
  }

  /** The same value in another asset, at a price of this asset per unit of `other`: quote to base. */
  exchanged(price: Price, other: Asset, rounding: Rounding): Money {
    return new Money(this.quotient(price, rounding), other);
  }

  toJSON(): { asset: Asset; amount: string } {
    return { asset: this.asset, amount: this.toString() };
  }

  protected override unitsOf(other: Money): bigint {
    if (other.asset !== this.asset) throw new InvariantViolation(`cannot combine ${this.asset} with ${other.asset}`);
    return other.units;
  }
}
