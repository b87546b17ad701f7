// What assets were worth by what decisions knew: the quote asset by its stated rate, the base asset by the prices of the pair at that
// rate, those against the currency that a coin stands for before all others. The last known ones stand until a newer decision; what
// was never known stays unknown.

import { parOf, priceAt, type StatementPrices } from "../../src/bot/accounts/statement.ts";
import { type Asset, assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import { standsFor } from "../../src/domain/coin.ts";
import { Price } from "../../src/domain/money/money.ts";
import type { Basis } from "../../src/domain/step.ts";
import type { Millis } from "../../src/domain/time.ts";
import { coinMark } from "../../src/market/mark.ts";

const DECIMALS = 9;

type OfBase = Pick<Basis, "bid" | "ask" | "fair"> & { readonly at: Millis };

export class JournalPrices implements StatementPrices {
  readonly currency: Asset;
  readonly #rates = new Map<Asset, string>();
  readonly #own = new Map<Asset, OfBase>();
  readonly #other: (asset: Asset) => string | undefined;
  #now = Number.NaN;

  /** `other`: the rate of what no decision says one of. */
  constructor(currency: Asset, other: (asset: Asset) => string | undefined = () => undefined) {
    this.currency = currency;
    this.#other = other;
  }

  mark(asset: Asset): { readonly price: Price; readonly ageMs: number } | undefined {
    const { bid, fair, at = this.#now } = this.#own.get(asset) ?? {};
    const par = this.par(asset);
    const least = Math.min(bid ?? Number.POSITIVE_INFINITY, fair ?? Number.POSITIVE_INFINITY);
    const price =
      least > 0 && least < Number.POSITIVE_INFINITY ? par && priceAt(coinMark(least), par) : this.#rate(asset);
    return price && { price, ageMs: Math.max(0, this.#now - at) };
  }

  mid(asset: Asset): Price | undefined {
    const { bid, ask } = this.#own.get(asset) ?? {};
    const par = this.par(asset);
    return par && bid !== undefined && ask !== undefined ? priceAt((bid + ask) / 2, par) : this.#rate(asset);
  }

  par(asset: Asset): Price | undefined {
    return parOf(asset, this.currency, (fiat) => this.#rate(fiat));
  }

  #rate(asset: Asset): Price | undefined {
    const text = this.rateOf(asset) ?? this.#other(asset);
    return text === undefined ? undefined : Price.of(text);
  }

  /** Exact text: one unit in the currency. */
  rateOf(asset: Asset): string | undefined {
    return asset === this.currency ? "1" : this.#rates.get(asset);
  }

  learn(symbol: PairSymbol, { bid, ask, fair, rate }: Basis, at: Millis): void {
    const { base, quote } = assetsOf(symbol);
    this.#now = at;
    if (rate === undefined) return;
    if (standsFor(base) === quote) this.#own.set(base, { bid, ask, fair, at });
    this.#keep(quote, rate.toString());
    const mid = bid === undefined || ask === undefined ? fair : (bid + ask) / 2;
    if (mid !== undefined) this.#keep(base, (mid * rate.toNumber()).toFixed(DECIMALS));
  }

  #keep(asset: Asset, rate: string): void {
    // A signal may be anything; what is no price is no rate.
    if (Price.parse(rate).ok) this.#rates.set(asset, rate);
  }
}
