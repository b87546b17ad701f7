// What assets are worth now: fair values, rates, marks, equity and exposure, at the time of the newest event and through
// the contract of src/risk.

import type { Asset, PairSymbol } from "../domain/asset.ts";
import { fiatOf, standsFor } from "../domain/coin.ts";
import type { Fair } from "../domain/fair.ts";
import { Money, type Price } from "../domain/money/money.ts";
import type { Reserved } from "../domain/reservation.ts";
import type { Pricing } from "../market/pricing.ts";
import { type Mark, RATE_DOUBT, Rates } from "../market/rate.ts";
import type { PricingView } from "../risk/rule.ts";
import { lossIfFilled } from "../risk/rules/losses.ts";
import type { Accounts } from "./accounts/accounts.ts";
import { parOf, priceAt } from "./accounts/statement.ts";

const UNKNOWN: Fair = Object.freeze({ kind: "none", reason: "missing" });

/** More than the relative error of a float sum of thousands of products, and more than all roundings of amounts. */
const FLOAT_DOUBT = 1e-11;
const ROUNDING_DOUBT = 1e-9;

const UNKNOWN_RANGE = { low: Number.NaN, high: Number.NaN };

const NO_QUOTE = { bid: Number.NaN, ask: Number.NaN };

export class Valuation implements PricingView {
  readonly currency: Asset;
  readonly #prices: Pricing;
  readonly #rates: Rates;
  readonly #equity: Equity;

  #fair:
    | { readonly symbol: PairSymbol; readonly sequence: number; readonly now: number; readonly fair: Fair }
    | undefined;

  constructor(accounts: Accounts, prices: Pricing, currency: Asset) {
    this.currency = currency;
    this.#prices = prices;
    this.#rates = new Rates(prices, currency);
    this.#equity = new Equity(accounts, this.#rates);
  }

