// What a pair counts for in equity, whatever its fair value is: never more than it can be sold for. Par is a reason to trade
// inside its band, and no reason to mark a coin higher than the venue's last bid. While there is no fair value, the last
// known prices count, the worst of them; after a while without any price a coin counts for less by a haircut.

import { isPegged } from "./currency.ts";
import type { PairPrices } from "./pair-prices.ts";
import type { SourcePrice } from "./source-price.ts";

/** How long a price counts without a newer one, and what is taken off a coin after that. */
export type Marking = { readonly ageMsMax: number; readonly haircutBps: number };

/** A price that the guard holds back counts once it has been repeated for so long. */
const CLAIMED_MS = 10_000;

export class PairMark {
  /** What is owned counts at the low, what is owed at the high; NaN before any price. */
  low = Number.NaN;
  high = Number.NaN;
  /** When its newest price was heard. */
  at = Number.NaN;
  /** From when on the haircut is off it, unless a price comes. */
  downAt = Number.POSITIVE_INFINITY;
  readonly #prices: PairPrices;
  readonly #marking: Marking;
  readonly #isCoin: boolean;

  constructor(prices: PairPrices, marking: Marking) {
    this.#prices = prices;
    this.#marking = marking;
    this.#isCoin = prices.parBandBps !== undefined || isPegged(prices.symbol);
  }

  /** True when it is another now. `fair`: NaN where there is none. */
  look(fair: number, now: number): boolean {
    const { low, high } = this;
    const { venue, references } = this.#prices;
    this.low = fair;
    this.high = fair;
    this.at = heardAt(venue);
    for (let i = 0; i < references.length; i++) this.at = Math.max(this.at, heardAt(references[i] as SourcePrice));
    if (!Number.isNaN(fair)) this.#sellable(venue, now);
    else if (this.#isCoin || this.#prices.isConfirmed) this.#lastKnown();
    if (this.#isCoin) this.#asCoin(now);
    return !Object.is(this.low, low) || !Object.is(this.high, high);
  }

  /** The worst of what each source last said. */
  #lastKnown(): void {
    const { venue, references } = this.#prices;
    this.#widen(venue.bid, venue.ask);
    for (let i = 0; i < references.length; i++) {
      const source = references[i] as SourcePrice;
      this.#widen(source.bid, source.ask);
      if (source.claimedAt - source.claimedSince >= CLAIMED_MS) this.#widen(source.claimedBid, source.claimedAsk);
    }
  }

  #widen(bid: number, ask: number): void {
    if (!(bid > 0)) return;
    if (!(bid >= this.low)) this.low = bid;
    if (!(ask <= this.high)) this.high = ask;
  }

  /** Fair value is what others pay: here it is sold for the venue's bid. A coin's last one counts however old it is. */
  #sellable(venue: SourcePrice, now: number): void {
    const isOld = now > heardAt(venue) + this.#marking.ageMsMax;
    if (venue.bid < this.low && (this.#isCoin || !isOld)) this.low = venue.bid;
  }

  /** Worth no more than what it stands for; what is owed of it may cost more to buy back. */
  #asCoin(now: number): void {
    const { ageMsMax, haircutBps } = this.#marking;
    this.low = coinMark(this.low);
    if (this.high < 1) this.high = 1;
    this.downAt = this.at + ageMsMax;
    if (now > this.downAt) this.low *= 1 - haircutBps / 1e4;
  }
}

/** What one unit of a coin counts for, of which this is the least known price: never more than par. */
export function coinMark(price: number): number {
  return price > 1 ? 1 : price;
}

/** When it last said a price that is one. */
function heardAt({ since, lastAt }: SourcePrice): number {
  return Number.isNaN(since) ? lastAt : since;
}
