// The least equity that all rules about equity are content with. Where equity is surely above it, none of them need be asked.

import type { Asset } from "../domain/asset.ts";
import type { Books } from "./books.ts";
import type { RiskContext, Rule } from "./rule.ts";

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

  /** False where it cannot be told. */
  isBelowEquity({ books, pricing }: RiskContext): boolean {
    if (this.#floors.length === 0) return true;
    const floor = this.above(books);
    // With what is unknown some rules are content, and some are not.
    return this.#isKnown && pricing.currency === this.#currency && pricing.isEquityAbove(floor);
  }
}
