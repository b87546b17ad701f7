// The largest order of one side now: limited by the shown size and by the free balance.

import type { Side } from "../domain/order.ts";
import type { View } from "./view.ts";

type Seen = Pick<
  View<{ readonly depthShare: number }, unknown, "quote">,
  "quote" | "params" | "instrumentOf" | "balanceOf"
>;

/** Base units of the quote's pair. */
export function roomOf(view: Seen, side: Side, price: number): number {
  const { quote, params } = view;
  const shown = (side === "buy" ? quote.askSize : quote.bidSize) ?? Number.POSITIVE_INFINITY;
  return Math.min(shown * params.depthShare, affordable(view, side, price));
}

/** The base quantity that the free balance pays for. */
export function affordable({ quote, instrumentOf, balanceOf }: Seen, side: Side, price: number): number {
  const instrument = instrumentOf(quote.symbol);
  const free = (instrument && balanceOf(side === "buy" ? instrument.quote : instrument.base)?.free) ?? 0;
  return side === "buy" ? free / price : free;
}
