// Equity and exposure. Equity is computed on demand and cached until a holding, an open order or a mark changes. Owned
// amounts count at the low end of their mark, exposed or owed amounts at the high end.

import type { Asset } from "../../domain/asset.ts";
import { Money, type Price } from "../../domain/money/money.ts";
import type { Reserved } from "../../domain/reservation.ts";
import type { RateRange, Rates } from "../../market/rate.ts";
import { lossIfFilled } from "../../risk/rules/losses.ts";
import type { Accounts } from "./accounts.ts";

/** The current value of one unit of an asset. */
type RatesNow = Pick<Rates, "currency" | "version" | "range">;

/** The cached value is valid while the range is the same object. */
type Holding = {
  readonly held: Money;
  range: RateRange | undefined;
  value: Money | undefined;
};

export class Equity {
  readonly #accounts: Accounts;
  readonly #rates: RatesNow;
  readonly #zero: Money;
  #holdings: Holding[] = [];
  #accountsVersion = -1;
  #ledgerVersion = -1;
  #ratesVersion = -1;
  #value: Money | undefined = undefined;

  constructor(accounts: Accounts, rates: RatesNow) {
    this.#accounts = accounts;
    this.#rates = rates;
    this.#zero = Money.zero(rates.currency);
  }

  /** Counts every open order as the worse of filled and not filled; undefined if an asset has no rate. */
  get value(): Money | undefined {
    const { version, ledger } = this.#accounts;
    const { version: ratesVersion } = this.#rates;
    if (version === this.#accountsVersion && ratesVersion === this.#ratesVersion) return this.#value;
    if (ledger.version !== this.#ledgerVersion) this.#list();
    this.#ledgerVersion = ledger.version;
    this.#value = this.#sum();
    this.#accountsVersion = version;
    this.#ratesVersion = ratesVersion;
    return this.#value;
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
    const size = amount?.isNegative() ? this.#least(amount, this.#rates.range(asset)) : this.exposure(asset);
    return size && sum.plus(size.size());
  }

  #isUnlisted(asset: Asset): boolean {
    return asset !== this.#rates.currency && this.#accounts.heldAtMost(asset) === undefined;
  }

  /** Assets without a holding need no price. */
  #list(): void {
    const before = this.#holdings;
    this.#holdings = [];
    for (const asset of this.#accounts.assets) {
      const held = this.#accounts.held(asset);
      if (held === undefined || held.isZero()) continue;
      const known = before.find((holding) => holding.held === held);
      this.#holdings.push(known ?? { held, range: undefined, value: undefined });
    }
  }

  #sum(): Money | undefined {
    // Before the opening entry equity is unknown and not zero: a day opened at zero could never show a loss.
    if (this.#accounts.ledger.size === 0) return undefined;
    let sum = this.#zero;
    for (let i = 0; i < this.#holdings.length; i++) {
      const holding = this.#holdings[i] as Holding;
      const range = this.#rates.range(holding.held.asset);
      if (range !== holding.range) holding.value = this.#least(holding.held, range);
      holding.range = range;
      if (holding.value === undefined) return undefined;
      sum = sum.plus(holding.value);
    }
    return this.#lessLosses(sum);
  }

  /** Subtracts the possible losses of pending requests; undefined if one of them cannot be computed. */
  #lessLosses(before: Money): Money | undefined {
    let sum: Money | undefined = before;
    for (const one of this.#pending()) {
      const loss = lossIfFilled(one, this.#rates.currency, (asset) => this.#lowOf(asset));
      sum = loss && sum?.plus(loss);
    }
    return sum;
  }

  #pending(): readonly Reserved[] {
    const { open, movements } = this.#accounts;
    return open.size === 0 && !movements.isTied ? NONE : [...open.values(), ...movements.tied()];
  }

  #lowOf(asset: Asset): Price | undefined {
    return this.#rates.range(asset)?.low;
  }

  #least(amount: Money, range: RateRange | undefined): Money | undefined {
    return range && amount.valued(amount.isNegative() ? range.high : range.low, this.#rates.currency, "down");
  }
}

const NONE: readonly Reserved[] = [];
