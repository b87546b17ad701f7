// Buys a coin below par and sells it above, against its own fiat. A trade earns the distance between its price and fair
// value, less the fee. The required edge grows with the holding of that side, so that a lasting deviation does not take
// the whole account; where the treasury can mint or redeem, the skew is capped at the cost of that exit.

import type { Side } from "../domain/order.ts";
import { askBest } from "./blind-taker.ts";
import { defineStrategy, type ParamsOf, type Proposal, type View, z } from "./strategy.ts";
import {
  bps,
  fairOf,
  type Holdings,
  isTurn,
  roomOf,
  screenTaking,
  skewOf,
  type Taking,
  takeIfWorth,
  takingParams,
} from "./taking.ts";

const BPS = 1e4;
const YEAR_HOURS = 365 * 24;

/** An exit between a coin and its fiat at par that takes time; amounts in the coin. */
const exit = z.object({
  feeBps: bps(500).default(0),
  /** Fixed costs: the network's fee, a bank's. */
  feeFixed: z.number().min(0).default(0),
  settlementHours: z.number().min(0).max(720).default(24),
  /** The smallest amount of this exit. */
  minimum: z.number().min(0).default(0),
});

const params = z.object({
  /** Coins against their own fiat. */
  symbols: z.array(z.string()).default(["VCHF/CHF", "VGBP/GBP"]),
  ...takingParams,
  /** How sold coins are replaced; only where the treasury mints. */
  mint: exit.optional(),
  /** How bought coins become cash; only where the treasury has an off-ramp. */
  offRamp: exit.optional(),
  /** A coin off its peg is sold once its bid is this far below par; without it, it is held. */
  stopBps: bps(5_000).optional(),
  /** The cost of capital in transit: 500 is 5 % a year. */
  capitalBpsPerYear: bps(10_000).default(500),
});

type Params = ParamsOf<typeof params>;
type Seen = View<Params, Taking, "quote">;

export const pegArbitrage = defineStrategy({
  name: "peg-arbitrage",
  params,
  // The time of a pair's last order holds under any parameters.
  stateParams: [],
  state: (): Taking => ({ lastAt: {} }),
  decide(view: Seen): Proposal | undefined {
    const fair = fairOf(view);
    return fair === undefined ? stopped(view) : takeIfWorth(view, fair, premiumOf(view));
  },
  blind: (view) => askBest(view, view.params.symbols, () => premiumOf(view)),
  // Without the stop-loss, which sells where there is no fair value.
  screen: (columns, params) => screenTaking(columns, params, () => () => premiumOf({ params })),
});

/** The stop-loss of a coin without a fair value: at the venue's own price, up to the shown size. */
function stopped(view: Seen): Proposal | undefined {
  const { quote, params, state, now } = view;
  if (params.stopBps === undefined || !params.symbols.includes(quote.symbol) || view.noFair !== "off-peg")
    return undefined;
  if ((1 - quote.bid) * BPS < params.stopBps || !isTurn(view)) return undefined;
  const limit = quote.bid * (1 - params.slackBps / BPS);
  const size = roomOf(view, "sell", limit);
  if (size < (view.instrumentOf(quote.symbol)?.quantityMin.toNumber() ?? Number.POSITIVE_INFINITY)) return undefined;
  state.lastAt[quote.symbol] = now;
  return view.sell(quote.symbol, { limit, size, reason: `off its peg: bid ${quote.bid.toFixed(5)}` });
}

/** The skew, unless an exit is cheaper. */
function premiumOf(view: { readonly params: Params }): (side: Side, held: Holdings) => number {
  return (side, held) => Math.min(skewOf(view, side, held), exitBps(view.params, side, held));
}

/** The cost of an exit for a full side, sent at once; infinite without an exit. */
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
