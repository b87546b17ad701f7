// The price of trades that must be made and may cost something: the one on show, when it is not too far from fair value, and a
// little beyond it so that an order still fills where the price has moved meanwhile; never past what it may cost.

import type { Side } from "../domain/order.ts";
import { z } from "./strategy.ts";
import { bps } from "./taking.ts";
import type { QuoteView } from "./view.ts";

const BPS = 1e4;

export const payingParams = {
  /** How much worse than fair value a price may be; a better one is always taken. */
  costBpsMax: bps(500).default(10),
  /** How far beyond the price on show a limit may go. */
  slackBps: bps(50).default(1),
  /** Part of the size on show that an order takes at most: Fill-or-Kill fills whole or not at all. */
  depthShare: z.number().positive().max(1).default(0.5),
};

type Terms = { readonly costBpsMax: number; readonly slackBps: number };
/** Without a limit the price costs too much. */
type Pay = { readonly costBps: number; readonly limit: number | undefined };

export function payOf({ bid, ask }: Pick<QuoteView, "bid" | "ask">, fair: number, side: Side, terms: Terms): Pay {
  const [most, slack] = [terms.costBpsMax / BPS, terms.slackBps / BPS];
  const costBps = (side === "buy" ? ask / fair - 1 : 1 - bid / fair) * BPS;
  if (costBps > terms.costBpsMax) return { costBps, limit: undefined };
  const limit =
    side === "buy" ? Math.min(fair * (1 + most), ask * (1 + slack)) : Math.max(fair * (1 - most), bid * (1 - slack));
  return { costBps, limit };
}
