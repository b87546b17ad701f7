// Trading profit per pair at average cost: one amount and its cost per pair, regardless of the number of trades, so it
// is exact and bounded. Earlier inventory is not part of the traded position: selling it opens a short position, which
// the buy that brings it back closes. Rounding remainders stay in the cost, so that money in and out = profit minus
// cost, to the last digit.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";

export type Position = {
  /** Signed: bought less sold. */
  readonly amount: Money;
  /** Signed: the amount paid for it. */
  readonly cost: Money;
  readonly realised: Money;
  /** The part of `amount` that the account opened with at a stated cost. */
  readonly opening?: Money;
};

type Mutable = { -readonly [Field in keyof Position]: Position[Field] };

export class Profit {
  readonly #positions: Map<PairSymbol, Mutable>;

  constructor(saved: Iterable<readonly [PairSymbol, Position]> = []) {
    this.#positions = new Map(Array.from(saved, ([symbol, position]) => [symbol, { ...position }]));
  }

  /** Live: changes with every trade. */
  get positions(): ReadonlyMap<PairSymbol, Position> {
    return this.#positions;
  }

  /** The sum over all pairs quoted in this asset. */
  realised(quote: Asset): Money {
    let sum = Money.zero(quote);
    for (const { realised } of this.#positions.values()) if (realised.asset === quote) sum = sum.plus(realised);
    return sum;
  }

  /** Coins of the opening at their stated cost. */
  open(symbol: PairSymbol, base: Money, quote: Money): void {
    this.trade(symbol, base, quote);
    const position = this.#positions.get(symbol);
    if (position !== undefined) position.opening = base;
  }

  /** Whether a trade takes back earlier ones of its pair: a buy after sales, a sale after buys. */
  isRoundTrip(symbol: PairSymbol, base: Money): boolean {
    const { amount, opening } = this.#positions.get(symbol) ?? {};
    return amount !== undefined && isClosing(opening === undefined ? amount : amount.minus(opening), base);
  }

  /**
   * Both amounts are signed as they moved our holdings, fees included. Returns the realised profit; undefined if the
   * trade closed nothing.
   */
  trade(symbol: PairSymbol, base: Money, quote: Money): Money | undefined {
    const known = this.#positions.get(symbol);
    if (known !== undefined) return traded(known, base, quote);
    const none = Money.zero(quote.asset);
    const position = { amount: Money.zero(base.asset), cost: none, realised: none };
    this.#positions.set(symbol, position);
    return traded(position, base, quote);
  }

  save(): readonly (readonly [PairSymbol, Position])[] {
    return Array.from(this.#positions, ([symbol, position]) => [symbol, { ...position }]);
  }
}

/** Updates the position with the trade; returns the realised profit. */
function traded(position: Mutable, base: Money, quote: Money): Money | undefined {
  const { amount, cost } = position;
  const left = amount.plus(base);
  position.amount = left;
  if (!isClosing(amount, base)) {
    position.cost = cost.minus(quote);
    return undefined;
  }
  const isFlipped = left.isPositive() !== amount.isPositive() && !left.isZero();
  // A closing trade has the opposite sign of the position, and so has its part of the cost.
  const closing = isFlipped ? quote.inProportion(amount, base).negated() : quote;
  const freed = isFlipped || left.isZero() ? cost.negated() : cost.inProportion(base, amount);
  const gain = closing.plus(freed);
  position.cost = isFlipped ? closing.minus(quote) : cost.plus(freed);
  position.realised = position.realised.plus(gain);
  return gain;
}

function isClosing(amount: Money, base: Money): boolean {
  return amount.isNegative() ? base.isPositive() : amount.isPositive() && base.isNegative();
}

/** The part of a position that a trade closed: size, cost and proceeds. The gain is the difference. */
export type Closed = { readonly amount: Money; readonly cost: Money; readonly proceeds: Money };

/** Compares the position before and after the trade; undefined if it closed nothing. */
export function closedBy(before: Position, after: Position): Closed | undefined {
  const { amount, cost } = before;
  const base = after.amount.minus(amount);
  if (!isClosing(amount, base)) return undefined;
  const isWhole = after.amount.isZero() || after.amount.isPositive() !== amount.isPositive();
  const freed = isWhole ? cost : cost.minus(after.cost);
  const gain = after.realised.minus(before.realised);
  const size = (isWhole ? amount : base).size();
  // For a short position the opening sale brought the proceeds, so its cost is negative, and the closing buy is the
  // cost.
  return amount.isPositive()
    ? { amount: size, cost: freed, proceeds: freed.plus(gain) }
    : { amount: size, cost: freed.negated().minus(gain), proceeds: freed.negated() };
}
