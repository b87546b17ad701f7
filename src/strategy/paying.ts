// The price of trades that must be made at a cost: the shown price if it is close enough to fair value, and slightly
// beyond it so that the order fills after a small move; never beyond the maximum cost.

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
  /** The largest part of the shown size that one order takes: Fill-or-Kill fills completely or not at all. */
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
