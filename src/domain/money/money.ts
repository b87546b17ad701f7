// Price, Quantity and Money: a quantity cannot stand where a price belongs, and money never loses its asset. Nothing here
// makes an amount from a raw integer: they come from text, from whole steps of a grid, or from other amounts.

import type { Asset } from "../asset.ts";
import { InvariantViolation } from "../invariant.ts";
import { ok, type Result, unwrap } from "../result.ts";
import { Amount, millionthsOf, mixture, partsOfSteps } from "./amount.ts";
import type { Sign } from "./grammar.ts";
import { type Parts, parseParts, type Rounding } from "./parts.ts";

export type { Rounding } from "./parts.ts";

/** Quote units for one base unit; always positive. */
export class Price extends Amount {
  declare protected readonly brand: "price";

  private constructor(parts: Parts) {
    super(parts);
    if (!this.isPositive()) throw new InvariantViolation("price must be positive");
  }

  static parse(text: unknown): Result<Price> {
    const parts = parseParts(text, "positive");
    return parts.ok ? ok(new Price(parts.value)) : parts;
  }

  /** For literals. */
  static of(text: string): Price {
    return unwrap(Price.parse(text));
  }

  /** So many ticks of 10^-decimals. */
  static ofSteps(count: number, decimals: number): Price {
    return new Price(partsOfSteps(count, decimals));
  }

  /** What a trade really cost per unit; undefined when nothing was traded or it rounds to nothing. */
  static implied(paid: Money, quantity: Quantity, rounding: Rounding): Price | undefined {
    if (quantity.isZero() || !paid.isPositive()) return undefined;
    const parts = quotientOf(paid, quantity, rounding);
    return isNothing(parts) ? undefined : new Price(parts);
  }

  /** The value of so much base at this price, in the quote asset. */
  times(quantity: Quantity, quote: Asset, rounding: Rounding): Money {
    return moneyOf(this.product(quantity, rounding), quote);
  }

  rounded(decimals: number, rounding: Rounding): Price {
    const parts = this.onGrid(decimals, rounding);
    if (isNothing(parts)) throw new InvariantViolation(`price must stay positive on a grid of ${decimals} decimals`);
    return new Price(parts);
  }

  /** Moved by basis points: collars and bands. */
  shifted(basisPoints: number, rounding: Rounding): Price {
    const factor = 1_000_000 + millionthsOf(basisPoints);
    const parts = this.millionths(factor, rounding);
    if (factor <= 0 || isNothing(parts))
      throw new InvariantViolation(`price ${this} must stay positive, was moved by ${basisPoints} bp`);
    return new Price(parts);
  }

  toJSON(): string {
    return this.toString();
  }
}

/** An amount of some base asset, known from where it stands; never negative. */
export class Quantity extends Amount {
  declare protected readonly brand: "quantity";

  static readonly zero: Quantity = Quantity.ofSteps(0, 0);

  private constructor(parts: Parts) {
    super(parts);
    if (this.isNegative()) throw new InvariantViolation("quantity must not be negative");
  }

  static parse(text: unknown, sign: "positive" | "not-negative" = "not-negative"): Result<Quantity> {
    const parts = parseParts(text, sign);
    return parts.ok ? ok(new Quantity(parts.value)) : parts;
  }

  /** For literals. */
  static of(text: string): Quantity {
    return unwrap(Quantity.parse(text));
  }

  /** So many steps of 10^-decimals. */
  static ofSteps(count: number, decimals: number): Quantity {
    return new Quantity(partsOfSteps(count, decimals));
  }

  /** How much base so much money buys. */
  static affordable(money: Money, price: Price): Quantity {
    return money.isNegative() ? Quantity.zero : new Quantity(quotientOf(money, price, "down"));
  }

  /** The size of some money of the base asset; undefined below zero. */
  static ofMoney(money: Money): Quantity | undefined {
    return money.isNegative() ? undefined : new Quantity(partsOfMoney(money));
  }

  plus(other: Quantity): Quantity {
    return new Quantity(this.sum(other));
  }

  /** Undefined when it would go below zero. */
  minus(other: Quantity): Quantity | undefined {
    return other.moreThan(this) ? undefined : new Quantity(this.difference(other));
  }

