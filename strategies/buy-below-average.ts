// Buys a little of a coin when it costs less than fair value and less than its own average, and never sells. The smallest
// strategy with everything in it: parameters, state that survives a restart, a signal and a reason.
//
//     npx pegbot backtest --strategy strategies/buy-below-average.ts --to 2026-01-01T06:00:00Z

import { defineStrategy, ema, type ParamsOf, type View, z } from "pegbot/strategy";

const BPS = 1e4;

const params = z.object({
  /** How far below fair value, in basis points. */
  edgeBps: z.number().min(0).default(6),
  /** Base units of one order. A number is rounded down to the venue's grid; so is a decimal text, which stays exact. */
  size: z.number().positive().default(500),
  /** Quotes that the average goes back over. */
  length: z.number().int().min(2).default(300),
  /** Between two orders of a pair. Without a pause every quote that is cheap enough would be an order. */
  pauseMs: z.number().min(0).default(30_000),
});

type Params = ParamsOf<typeof params>;
// A strategy trades several pairs, so it keeps what it knows by pair. Signals are made when a pair is first seen: plain
// objects and signals may be in a state, a Map or a class may not.
type State = { readonly average: Record<string, ReturnType<typeof ema>>; readonly lastAt: Record<string, number> };

export default defineStrategy({
  name: "buy-below-average",
  params,
  state: (): State => ({ average: {}, lastAt: {} }),
  // What is kept over a restart means the same under another edge or size, but not where the average goes back over more quotes.
  stateParams: ["length"],

  // Called at every good quote of the venue. What comes back is a proposal, a list of them, or nothing.
  decide({ quote, fair, state, params, now, buy }: View<Params, State, "quote">) {
    state.average[quote.symbol] ??= ema(params.length);
    const average = state.average[quote.symbol]?.next(quote.mid);
    // Undefined means that nobody can say: there is no default for a price.
    if (fair === undefined || average === undefined) return undefined;
    const limit = fair * (1 - params.edgeBps / BPS);
    if (quote.ask > limit || quote.ask >= average) return undefined;
    if (now - (state.lastAt[quote.symbol] ?? 0) < params.pauseMs) return undefined;
    // From here on it is a proposal: the gate may make it smaller or refuse it, and says so by a rule.
    state.lastAt[quote.symbol] = now;
    const cheapBps = ((1 - quote.ask / fair) * BPS).toFixed(1);
    // The limit is the worst price that still leaves the edge, not the price on show: that one may be gone on arrival, and the
    // venue fills at its own price when that is better.
    return buy(quote.symbol, { limit, size: params.size, reason: `${cheapBps} bp under fair value` });
  },
});
