// The least equity that all rules about equity are content with. Where equity is surely above it, none of them need be asked.

import type { Asset } from "../domain/asset.ts";
import type { Books } from "./books.ts";
import type { Candidate, PricingView, RiskContext, Rule } from "./rule.ts";

/** The most that a fee budget can be: what is too careful here only means that rules are asked. */
const FEE_MOST = 0.0099;
/** More than the sums below err in floats, and than amounts are rounded by. */
const [FLOAT_ERROR, ROUNDED] = [1e-12, 1e-17];

export class EquityFloor {
  readonly #floors: readonly NonNullable<Rule["steadyAbove"]>[];
  readonly #currency: Asset;
  #of: Books | undefined = undefined;
  #version = -1;
  #floor = Number.NEGATIVE_INFINITY;
  #isKnown = true;

  constructor(rules: readonly Rule[], currency: Asset) {
    this.#floors = rules.flatMap(({ steadyAbove }) => (steadyAbove === undefined ? [] : [steadyAbove]));
    this.#currency = currency;
  }

  /** Asked for again and again, and the same while what losses are told by is. */
  above(books: Books): number {
    if (books === this.#of && books.lossVersion === this.#version) return this.#floor;
    this.#floor = Number.NEGATIVE_INFINITY;
    this.#isKnown = true;
    for (const steadyAbove of this.#floors) {
      const floor = steadyAbove(books);
      if (floor === Number.NEGATIVE_INFINITY) this.#isKnown = false;
      this.#floor = Math.max(this.#floor, floor);
    }
    this.#of = books;
    this.#version = books.lossVersion;
    return this.#floor;
  }

  /** Also with this order at its worst, where one is given. False where it cannot be told. */
  isBelowEquity({ books, pricing }: RiskContext, order?: Candidate): boolean {
    if (this.#floors.length === 0) return true;
    const floor = this.above(books) + (order === undefined ? 0 : mostLost(order, pricing));
    // With what is unknown some rules are content, and some are not.
    return this.#isKnown && pricing.currency === this.#currency && pricing.isEquityAbove(floor);
  }
}

/** No less than the order may take off equity; NaN where a rate is missing. */
function mostLost({ instrument, side, limit, quantity }: Candidate, pricing: PricingView): number {
  const size = quantity.toNumber();
  const base = size * rateOf(instrument.base, pricing);
  const quote = size * limit.toNumber() * rateOf(instrument.quote, pricing);
  const lost = side === "buy" ? quote - base : base - quote;
  return Math.max(lost + quote * FEE_MOST, 0) + (base + quote) * FLOAT_ERROR + ROUNDED;
}

function rateOf(asset: Asset, pricing: PricingView): number {
  return asset === pricing.currency ? 1 : (pricing.rate(asset)?.toNumber() ?? Number.NaN);
}
