// Values that were worked out before: most holdings and most rates are the same from one look to the next. Exact, like the
// product it saves.

import type { Asset } from "../asset.ts";
import type { Money, Price, Rounding } from "./money.ts";

type Known = { amount: Money; rate: Price; value: Money };

export class Valuation {
  readonly #currency: Asset;
  readonly #rounding: Rounding;
  readonly #known = new Map<Asset, Known>();

  constructor(currency: Asset, rounding: Rounding) {
    this.#currency = currency;
    this.#rounding = rounding;
  }

  /** One value is remembered per asset. */
  of(amount: Money, rate: Price): Money {
    const known = this.#known.get(amount.asset);
    if (known === undefined) {
      const value = amount.valued(rate, this.#currency, this.#rounding);
      this.#known.set(amount.asset, { amount, rate, value });
      return value;
    }
    if (!known.amount.equals(amount) || !known.rate.equals(rate)) {
      known.value = amount.valued(rate, this.#currency, this.#rounding);
      known.amount = amount;
      known.rate = rate;
    }
    return known.value;
  }
}
