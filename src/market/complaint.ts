// What is wrong with references, in words: for status, page and metrics. Nothing is decided by it.

import type { PairSymbol } from "../domain/asset.ts";
import type { Pricing } from "./fair.ts";
import { GUARD_DEFAULTS } from "./guard.ts";
import type { PairPrices } from "./pair-prices.ts";

const ANCHOR_MS_MAX = GUARD_DEFAULTS.anchorAgeMsMax;

export type Complaint = {
  readonly source: string;
  readonly symbol: PairSymbol;
  readonly text: string;
  /** What follows from its silence for the prices of others, beside why it is silent. */
  readonly isForOthers?: true;
};

export function complaintsOf(pricing: Pick<Pricing, "pairs" | "moment">): readonly Complaint[] {
  return [...pricing.pairs.values()].flatMap((prices) => [
    ...prices.guards.flatMap(({ refusal, isBad }, place) => {
      const source = prices.references[place];
      const text =
        refusal ?? (isBad ? "not good for long enough yet" : source?.seen === "held" ? "jumping" : undefined);
      return source === undefined || text === undefined
        ? []
        : [{ source: source.name, symbol: prices.symbol, text: `${prices.symbol} is ${text}` }];
    }),
    ...unmeasured(prices, pricing.moment.now),
  ]);
}

/** A measure that is configured and not there holds nothing back: that must be known. */
function unmeasured({ symbol, references, measuredBy, anchor, guards }: PairPrices, now: number): readonly Complaint[] {
  if (measuredBy === undefined || references.length === 0 || guards.length === 0) return [];
  const isThere = anchor?.seen === "good" && now - anchor.since <= ANCHOR_MS_MAX;
  const text = `prices of ${symbol} are measured with no daily rate`;
  return isThere ? [] : [{ source: measuredBy, symbol, text, isForOthers: true }];
}