  /** Worked out once for an event: an order's basis, its review and the check at its slot need the same value. */
  fair(symbol: PairSymbol): Fair {
    const { now, sequence } = this.#prices.moment;
    const known = this.#fair;
    if (known?.symbol === symbol && known.sequence === sequence && known.now === now) return known.fair;
    const pair = this.#prices.pairs.get(symbol);
    const fair = pair === undefined ? UNKNOWN : this.#prices.fair(pair);
    this.#fair = { symbol, sequence, now, fair };
    return fair;
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
    const par = parOf(asset, this.currency, (fiat) => this.#rates.exact(fiat) ?? this.mark(fiat)?.price);
    // USDC is traded against CHF where nothing tells of USD: its own price must not blank what is shown of the account.
    const isOfAnother = standsFor(asset) !== undefined && fiatOf(asset) === undefined;
    return par ?? (isOfAnother ? this.mark(asset)?.price : undefined);
  }

  equity(): Money | undefined {
    return this.#equity.value;
  }

  isSurely(side: "above" | "below", amount: Money): boolean {
    return this.#equity.isSurely(side, amount);
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

type Size = { readonly asset: Asset; readonly size: number };

export class Equity {
  readonly #accounts: Accounts;
  readonly #rates: Pick<Rates, "currency" | "range" | "floatRange" | "version">;
  readonly #zero: Money;
  /** The value of each holding at its mark. */
  readonly #values = new Map<
    Asset,
    { readonly held: Money; readonly range: unknown; readonly value: Money | undefined }
  >();
  /** Of these versions of accounts and rates. */
  #known: { readonly of: number; readonly at: number; readonly value: Money | undefined } | undefined = undefined;
  /** Equity by floats and how far it may be off; NaN where only the exact value can tell. */
  readonly #float = { of: -1, at: -1, value: Number.NaN, doubt: Number.NaN };
  /** As floats, of the same version of the accounts; undefined while a request is pending, or before the opening entry. */
  #owned: readonly Size[] | undefined = undefined;

  constructor(accounts: Accounts, rates: Pick<Rates, "currency" | "range" | "floatRange" | "version">) {
    this.#accounts = accounts;
    this.#rates = rates;
    this.#zero = Money.zero(rates.currency);
  }

  /** Counts every open order as the worse of filled and not filled; undefined if an asset has no rate. */
  get value(): Money | undefined {
    const [of, at] = [this.#accounts.version, this.#rates.version];
    if (this.#known?.of !== of || this.#known.at !== at) this.#known = { of, at, value: this.#sum() };
    return this.#known.value;
  }

  /** By floats with their doubt: false where only the exact value can tell. */
  isSurely(side: "above" | "below", amount: Money): boolean {
    if (amount.asset !== this.#rates.currency) return false;
    const [of, at] = [this.#accounts.version, this.#rates.version];
    const float = this.#float;
    if (float.of !== of) this.#takeSizes();
    if (float.of !== of || float.at !== at) this.#sumFloats();
    float.of = of;
    float.at = at;
    const limit = amount.toNumber();
    const doubt = float.doubt + Math.abs(limit) * FLOAT_DOUBT;
    return side === "above" ? float.value - doubt > limit : float.value + doubt < limit;
  }

  #takeSizes(): void {
    const isPlain = this.#accounts.ledger.size > 0 && this.#pending().length === 0;
    const held = isPlain ? this.#accounts.assets.flatMap((asset) => this.#accounts.held(asset) ?? []) : undefined;
    this.#owned = held?.map((amount) => ({ asset: amount.asset, size: amount.toNumber() }));
  }

  #sumFloats(): void {
    const float = this.#float;
    float.value = this.#owned === undefined ? Number.NaN : 0;
    float.doubt = ROUNDING_DOUBT;
    for (const { asset, size } of this.#owned ?? []) {
      if (size === 0) continue;
      const { low, high } = this.#rates.floatRange(asset) ?? UNKNOWN_RANGE;
      const value = size * (size < 0 ? high : low);
      float.value += value;
      float.doubt += Math.abs(size) * RATE_DOUBT + Math.abs(value) * FLOAT_DOUBT + ROUNDING_DOUBT;
    }
  }

  #sum(): Money | undefined {
    // Before the opening entry equity is unknown and not zero: a day opened at zero could never show a loss.
    if (this.#accounts.ledger.size === 0) return undefined;
    let sum: Money | undefined = this.#zero;
    for (const asset of this.#accounts.assets) {
      const held = this.#accounts.held(asset);
      // Assets without a holding need no price.
      if (held === undefined || held.isZero()) continue;
      const range = this.#rates.range(asset);
      const known = this.#values.get(asset);
      const value = known?.held === held && known.range === range ? known.value : this.#least(held);
      this.#values.set(asset, { held, range, value });
      sum = value && sum?.plus(value);
    }
    for (const one of this.#pending()) {
      const loss = lossIfFilled(one, this.#rates.currency, (asset) => this.#rates.range(asset)?.low);
      sum = loss && sum?.plus(loss);
    }
    return sum;
  }

  exposure(asset: Asset): Money | undefined {
    const amount = this.#accounts.heldAtMost(asset);
    if (amount === undefined || amount.isZero()) return amount && this.#zero;
    const range = this.#rates.range(asset);
    return range && amount.valued(amount.isNegative() ? range.low : range.high, this.#rates.currency, "up");
  }

  grossExposure(): Money | undefined {
    let sum: Money | undefined = this.#zero;
    for (const asset of this.#accounts.assets) sum = sum && this.#plusSize(sum, asset);
    // A pending request may be in an asset that neither the venue nor the ledger lists.
    for (const { leaves, comes } of this.#pending())
      if (this.#isUnlisted(leaves.asset) || this.#isUnlisted(comes.asset)) return undefined;
    return sum;
  }

  #plusSize(sum: Money, asset: Asset): Money | undefined {
    if (asset === this.#rates.currency) return sum;
    const amount = this.#accounts.heldAtMost(asset);
    // A debt is largest where its value is least.
    const size = amount?.isNegative() ? this.#least(amount) : this.exposure(asset);
    return size && sum.plus(size.size());
  }

  #isUnlisted(asset: Asset): boolean {
    return asset !== this.#rates.currency && this.#accounts.heldAtMost(asset) === undefined;
  }

  #pending(): readonly Reserved[] {
    const { open, movements } = this.#accounts;
    return [...open.values(), ...movements.tied()];
  }

  #least(amount: Money): Money | undefined {
    const range = this.#rates.range(amount.asset);
    return range && amount.valued(amount.isNegative() ? range.high : range.low, this.#rates.currency, "down");
  }
}
