// The smallest mint that the venue takes is worth so much in one currency. What a mint is worth is a signal, taken from the
// venue's own quotes; where that is close to the minimum the venue has the last word.

import type { Asset } from "../../domain/asset.ts";
import { assetsOf } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import type { Money, Quantity } from "../../domain/money/money.ts";
import type { Quote } from "../../domain/quote.ts";

/** The venue's own rate may differ from its quotes by this part. */
const DOUBT = 0.01;
const HOPS_MAX = 4;

/** Why the venue would not take it, as far as can be known here. */
export function belowMinimum(
  asset: Asset,
  quantity: Quantity,
  minimum: Money,
  quotes: readonly Quote[],
): string | undefined {
  if (fiatOf(asset) === minimum.asset)
    return quantity.of(minimum.asset).lessThan(minimum) ? tooLittle(minimum, `${quantity}`) : undefined;
  const rate = rateBetween(asset, minimum.asset, quotes);
  if (rate === undefined) return undefined;
  const worth = quantity.toNumber() * rate;
  return worth < minimum.toNumber() * (1 - DOUBT) ? tooLittle(minimum, `about ${Math.floor(worth)}`) : undefined;
}

function tooLittle(minimum: Money, worth: string): string {
  return `a mint must be worth at least ${minimum} ${minimum.asset}, was ${worth}`;
}

/** What one unit is worth, over the shortest way through mid prices and coins at par. */
export function rateBetween(from: Asset, to: Asset, quotes: readonly Quote[]): number | undefined {
  let found = new Map<Asset, number>([[from, 1]]);
  for (let hop = 0; hop < HOPS_MAX && !found.has(to); hop++) {
    const next = new Map(found);
    const see = (asset: Asset, rate: number): void => {
      if (!next.has(asset) && Number.isFinite(rate) && rate > 0) next.set(asset, rate);
    };
    for (const [asset, rate] of found) {
      const fiat = fiatOf(asset);
      if (fiat !== undefined) see(fiat, rate);
      see(`V${asset}` as Asset, rate);
      for (const { symbol, bid, ask } of quotes) {
        const { base, quote } = assetsOf(symbol);
        const mid = (bid + ask) / 2;
        if (base === asset) see(quote, rate * mid);
        else if (quote === asset) see(base, rate / mid);
      }
    }
    found = next;
  }
  return found.get(to);
}
