// The built-in strategy: buys a coin below fair value and sells it above, against its own fiat. What a trade earns is
// the distance between the price it gets and fair value, less the fee; both halves of the spread are inside that price.
// The more of a side is held already, the more the next trade must earn, so a lasting deviation does not take the whole
// account.

import { lookWorth } from "./look-worth.ts";
import { defineStrategy, type Proposal, type View, z } from "./strategy.ts";

const BPS = 1e4;
const bps = (most: number) => z.number().min(0).max(most);

const params = z.object({
  /** Coins against their own fiat. */
  symbols: z.array(z.string()).default(["VCHF/CHF", "VGBP/GBP"]),
  /** What a trade must leave at least, after the fee. */
  edgeBps: bps(500).default(1),
  /** What the venue keeps of a trade. */
  feeBps: bps(100).default(0),
  /** What is asked on top for the last of the money: for a share of it, that share. */
  skewBps: bps(500).default(10),
  /** Base units of one order at most. */
  size: z.number().positive().default(2_500),
  /** Part of the size on show that an order takes at most: Fill-or-Kill fills whole or not at all. */
  depthShare: z.number().positive().max(1).default(0.5),
  /** How far beyond the price on show a limit may go while the trade still leaves its edge. */
  slackBps: bps(50).default(1),
  /** Between two orders of a pair. */
  pauseMs: z.number().min(0).max(3_600_000).default(5_000),
  /** Standard deviation of the price over a minute: how fast a quote grows too old to know its edge. */
  moveBps: bps(100).default(2),
});

type State = { readonly lastAt: Record<string, number> };
type Params = z.output<typeof params>;
type Seen = View<Params, State, "quote">;

export const pegArbitrage = defineStrategy({
  name: "peg-arbitrage",
  params,
  state: (): State => ({ lastAt: {} }),
  decide(view: Seen): Proposal | undefined {
    const { quote, fair, params } = view;
    if (fair === undefined || !params.symbols.includes(quote.symbol)) return undefined;
    const least = params.edgeBps + params.feeBps;
    const buyBps = (1 - quote.ask / fair) * BPS;
    const sellBps = (quote.bid / fair - 1) * BPS;
    if (buyBps < least && sellBps < least) return undefined;
    return buyBps >= least ? considered(view, fair, buyBps, "buy") : considered(view, fair, sellBps, "sell");
  },
  worth(view) {
    const { quote, fair, params } = view;
    return fair === undefined || !params.symbols.includes(quote.symbol) ? undefined : lookWorth(view, fair);
  },
});

function considered(view: Seen, fair: number, edgeBps: number, side: "buy" | "sell"): Proposal | undefined {
  const { quote, params, state, now, openOrders } = view;
  const { symbol } = quote;
  const last = state.lastAt[symbol];
  if (last !== undefined && now - last < params.pauseMs) return undefined;
  if (openOrders.some((order) => order.symbol === symbol)) return undefined;
  const held = holdings(view, fair);
  if (held === undefined) return undefined;
  const share = side === "buy" ? held.coinShare : 1 - held.coinShare;
  const wantedBps = params.edgeBps + params.feeBps + params.skewBps * share;
  if (edgeBps < wantedBps) return undefined;
  const size = Math.min(params.size, depth(view, side), side === "buy" ? held.fiat / quote.ask : held.coin);
  const instrument = view.instrumentOf(symbol);
  if (instrument === undefined || size < instrument.quantityMin.toNumber()) return undefined;
  state.lastAt[symbol] = now;
  const reason = reasonOf(side === "buy" ? quote.ask : quote.bid, edgeBps, wantedBps, fair, side);
  const ask = { limit: limitOf(view, fair, wantedBps, side), size, reason };
  return side === "buy" ? view.buy(symbol, ask) : view.sell(symbol, ask);
}

/** What may be spent of each side, and the coin's part of both together. */
function holdings(view: Seen, fair: number): { coin: number; fiat: number; coinShare: number } | undefined {
  const instrument = view.instrumentOf(view.quote.symbol);
  if (instrument === undefined) return undefined;
  const coin = view.balanceOf(instrument.base)?.spendable ?? 0;
  const fiat = view.balanceOf(instrument.quote)?.spendable ?? 0;
  const worth = coin * fair + fiat;
  return worth > 0 ? { coin, fiat, coinShare: (coin * fair) / worth } : undefined;
}

function depth({ quote, params }: Seen, side: "buy" | "sell"): number {
  const shown = side === "buy" ? quote.askSize : quote.bidSize;
  return shown === undefined ? Number.POSITIVE_INFINITY : shown * params.depthShare;
}

/** The worst price that still leaves what is wanted, but no further from the price on show than the slack. */
function limitOf({ quote, params }: Seen, fair: number, wantedBps: number, side: "buy" | "sell"): number {
  return side === "buy"
    ? Math.min(fair * (1 - wantedBps / BPS), quote.ask * (1 + params.slackBps / BPS))
    : Math.max(fair * (1 + wantedBps / BPS), quote.bid * (1 - params.slackBps / BPS));
}

function reasonOf(price: number, edgeBps: number, wantedBps: number, fair: number, side: "buy" | "sell"): string {
  const [name, where] = side === "buy" ? ["ask", "under"] : ["bid", "over"];
  return `${name} ${price.toFixed(5)} is ${edgeBps.toFixed(1)} bp ${where} fair ${fair.toFixed(5)}, wanted ${wantedBps.toFixed(1)}`;
}
