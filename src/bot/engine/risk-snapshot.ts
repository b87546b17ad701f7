// The rules' view of prices: the engine's pricing and rates at the engine's time, through the contract of src/risk.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { standsFor } from "../../domain/coin.ts";
import type { Fair } from "../../domain/fair.ts";
import type { Money, Price } from "../../domain/money/money.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { PairPrices } from "../../market/pair-prices.ts";
import type { Pricing } from "../../market/pricing.ts";
import type { Mark, Rates } from "../../market/rate.ts";
import type { Counters } from "../../risk/counters.ts";
import type { PricingView, RiskContext } from "../../risk/rule.ts";
import type { Accounts } from "../accounts/accounts.ts";
import { Equity } from "../accounts/equity.ts";
import { parOf, priceAt } from "../accounts/statement.ts";

const UNKNOWN: Fair = Object.freeze({ kind: "none", reason: "missing" });

const UNHEARD = { bid: Number.NaN, ask: Number.NaN };

type SightParts = {
  readonly accounts: Accounts;
  readonly counters: Counters;
  readonly pricing: Pricing;
  readonly rates: Rates;
};

export class RiskSight implements RiskContext, PricingView {
  readonly accounts: Accounts;
  readonly counters: Counters;
  readonly currency: Asset;
  /** A field, because rules read it repeatedly. */
  readonly pricing: PricingView = this;
  /** Set by the owner of the executor. */
  frozenBy: RiskContext["frozenBy"] = undefined;
  readonly #pricing: Pricing;
  readonly #rates: Rates;
  readonly #equity: Equity;
  /** Kept as the boxed float that the runtime makes, so that each time is boxed once and not by every rule. */
  #now: Millis = millis(Number.NaN);
  /** The pair of the last request, usually also that of the next, and its fair value at that moment. */
  #prices: PairPrices | undefined = undefined;
  #fair: Fair = UNKNOWN;
  #fairOf: PairSymbol | undefined = undefined;
  #fairAt = -1;
  #fairNow = Number.NaN;

  constructor({ accounts, counters, pricing, rates }: SightParts) {
    this.accounts = accounts;
    this.counters = counters;
    this.#pricing = pricing;
    this.#rates = rates;
    this.currency = rates.currency;
    this.#equity = new Equity(accounts, rates);
  }

  get now(): Millis {
    const { now } = this.#pricing.moment;
    if (now === this.#now) return this.#now;
    this.#now = millis(now);
    return this.#now;
  }

  /** Computed once per event: an order's basis, its review and the check at its slot need the same value. */
  fair(symbol: PairSymbol): Fair {
    const { now, sequence } = this.#pricing.moment;
    if (symbol === this.#fairOf && sequence === this.#fairAt && now === this.#fairNow) return this.#fair;
    if (symbol !== this.#prices?.symbol) this.#prices = this.#pricing.pairs.get(symbol);
    this.#fair = this.#prices === undefined ? UNKNOWN : this.#pricing.fair(this.#prices);
    this.#fairOf = symbol;
    this.#fairAt = sequence;
    this.#fairNow = now;
    return this.#fair;
  }

  bid(symbol: PairSymbol): number | undefined {
    const venue = this.#pricing.pairs.get(symbol)?.venue;
    if (venue?.seen === "good") return venue.bid;
    return this.#pricing.isBlind ? this.#pricing.ownFills.get(symbol)?.price : undefined;
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
    const { bid, ask } = this.#pricing.pairs.get(`${asset}/${fiat}` as PairSymbol)?.venue ?? UNHEARD;
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
}
