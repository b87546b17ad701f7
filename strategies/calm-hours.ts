// Buys under fair value and sells over it, but only while the market is calm: a narrow spread and a price that hardly moves.
// When it is not, what looks cheap may be on its way down. It shows two signals, both sides, and what was filled.
//
//     npx pegbot backtest --strategy strategies/calm-hours.ts --to 2026-01-01T06:00:00Z

import { change, defineStrategy, deviation, type ParamsOf, type Proposed, type View, z } from "pegbot/strategy";

const BPS = 1e4;

const params = z.object({
  symbols: z.array(z.string()).default(["VCHF/CHF", "VGBP/GBP"]),
  edgeBps: z.number().min(0).default(5),
  size: z.number().positive().default(1_000),
  /** Looks that both signals go back over; until there are so many, nothing is called calm. */
  looks: z.number().int().min(10).default(120),
  /** Calm is: a spread, a standard deviation and a drift over these looks of no more than so many basis points. */
  spreadBpsMax: z.number().positive().default(8),
  deviationBpsMax: z.number().positive().default(4),
  driftBpsMax: z.number().positive().default(6),
  /** After a fill of a pair, so long nothing. */
  restMs: z.number().min(0).default(20_000),
});

type Params = ParamsOf<typeof params>;
type Pair = {
  count: number;
  readonly deviation: ReturnType<typeof deviation>;
  readonly drift: ReturnType<typeof change>;
};
type State = { readonly pairs: Record<string, Pair> };
type Seen = View<Params, State, "quote">;

export default defineStrategy({
  name: "calm-hours",
  params,
  state: (): State => ({ pairs: {} }),
  decide(view: Seen): Proposed {
    const { quote, fair, params, fills, openOrders, now } = view;
    const { symbol } = quote;
    if (!params.symbols.includes(symbol)) return undefined;
    // Signals are fed at every look, whether there is something to do or not.
    const isCalm = observed(view);
    if (!isCalm || fair === undefined) return undefined;
    if (openOrders.some((order) => order.symbol === symbol)) return undefined;
    // The last 32 fills of all pairs, newest last.
    const last = fills.findLast((fill) => fill.symbol === symbol);
    if (last !== undefined && now - last.at < params.restMs) return undefined;
    const buyBps = (1 - quote.ask / fair) * BPS;
    const sellBps = (quote.bid / fair - 1) * BPS;
    // Limits are the worst prices that still leave the edge: the price on show may be gone when the order arrives.
    const [most, least] = [fair * (1 - params.edgeBps / BPS), fair * (1 + params.edgeBps / BPS)];
    if (buyBps >= params.edgeBps)
      return view.buy(symbol, { limit: most, size: params.size, reason: `calm, ${buyBps.toFixed(1)} bp cheap` });
    if (sellBps >= params.edgeBps)
      return view.sell(symbol, { limit: least, size: params.size, reason: `calm, ${sellBps.toFixed(1)} bp dear` });
    return undefined;
  },
});

function observed({ quote, state, params }: Seen): boolean {
  const { symbol, bid, ask, mid } = quote;
  state.pairs[symbol] ??= { count: 0, deviation: deviation(params.looks), drift: change(params.looks) };
  const pair = state.pairs[symbol] as Pair;
  pair.count = Math.min(pair.count + 1, params.looks);
  const deviationBps = (pair.deviation.next(mid) / mid) * BPS;
  const driftBps = (Math.abs(pair.drift.next(mid)) / mid) * BPS;
  const spreadBps = ((ask - bid) / mid) * BPS;
  const isKnown = pair.count === params.looks;
  return (
    isKnown &&
    spreadBps <= params.spreadBpsMax &&
    deviationBps <= params.deviationBpsMax &&
    driftBps <= params.driftBpsMax
  );
}
