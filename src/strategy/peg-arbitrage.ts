// Buys a coin below par and sells it above, against its own fiat. What a trade earns is the distance between the price it
// gets and fair value, less the fee. The more of a side is held already, the more the next trade must earn, so that a lasting
// deviation does not take the whole account; where the treasury can mint or redeem, never more than that way out costs.

import type { Side } from "../domain/order.ts";
import { lookWorth } from "./look-worth.ts";
import { roomOf } from "./room.ts";
import { defineStrategy, type ParamsOf, type Proposal, type View, z } from "./strategy.ts";
import { bps, type Holdings, isTurn, skewOf, type Taking, takeIfWorth, takingParams } from "./taking.ts";
import { ticketParam } from "./ticket.ts";

const BPS = 1e4;
const YEAR_HOURS = 365 * 24;

/** A way between a coin and its fiat at par that takes its time; amounts in the coin. */
const exit = z.object({
  feeBps: bps(500).default(0),
  /** Whatever the amount: the network's fee, a bank's. */
  feeFixed: z.number().min(0).default(0),
  settlementHours: z.number().min(0).max(720).default(24),
  /** Less than this cannot be sent this way. */
  minimum: z.number().min(0).default(0),
});

const params = z.object({
  ...ticketParam,
  /** Coins against their own fiat. */
  symbols: z.array(z.string()).default(["VCHF/CHF", "VGBP/GBP"]),
  ...takingParams,
  /** How coins that were sold come back; only where the treasury mints. */
  mint: exit.optional(),
  /** How coins that were bought become cash; only where the treasury has an off-ramp. */
  offRamp: exit.optional(),
  /** A coin that is off its peg is sold where its bid is so far below par; without it, it is kept. */
  stopBps: bps(5_000).optional(),
  /** What capital costs while it is on its way: 500 is 5 % a year. */
  capitalBpsPerYear: bps(10_000).default(500),
});

type Params = ParamsOf<typeof params>;
type Seen = View<Params, Taking, "quote">;
type Looked = View<Params, Readonly<Taking>, "quote">;

export const pegArbitrage = defineStrategy({
  name: "peg-arbitrage",
  params,
  // When a pair was last ordered is the same under any of them.
  stateParams: ["ticket"],
  state: (): Taking => ({ lastAt: {} }),
  decide(view: Seen): Proposal | undefined {
    const fair = fairOf(view);
    return fair === undefined ? stopped(view) : takeIfWorth(view, fair, premiumOf(view));
  },
  worth(view) {
    const fair = fairOf(view);
    return fair === undefined ? undefined : lookWorth(view, fair, premiumOf(view));
  },
});

/** The way out of a coin without a fair value: against the venue's own price, as large as it is shown. */
function stopped(view: Seen): Proposal | undefined {
  const { quote, params, state, now, noFair } = view;
  if (params.stopBps === undefined || noFair !== "off-peg" || !params.symbols.includes(quote.symbol)) return undefined;
  if ((1 - quote.bid) * BPS < params.stopBps || !isTurn(view)) return undefined;
  const limit = quote.bid * (1 - params.slackBps / BPS);
  const size = roomOf(view, "sell", limit);
  if (size < (view.instrumentOf(quote.symbol)?.quantityMin.toNumber() ?? Number.POSITIVE_INFINITY)) return undefined;
  state.lastAt[quote.symbol] = now;
  return view.sell(quote.symbol, { limit, size, reason: `off its peg: bid ${quote.bid.toFixed(5)}` });
}

/** Of the pairs that are traded; of the others it is not even worked out. */
function fairOf(view: Looked): number | undefined {
  return view.params.symbols.includes(view.quote.symbol) ? view.fair : undefined;
}

/** The skew, where no way out is cheaper. */
function premiumOf(view: Looked): (side: Side, held: Holdings) => number {
  return (side, held) => Math.min(skewOf(view, side, held), exitBps(view.params, side, held));
}

/** What the way out of a full side costs, all that is there of it sent at once; without a way, no bound. */
export function exitBps(
  { mint, offRamp, capitalBpsPerYear }: Pick<Params, "mint" | "offRamp" | "capitalBpsPerYear">,
  side: Side,
  { base, quote }: Pick<Holdings, "base" | "quote">,
): number {
  const [way, amount] = side === "buy" ? [offRamp, base] : [mint, quote];
  if (way === undefined || amount <= 0 || amount < way.minimum) return Number.POSITIVE_INFINITY;
  const timeBps = (capitalBpsPerYear * way.settlementHours) / YEAR_HOURS;
  return way.feeBps + (way.feeFixed / amount) * BPS + timeBps;
}
