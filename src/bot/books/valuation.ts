// What assets are worth now: fair values, rates, marks, equity and exposure, at the time of the newest event and through
// the contract of src/risk.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { standsFor } from "../../domain/coin.ts";
import type { Fair } from "../../domain/fair.ts";
import type { Money, Price } from "../../domain/money/money.ts";
import type { PairPrices } from "../../market/pair-prices.ts";
import type { Pricing } from "../../market/pricing.ts";
import { type Mark, Rates } from "../../market/rate.ts";
import type { PricingView } from "../../risk/rule.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { Equity } from "../accounts/equity.ts";
import { parOf, priceAt } from "../accounts/statement.ts";

const UNKNOWN: Fair = Object.freeze({ kind: "none", reason: "missing" });

const NO_QUOTE = { bid: Number.NaN, ask: Number.NaN };

export class Valuation implements PricingView {
  readonly currency: Asset;
  readonly #prices: Pricing;
  readonly #rates: Rates;
  readonly #equity: Equity;
  /** The pair of the last request, usually also that of the next, and its fair value at that moment. */
  #pair: PairPrices | undefined = undefined;
  #fair: Fair = UNKNOWN;
  #fairOf: PairSymbol | undefined = undefined;
  #fairAt = -1;
  #fairNow = Number.NaN;

  constructor(accounts: Accounts, prices: Pricing, currency: Asset) {
    this.currency = currency;
    this.#prices = prices;
    this.#rates = new Rates(prices, currency);
    this.#equity = new Equity(accounts, this.#rates);
  }

  /** Computed once per event: an order's basis, its review and the check at its slot need the same value. */
  fair(symbol: PairSymbol): Fair {
    const { now, sequence } = this.#prices.moment;
    if (symbol === this.#fairOf && sequence === this.#fairAt && now === this.#fairNow) return this.#fair;
    if (symbol !== this.#pair?.symbol) this.#pair = this.#prices.pairs.get(symbol);
    this.#fair = this.#pair === undefined ? UNKNOWN : this.#prices.fair(this.#pair);
    this.#fairOf = symbol;
    this.#fairAt = sequence;
    this.#fairNow = now;
    return this.#fair;
  }

  bid(symbol: PairSymbol): number | undefined {
    const venue = this.#prices.pairs.get(symbol)?.venue;
    if (venue?.seen === "good") return venue.bid;
    return this.#prices.isBlind ? this.#prices.ownFills.get(symbol)?.price : undefined;
  }

  rate(asset: Asset): Price | undefined {
    return this.#rates.exact(asset);
  }

  mark(asset: Asset): Mark | undefined {
    return this.#rates.mark(asset);
  }

  mid(asset: Asset): Price | undefined {
    const par = this.par(asset);
    const fiat = standsFor(asset);
    if (fiat === undefined || par === undefined) return par;
    const { bid, ask } = this.#prices.pairs.get(`${asset}/${fiat}` as PairSymbol)?.venue ?? NO_QUOTE;
    return bid > 0 ? priceAt((bid + ask) / 2, par) : this.mark(asset)?.price;
  }

  par(asset: Asset): Price | undefined {
    return parOf(asset, this.currency, (fiat) => this.#rates.exact(fiat) ?? this.mark(fiat)?.price);
  }

  equity(): Money | undefined {
    return this.#equity.value;
  }

  exposure(asset: Asset): Money | undefined {
    return this.#equity.exposure(asset);
  }

  grossExposure(): Money | undefined {
    return this.#equity.grossExposure();
  }

  /** Whether the asset has a known value at this time, which must not be in the future. */
  isValued(asset: Asset, at: number): boolean {
    this.#prices.moment.reach(at);
    return asset === this.currency || this.rate(asset) !== undefined;
  }
}
