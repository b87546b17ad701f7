// Equity in floats, worked out again when holdings or marks have changed: it says without an object whether exact equity is
// surely between two bounds, so that a look at it is left out where it would find nothing.

import type { Money } from "../../domain/money/money.ts";
import type { Rate, Rates } from "../../market/rate.ts";
import type { Accounts } from "../accounts/accounts.ts";
import type { Figure } from "../accounts/figures.ts";

/** Twice what rounding a rate can change it by. */
const RATE_STEP = 1e-9;
/** The value of each holding is rounded down to this. */
const VALUE_STEP = 1e-18;
/** Far more than a sum of some products in floats is wrong by. */
const FLOAT_ERROR = 1e-12;
/** Between these a rate surely has steps that it can be counted in. */
const [RATE_MIN, RATE_MAX] = [1e-6, 1e6];

export class EquityWatch {
  readonly #accounts: Accounts;
  readonly #rates: Rates;
  #accountsVersion = -1;
  #ratesVersion = -1;
  /** So many assets are held, each with its rate. All of this is of one ledger. */
  #ledger = -1;
  #count = 0;
  readonly #of: Rate[] = [];
  #held = new Float64Array(0);
  /** The marks at which the bounds were set. */
  #bounded = new Float64Array(0);
  /** NaN where something held has no mark. */
  #sum = Number.NaN;
  /** By how much exact equity may differ from it; NaN where that cannot be told. */
  #margin = Number.NaN;
  /** What open orders may take off it at most. */
  #loss = Number.NaN;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  #boundAccounts = -1;
  #boundRates = -1;

  constructor(accounts: Accounts, rates: Rates) {
    this.#accounts = accounts;
    this.#rates = rates;
  }

  /** Equity as it is now is nothing to look at, nor is any between these. */
  bound(above: number, peak: Money | undefined): void {
    this.#look();
    this.#boundAccounts = this.#accountsVersion;
    this.#boundRates = this.#ratesVersion;
    for (let i = 0; i < this.#count; i++) this.#bounded[i] = this.#markOf(i);
    const value = peak?.toNumber() ?? Number.NEGATIVE_INFINITY;
    this.#least = above + Math.abs(above) * FLOAT_ERROR;
    this.#most = value - Math.abs(value) * FLOAT_ERROR;
  }

  /** Exact equity is surely more than this. */
  isAbove(floor: number): boolean {
    this.#look();
    return this.#sum - this.#margin - this.#loss > floor + Math.abs(floor) * FLOAT_ERROR;
  }

  /** Exact equity is surely less. Orders that are open only make it lesser. */
  isBelow(peak: Money): boolean {
    this.#look();
    const value = peak.toNumber();
    return this.#sum + this.#margin < value - Math.abs(value) * FLOAT_ERROR;
  }

  /** Everything held has a mark, as of the last question. */
  get isKnown(): boolean {
    return !Number.isNaN(this.#sum);
  }

  /** Exact equity is what it was when the bounds were set, surely between them, or unknown. */
  isBound(): boolean {
    this.#look();
    if (!this.isKnown) return true;
    const isBetween = this.#sum - this.#margin - this.#loss > this.#least && this.#sum + this.#margin < this.#most;
    return isBetween || this.#isSame();
  }

  /** Holdings and marks are those at which the bounds were set: a coin at par, the peak, comes back to it again and again. */
  #isSame(): boolean {
    if (this.#boundAccounts !== this.#accountsVersion) return false;
    if (this.#boundRates === this.#ratesVersion) return true;
    // What is open may bring an asset of which nothing is held.
    if (this.#loss !== 0) return false;
    for (let i = 0; i < this.#count; i++) if (this.#bounded[i] !== this.#markOf(i)) return false;
    return true;
  }

  #markOf(i: number): number {
    const { low, high } = this.#of[i] as Rate;
    return (this.#held[i] as number) < 0 ? high : low;
  }

  #look(): void {
    const { version } = this.#accounts;
    const { version: ratesVersion } = this.#rates;
    if (version === this.#accountsVersion && ratesVersion === this.#ratesVersion) return;
    const { ledger } = this.#accounts;
    if (ledger.version !== this.#ledger) this.#list(ledger.version);
    this.#accountsVersion = version;
    this.#ratesVersion = ratesVersion;
    this.#add();
  }

  #add(): void {
    let sum = 0;
    let margin = 0;
    for (let i = 0; i < this.#count; i++) {
      const { low } = this.#rates.fresh(this.#of[i] as Rate);
      const held = this.#held[i] as number;
      sum += held * this.#markOf(i);
      margin += Math.abs(held) * RATE_STEP + VALUE_STEP + Math.abs(held * inReach(low)) * FLOAT_ERROR;
    }
    this.#sum = sum;
    this.#margin = margin;
    this.#loss = this.#lossOf();
  }

  #lossOf(): number {
    // Of mints and payments nothing is said: they are few.
    let loss = this.#accounts.movements.isTied ? Number.NaN : 0;
    if (this.#accounts.open.size === 0) return loss;
    for (const { leaves, comes } of this.#accounts.open.values()) {
      const [out, back] = [leaves.toNumber(), comes.toNumber()];
      const spent = out * inReach(this.#rates.of(leaves.asset).low);
      const gained = back * inReach(this.#rates.of(comes.asset).low);
      loss += Math.max(spent - gained, 0) + (spent + gained) * FLOAT_ERROR;
      loss += (out + back) * RATE_STEP + 2 * VALUE_STEP;
    }
    return loss;
  }

  #list(version: number): void {
    const { figures } = this.#accounts;
    if (this.#held.length < figures.length) {
      this.#held = new Float64Array(figures.length);
      this.#bounded = new Float64Array(figures.length);
    }
    let count = 0;
    for (let i = 0; i < figures.length; i++) {
      const figure = figures[i] as Figure;
      const { asset, heldFloat: amount } = figure.isFresh ? figure : this.#accounts.fresh(figure);
      if (amount === 0) continue;
      if (this.#of[count]?.asset !== asset) this.#of[count] = this.#rates.rateOf(asset);
      this.#held[count] = amount;
      count++;
    }
    this.#count = count;
    this.#ledger = version;
  }
}

/** NaN for a rate that may have no steps to be counted in. */
function inReach(rate: number): number {
  return rate > RATE_MIN && rate < RATE_MAX ? rate : Number.NaN;
}
