// What the next look at a pair is worth to a strategy that takes a price from some edge on: the edge of the last quote, the
// less certain the older it is, times what may be traded. Nothing while an order is out or a pause lasts.

import { expectedTake } from "./signal/expected-take.ts";
import type { View } from "./view.ts";

const BPS = 1e4;
const MINUTE_MS = 60_000;

export type LookParams = {
  readonly edgeBps: number;
  readonly feeBps: number;
  readonly skewBps: number;
  readonly size: number;
  readonly depthShare: number;
  readonly pauseMs: number;
  /** Standard deviation of the price over a minute. */
  readonly moveBps: number;
};

type Seen = View<LookParams, { readonly lastAt: Readonly<Record<string, number>> }, "quote">;

/** In the pair's quote asset; undefined when what is held is not known. */
export function lookWorth(view: Seen, fair: number): number | undefined {
  const { quote, params, state, now, openOrders } = view;
  const { symbol } = quote;
  if (now - (state.lastAt[symbol] ?? Number.NEGATIVE_INFINITY) < params.pauseMs) return 0;
  for (const order of openOrders) if (order.symbol === symbol) return 0;
  const instrument = view.instrumentOf(symbol);
  const base = instrument && view.balanceOf(instrument.base)?.spendable;
  const money = instrument && view.balanceOf(instrument.quote)?.spendable;
  if (instrument === undefined || base === undefined || money === undefined) return undefined;
  const whole = base * fair + money;
  const baseShare = whole > 0 ? (base * fair) / whole : 0;
  const sizeMin = instrument.quantityMin.toNumber();
  const deviation = params.moveBps * Math.sqrt(quote.ageMs / MINUTE_MS);
  const gain = (edgeBps: number, share: number, shown: number | undefined, most: number): number => {
    const size = Math.min(params.size, most, (shown ?? Number.POSITIVE_INFINITY) * params.depthShare);
    if (size < sizeMin) return 0;
    return (
      (size * fair * expectedTake(edgeBps - params.feeBps, params.edgeBps + params.skewBps * share, deviation)) / BPS
    );
  };
  return (
    gain((1 - quote.ask / fair) * BPS, baseShare, quote.askSize, money / quote.ask) +
    gain((quote.bid / fair - 1) * BPS, 1 - baseShare, quote.bidSize, base)
  );
}
