// Price, Quantity and Money: a quantity cannot be used as a price, and money never loses its asset. No amount is made
// from a raw integer: they come from text, from whole steps of a grid, or from other amounts.

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

  /** This many ticks of 10^-decimals. */
  static ofSteps(count: number, decimals: number): Price {
    return new Price(partsOfSteps(count, decimals));
  }

  /** The actual cost of a trade per unit; undefined if nothing was traded or it rounds to zero. */
  static implied(paid: Money, quantity: Quantity, rounding: Rounding): Price | undefined {
    if (quantity.isZero() || !paid.isPositive()) return undefined;
    const parts = quotientOf(paid, quantity, rounding);
    return isNothing(parts) ? undefined : new Price(parts);
  }

  /** The value of this quantity at this price, in the quote asset. */
  times(quantity: Quantity, quote: Asset, rounding: Rounding): Money {
    return moneyOf(this.product(quantity, rounding), quote);
  }

  rounded(decimals: number, rounding: Rounding): Price {
    const parts = this.onGrid(decimals, rounding);
    if (isNothing(parts)) throw new InvariantViolation(`price must stay positive on a grid of ${decimals} decimals`);
    return new Price(parts);
  }

  /** Moved by basis points, for collars and bands. */
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

/** An amount of a base asset, which the context defines; never negative. */
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

  /** This many steps of 10^-decimals. */
  static ofSteps(count: number, decimals: number): Quantity {
    return new Quantity(partsOfSteps(count, decimals));
  }

  /** The base quantity that this money buys. */
  static affordable(money: Money, price: Price): Quantity {
    return money.isNegative() ? Quantity.zero : new Quantity(quotientOf(money, price, "down"));
  }

  /** Money of the base asset as a size; undefined below zero. */
  static ofMoney(money: Money): Quantity | undefined {
    return money.isNegative() ? undefined : new Quantity(partsOfMoney(money));
  }

  plus(other: Quantity): Quantity {
    return new Quantity(this.sum(other));
  }

  /** Undefined if it would be below zero. */
  minus(other: Quantity): Quantity | undefined {
    return other.moreThan(this) ? undefined : new Quantity(this.difference(other));
  }

  rounded(decimals: number, rounding: Rounding): Quantity {
    // Most sizes are already on their grid, and amounts are immutable.
    return this.fits(decimals) ? this : new Quantity(this.onGrid(decimals, rounding));
  }

  of(asset: Asset): Money {
    return moneyOf(this.parts(), asset);
  }

  /** Whether the money has the same number, in any asset. */
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

// Set by a static block: access to the parts of money for this file only.
let moneyOf: (parts: Parts, asset: Asset) => Money;
let quotientOf: (money: Money, by: Price | Quantity, rounding: Rounding) => Parts;
let partsOfMoney: (money: Money) => Parts;

/** More assets than any venue lists. */
const ZEROS_MAX = 4_096;
const zeros = new Map<Asset, Money>();

/** An amount with its asset; negative where a ledger allows it. Mixing two assets throws, even in a comparison. */
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

  /** This many steps of 10^-decimals: `Money.ofSteps(1, 2, CHF)` is one centime. */
  static ofSteps(count: number, decimals: number, asset: Asset): Money {
    return new Money(partsOfSteps(count, decimals), asset);
  }

  /** Returns the same object each time: zero is the most frequent amount, and amounts are immutable. */
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
    // Zero is the most frequent operand, and amounts are immutable.
    if (other.isZero()) return this;
    return this.isZero() ? other : new Money(this.sum(other), this.asset);
  }

  minus(other: Money): Money {
    if (other.asset !== this.asset) throw mixture(this.asset, other.asset);
    return other.isZero() ? this : new Money(this.difference(other), this.asset);
  }

  /** Whether it is at least the sum of both. */
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

  /** This many basis points of it, for fees, haircuts and relative limits. */
  share(basisPoints: number, rounding: Rounding): Money {
    return new Money(this.millionths(millionthsOf(basisPoints), rounding), this.asset);
  }

  /** The share of it that `part` is of `whole`, which may have any sign; both steps round toward zero. */
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
