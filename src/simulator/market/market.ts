// What the venue asks of a market: the dealer's two-sided price of a pair, and the fair rate between two references.
// Both are functions of time alone, so that it never matters how often they are read.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Millis } from "../../domain/time.ts";

/** A cursor that `read` fills; sizes in base units. */
export type Top = { bid: number; ask: number; bidSize: number; askSize: number };

export interface Market {
  /** False when there is no price: unknown pair, before the first record, or closed. */
  read(symbol: PairSymbol, at: Millis, into: Top): boolean;
  /** Units of `quote` for one of `base`, mid, without peg deviation; undefined when the market does not know them. */
  rate(base: Asset, quote: Asset, at: Millis): number | undefined;
  /** Sizes are drawn anew with each new epoch; what was taken from one comes back with the next. */
  depthEpoch(at: Millis): number;
}

export function emptyTop(): Top {
  return { bid: Number.NaN, ask: Number.NaN, bidSize: 0, askSize: 0 };
}
