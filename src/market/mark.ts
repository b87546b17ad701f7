// The mark of a pair in equity, independent of its fair value: never more than the price it can be sold at. Par is a
// reason to trade inside its band, but not to mark a coin above the venue's last bid. Without a fair value the worst of
// the last known prices counts; after a while without any price a coin is marked down by a haircut. Where the venue shows
// no quotes, a coin counts at the lowest of par, its references, our last fill and the lower end of a hidden price.

import type { PairSymbol } from "../domain/asset.ts";
import { isPegged } from "./currency.ts";
import type { PairPrices } from "./pair-prices.ts";
import type { SourcePrice } from "./source-price.ts";

/** How long a price counts without a newer one, and the haircut on a coin after that. */
export type Marking = { readonly ageMsMax: number; readonly haircutBps: number };

/** What stands in for the venue's quotes where it shows none. */
export type Unquoted = {
  readonly isBlind: boolean;
  readonly ownFills: ReadonlyMap<PairSymbol, { readonly price: number }>;
  hiddenLow(symbol: PairSymbol, fair: number): number | undefined;
  /** Whether par is a price of the pair by itself: it does not age. */
  isParAlone(symbol: PairSymbol): boolean;
};

export class PairMark {
  /** Owned amounts count at the low, owed amounts at the high; NaN before any price. */
  low = Number.NaN;
  high = Number.NaN;
  /** When its newest price was received. */
  at = Number.NaN;
  /** The time from which the haircut applies, unless a price arrives. */
  downAt = Number.POSITIVE_INFINITY;
  readonly #prices: PairPrices;
  readonly #marking: Marking;
  readonly #unquoted: Unquoted;
  readonly #isCoin: boolean;

  constructor(prices: PairPrices, marking: Marking, unquoted: Unquoted) {
    this.#prices = prices;
    this.#marking = marking;
    this.#unquoted = unquoted;
    this.#isCoin = prices.parBandBps !== undefined || isPegged(prices.symbol);
  }

  /** True if the mark has changed. `fair`: NaN if there is none. */
  look(fair: number, now: number): boolean {
    const { low, high } = this;
    const { venue, references } = this.#prices;
    this.low = fair;
    this.high = fair;
    this.at = heardAt(venue);
    for (let i = 0; i < references.length; i++) this.at = Math.max(this.at, heardAt(references[i] as SourcePrice));
    if (!Number.isNaN(fair)) this.#sellable(venue, now);
    else if (this.#isCoin || this.#prices.isConfirmed) this.#lastKnown();
    if (this.#isCoin && this.#unquoted.isBlind) this.#hidden(fair, now);
    if (this.#isCoin) this.#asCoin(now);
    return !Object.is(this.low, low) || !Object.is(this.high, high);
  }

  /** The worst of each source's last prices. */
  #lastKnown(): void {
    const { venue, references } = this.#prices;
    this.#widen(venue.bid, venue.ask);
    for (let i = 0; i < references.length; i++) {
      const source = references[i] as SourcePrice;
      this.#widen(source.bid, source.ask);
    }
  }

  #widen(bid: number, ask: number): void {
    if (!(bid > 0)) return;
    if (!(bid >= this.low)) this.low = bid;
    if (!(ask <= this.high)) this.high = ask;
  }

  /**
   * Caps the mark at the venue's bid, because fair value comes from elsewhere and this bid is the selling price. For a
   * coin the last bid counts however old it is.
   */
  #sellable(venue: SourcePrice, now: number): void {
    const isOld = now > heardAt(venue) + this.#marking.ageMsMax;
    if (venue.bid < this.low && (this.#isCoin || !isOld)) this.low = venue.bid;
  }

  #hidden(fair: number, now: number): void {
    const { symbol } = this.#prices;
    this.#widen(1, 1);
    for (const low of [this.#unquoted.ownFills.get(symbol)?.price, this.#unquoted.hiddenLow(symbol, fair)])
      if (low !== undefined && low < this.low) this.low = low;
    if (this.#unquoted.isParAlone(symbol)) this.at = now;
  }

  /** A coin is worth no more than par; buying back an owed amount may cost more. */
  #asCoin(now: number): void {
    const { ageMsMax, haircutBps } = this.#marking;
    this.low = coinMark(this.low);
    if (this.high < 1) this.high = 1;
    this.downAt = this.at + ageMsMax;
    if (now > this.downAt) this.low *= 1 - haircutBps / 1e4;
  }
}

/** The mark of one unit of a coin from its lowest known price: never more than par. */
function coinMark(price: number): number {
  return price > 1 ? 1 : price;
}

/** When its last valid price was received. */
function heardAt({ since, lastAt }: SourcePrice): number {
  return Number.isNaN(since) ? lastAt : since;
}
