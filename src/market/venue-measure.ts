// What the venue itself says a pair costs: the measure for a source of which nothing else is known yet.

import { type Asset, assetsOf, type PairSymbol } from "../domain/asset.ts";
import { isCurrency } from "./currency.ts";
import type { Moment } from "./moment.ts";
import type { PairPrices, SourcePrice } from "./pair-prices.ts";

export class VenueMeasure {
  readonly #pairs: ReadonlyMap<PairSymbol, PairPrices>;
  readonly #moment: Moment;
  readonly #venueAgeMsMax: number;

  constructor(pairs: ReadonlyMap<PairSymbol, PairPrices>, moment: Moment, venueAgeMsMax: number) {
    this.#pairs = pairs;
    this.#moment = moment;
    this.#venueAgeMsMax = venueAgeMsMax;
  }

  /** What a price of the pair should be near to before anything else is known of its source; NaN where nothing says. */
  of({ symbol, parBandBps, venue }: PairPrices): number {
    const own = this.#freshMid(venue);
    if (!Number.isNaN(own)) return own;
    if (parBandBps !== undefined) return 1;
    for (const { symbol: twin, inverse } of twinsOf(symbol)) {
      const prices = this.#pairs.get(twin);
      const mid = prices === undefined ? Number.NaN : this.#freshMid(prices.venue);
      if (!Number.isNaN(mid)) return inverse ? 1 / mid : mid;
    }
    return Number.NaN;
  }

  #freshMid({ seen, since, bid, ask }: SourcePrice): number {
    const isFresh = seen === "good" && this.#moment.now - since <= this.#venueAgeMsMax;
    return isFresh ? (bid + ask) / 2 : Number.NaN;
  }
}

/** Pairs of the venue that cost about the same: coins stand for their currencies, and may be quoted the other way round. */
function twinsOf(symbol: PairSymbol): readonly { readonly symbol: PairSymbol; readonly inverse: boolean }[] {
  const { base, quote } = assetsOf(symbol);
  const standing = (asset: string): readonly string[] => (isCurrency(asset as Asset) ? [`V${asset}`, asset] : [asset]);
  return standing(base).flatMap((one) =>
    standing(quote).flatMap((other) => [
      { symbol: `${one}/${other}` as PairSymbol, inverse: false },
      { symbol: `${other}/${one}` as PairSymbol, inverse: true },
    ]),
  );
}
