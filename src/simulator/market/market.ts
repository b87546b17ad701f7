// The venue's view of a market: the dealer's two-sided price of a pair, and the fair rate between two references. Both
// are functions of time alone, so the number of reads does not matter.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Millis } from "../../domain/time.ts";

/** A buffer that `read` fills; sizes in base units. */
export type Top = { bid: number; ask: number; bidSize: number; askSize: number };

/** `redemption`: no coin is taken back. `frozen`: balances of it at the venue do not move at all. */
export type Closure = "open" | "redemption" | "frozen";

export interface Market {
  /**
   * False when there is no price: unknown pair, before the first record, or market closed. `shift` moves the logarithm
   * of the price before the issuer's floor applies.
   */
  read(symbol: PairSymbol, at: Millis, into: Top, shift?: number): boolean;
  /**
   * Units of `quote` for one unit of `base`: the mid rate without peg deviation; undefined when the market does not
   * know the assets.
   */
  rate(base: Asset, quote: Asset, at: Millis): number | undefined;
  /** What the issuer of a coin has stopped. */
  closure(asset: Asset, at: Millis): Closure;
  /** The logarithm of the world's rate over the rate that the dealer's price of a pair follows. */
  stale(symbol: PairSymbol, at: Millis): number;
  /** Sizes are redrawn in each epoch, which restores traded size. */
  depthEpoch(at: Millis): number;
}

export function emptyTop(): Top {
  return { bid: Number.NaN, ask: Number.NaN, bidSize: 0, askSize: 0 };
}
