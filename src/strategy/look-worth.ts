// The value of the next poll of a pair for a strategy that takes prices above an edge: the edge of the last quote, less
// certain with age, times the tradable size. Zero while an order is outstanding or a pause lasts.

import type { Side } from "../domain/order.ts";
import { expectedTake } from "./signal/expected-take.ts";
import { holdingsOf, isTurn, type Premium, sizeOf, type TakingView } from "./taking.ts";

const BPS = 1e4;
const MINUTE_MS = 60_000;
const SIDES: readonly Side[] = ["buy", "sell"];

/** In the pair's quote asset; undefined if a holding is unknown. */
export function lookWorth(view: TakingView, fair: number, premium: Premium): number | undefined {
  const { quote, params } = view;
  if (!isTurn(view)) return 0;
  const held = holdingsOf(view, fair);
  const instrument = view.instrumentOf(quote.symbol);
  if (held === undefined || instrument === undefined) return undefined;
  const sizeMin = instrument.quantityMin.toNumber();
  const deviation = params.moveBps * Math.sqrt(quote.ageMs / MINUTE_MS);
  let gain = 0;
  for (const side of SIDES) {
    const size = sizeOf(view, side, side === "buy" ? quote.ask : quote.bid);
    if (size < sizeMin) continue;
    const edgeBps = (side === "buy" ? 1 - quote.ask / fair : quote.bid / fair - 1) * BPS - params.feeBps;
    gain += (size * fair * expectedTake(edgeBps, params.edgeBps + premium(side, held), deviation)) / BPS;
  }
  return gain;
}