  rounded(decimals: number, rounding: Rounding): Quantity {
    // Most sizes are on their grid already, and an amount never changes.
    return this.fits(decimals) ? this : new Quantity(this.onGrid(decimals, rounding));
  }

  of(asset: Asset): Money {
    return moneyOf(this.parts(), asset);
  }

  /** The same number as some money, whatever its asset. */
  isSizeOf(money: Money): boolean {
    return money.equals(this.of(money.asset));
  }

  toJSON(): string {
    return this.toString();
  }
}

function isNothing({ micros, rest }: Parts): boolean {
  return micros === 0 && rest === 0;
}

// Set by a static block: what this file may do with the parts of money, and no other file can.
let moneyOf: (parts: Parts, asset: Asset) => Money;
let quotientOf: (money: Money, by: Price | Quantity, rounding: Rounding) => Parts;
let partsOfMoney: (money: Money) => Parts;

/** More assets than any venue lists. */
const ZEROS_MAX = 4_096;
const zeros = new Map<Asset, Money>();

/** An amount with its asset; negative where a ledger allows it. Two assets never mix: that throws, comparing included. */
export class Money extends Amount {
  declare protected readonly brand: "money";
  declare readonly asset: Asset;

  static {
    moneyOf = (parts, asset) => new Money(parts, asset);
    quotientOf = (money, by, rounding) => money.quotient(by, rounding);
    partsOfMoney = (money) => money.parts();
  }

  private constructor(parts: Parts, asset: Asset) {
    super(parts);
    this.asset = asset;
  }

  static parse(text: unknown, asset: Asset, sign: Sign = "not-negative"): Result<Money> {
    const parts = parseParts(text, sign);
    return parts.ok ? ok(new Money(parts.value, asset)) : parts;
  }

  /** For literals, `Money.of("12.50", CHF)`. */
  static of(text: string, asset: Asset): Money {
    return unwrap(Money.parse(text, asset, "any"));
  }

  /** So many steps of 10^-decimals: `Money.ofSteps(1, 2, CHF)` is one centime. */
  static ofSteps(count: number, decimals: number, asset: Asset): Money {
    return new Money(partsOfSteps(count, decimals), asset);
  }

  /** The same object each time: nothing is asked for most often, and an amount never changes. */
  static zero(asset: Asset): Money {
    const known = zeros.get(asset);
    if (known !== undefined) return known;
    const zero = Money.ofSteps(0, 0, asset);
    if (zeros.size < ZEROS_MAX) zeros.set(asset, zero);
    return zero;
  }

  static sum(amounts: Iterable<Money>, asset: Asset): Money {
    let sum = Money.zero(asset);
    for (const amount of amounts) sum = sum.plus(amount);
    return sum;
  }

  plus(other: Money): Money {
    if (other.asset !== this.asset) throw mixture(this.asset, other.asset);
    // Nothing is what is added most often, and an amount never changes.
    if (other.isZero()) return this;
    return this.isZero() ? other : new Money(this.sum(other), this.asset);
  }

  minus(other: Money): Money {
    if (other.asset !== this.asset) throw mixture(this.asset, other.asset);
    return other.isZero() ? this : new Money(this.difference(other), this.asset);
  }

  /** At least as much as both together. */
  covers(one: Money, other: Money): boolean {
    return one.plus(other).atMost(this);
  }

  negated(): Money {
    return new Money(this.opposite(), this.asset);
  }

  size(): Money {
    return this.isNegative() ? this.negated() : this;
  }

  rounded(decimals: number, rounding: Rounding): Money {
    return new Money(this.onGrid(decimals, rounding), this.asset);
  }

  /** So many basis points of it: fees, haircuts, limits that are a part of something. */
  share(basisPoints: number, rounding: Rounding): Money {
    return new Money(this.millionths(millionthsOf(basisPoints), rounding), this.asset);
  }

  /** As much of it as `part` is of `whole`, which may have any sign; toward nothing in both of its steps. */
  inProportion(part: Money, whole: Money): Money {
    const each = new Money(this.quotient(whole, this.isNegative() === whole.isNegative() ? "down" : "up"), this.asset);
    return new Money(each.product(part, each.isNegative() === part.isNegative() ? "down" : "up"), this.asset);
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
}
