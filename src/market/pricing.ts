// The contract of fair values: what they rest on, as settings, and what may be asked about them.

import type { PairSymbol } from "../domain/asset.ts";
import type { Fair, NoFair } from "../domain/fair.ts";
import type { FxWeek } from "./fx-week.ts";
import type { GuardSettings } from "./guard.ts";
import type { Marking } from "./mark.ts";
import type { Moment } from "./moment.ts";
import type { PairPrices, SourcePrice } from "./pair-prices.ts";
import type { PairWays } from "./pair-ways.ts";

export type FairSettings = {
  /** The pairs for which par is a source, with the band around it that the venue's mid must keep. */
  readonly par: ReadonlyMap<PairSymbol, { readonly bandBps: number }>;
  readonly venueAgeMsMax: number;
  readonly referenceAgeMsMax: number;
  /** A reference that has not moved for so long is not believed. */
  readonly frozenMsMax: number;
  /** By `priceKey`: sources that have a limit of their own for a pair. */
  readonly frozenMsMaxOf?: ReadonlyMap<string, number>;
  readonly sourcesMin: number;
  /** For pairs that need more. */
  readonly sourcesMinOf?: ReadonlyMap<PairSymbol, number>;
  /** Where feeds have their prices from, when it is not theirs alone: those of one origin count as one source. */
  readonly origins?: ReadonlyMap<string, string>;
  readonly disagreementBpsMax: number;
  /** How each price of a reference is judged; without it only its shape is. */
  readonly guard?: GuardSettings;
  /** How holdings are marked while no price comes; without it, at the last price for good. */
  readonly marking?: Marking;
  /** What holds while the currency markets are closed; without it, the same as at other times. */
  readonly weekend?: Weekend;
  /** By `priceKey`: prices that rest on a rate of two currencies, though their pair is not one. */
  readonly weekly?: ReadonlySet<string>;
  /**
   * By `priceKey`: the pairs that a source may derive a price from. A fault in one of them is a fault of the derived price,
   * unless its quote names the pairs that it was derived from: then those count.
   */
  readonly legsOf?: ReadonlyMap<string, readonly PairSymbol[]>;
};

/** One source's prices of one pair. */
export function priceKey(source: string, symbol: PairSymbol): string {
  return `${source} ${symbol}`;
}

/** Without a collar, nothing that rests on a rate of two currencies has a fair value while their markets are closed. */
export type Weekend = { readonly week: FxWeek; readonly collarBps: number | undefined };

export interface Pricing {
  /** When fair values are asked for; whoever feeds the prices moves it. */
  readonly moment: Moment;
  readonly pairs: ReadonlyMap<PairSymbol, PairPrices>;
  /** How far apart two sources, or two ways, may be. */
  readonly disagreementBpsMax: number;
  /** How old a reference may be. */
  readonly referenceAgeMsMax: number;
  readonly marking: Marking;
  /** Goes up with each new pair, first reference or new measure: while it stands still, ways are what they were. */
  readonly layout: number;
  /** From one asset to another, and what a pair on the way can cost. */
  readonly ways: PairWays;
  /** The prices of a pair: the same object each time, made when first asked for. */
  pair(symbol: PairSymbol): PairPrices;
  fair(prices: PairPrices): Fair;
  /** The value alone, without an object: undefined where there is none. */
  value(prices: PairPrices): number | undefined;
  /** Why a reference's price of the pair counts for nothing at the moment; undefined where it counts. */
  doubtOf(prices: PairPrices, source: string): NoFair | undefined;
  /** The same for what is wrong with it by itself, whatever the others say. */
  ownDoubtOf(prices: PairPrices, reference: SourcePrice): NoFair | undefined;
  /** When the currency markets open again, where they close and are closed at the moment. */
  closedUntil(): number | undefined;
}
