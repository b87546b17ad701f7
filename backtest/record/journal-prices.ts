// What assets were worth by what decisions knew: the quote asset by its stated rate, the base asset by the mid of the pair
// at that rate. The last known one stands until a newer decision; one that was never known stays unknown.

import { type Asset, assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import { Price } from "../../src/domain/money/money.ts";
import type { Basis } from "../../src/domain/step.ts";

const DECIMALS = 9;

export class JournalPrices {
  readonly #currency: Asset;
  readonly #rates = new Map<Asset, string>();

  constructor(currency: Asset) {
    this.#currency = currency;
  }

  /** Exact text: one unit in the currency. */
  rateOf(asset: Asset): string | undefined {
    return asset === this.#currency ? "1" : this.#rates.get(asset);
  }

  learn(symbol: PairSymbol, { bid, ask, fair, rate }: Basis): void {
    const { base, quote } = assetsOf(symbol);
    if (rate === undefined) return;
    this.#keep(quote, rate.toString());
    const mid = bid === undefined || ask === undefined ? fair : (bid + ask) / 2;
    if (mid !== undefined) this.#keep(base, (mid * rate.toNumber()).toFixed(DECIMALS));
  }

  #keep(asset: Asset, rate: string): void {
    // A signal may be anything; what is no price is no rate.
    if (Price.parse(rate).ok) this.#rates.set(asset, rate);
  }
}
