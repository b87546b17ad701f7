// Keeps so much of a coin and sells what comes on top: not below par at first, and the longer it waits the less it asks.
// For somebody who is paid in the coin and needs the fiat by and by. It shows balances, open orders and the timer.
//
//     npx pegbot backtest --strategy strategies/sell-the-surplus.ts --param keep=60000 --to 2026-01-01T06:00:00Z

import { defineStrategy, type ParamsOf, type Proposed, type View, z } from "pegbot/strategy";

const BPS = 1e4;
const HOUR_MS = 3_600_000;

const params = z.object({
  symbol: z.string().default("VCHF/CHF"),
  /** What stays. */
  keep: z.number().min(0).default(50_000),
  /** Base units of one order at most. */
  size: z.number().positive().default(2_000),
  /** What is asked over fair value at first, and what is given up of it in an hour without a sale. */
  premiumBps: z.number().default(3),
  givesUpBpsPerHour: z.number().min(0).default(6),
  /** Never below fair value by more than this. */
  discountBpsMax: z.number().min(0).default(8),
});

type Params = ParamsOf<typeof params>;
type State = { waitingSince: number; isSurplus: boolean };

export default defineStrategy({
  name: "sell-the-surplus",
  params,
  state: (): State => ({ waitingSince: 0, isSurplus: false }),
  // Once a second the timer comes, whether there are prices or not; a quote comes when a slot was spent on it.
  wakes: ["quote", "timer"],

  decide(view: View<Params, State, "quote" | "timer">): Proposed {
    const surplus = surplusOf(view);
    if (surplus === undefined) return undefined;
    remember(view, surplus > 0);
    // With more than one kind of wake the quote may be missing: look before using it.
    const { quote, fair, params, openOrders } = view;
    if (view.wake !== "quote" || quote?.symbol !== params.symbol || fair === undefined) return undefined;
    // One order at a time: what it sells is still in the balance until it is known what became of it.
    if (surplus <= 0 || openOrders.some(({ symbol }) => symbol === params.symbol)) return undefined;
    const askedBps = askedOf(view);
    const limit = fair * (1 + askedBps / BPS);
    if (quote.bid < limit) return undefined;
    // Fill-or-Kill: half of what is shown has a good chance to be there still. Where the venue does not say, ours is as good a guess.
    const shown = quote.bidSize === undefined ? params.size : quote.bidSize / 2;
    const size = Math.min(surplus, params.size, shown);
    const minimum = view.instrumentOf(quote.symbol)?.quantityMin.toNumber() ?? 0;
    if (size < minimum) return undefined;
    return view.sell(quote.symbol, {
      limit,
      size,
      reason: `surplus ${surplus.toFixed(0)}, asks ${askedBps.toFixed(1)} bp`,
    });
  },
});

/** Undefined before the venue told a balance: unknown is not zero. */
function surplusOf({ params, instrumentOf, balanceOf }: View<Params, State, "quote" | "timer">): number | undefined {
  const instrument = instrumentOf(params.symbol);
  const free = instrument && balanceOf(instrument.base)?.spendable;
  return free === undefined ? undefined : free - params.keep;
}

/** Patience begins with a surplus, and anew with every sale. */
function remember({ state, now, fills }: View<Params, State, "quote" | "timer">, isSurplus: boolean): void {
  if (isSurplus && !state.isSurplus) state.waitingSince = now;
  const soldAt = fills.at(-1)?.at ?? 0;
  if (soldAt > state.waitingSince) state.waitingSince = soldAt;
  state.isSurplus = isSurplus;
}

function askedOf({ params, state, now }: View<Params, State, "quote" | "timer">): number {
  const hours = Math.max(0, now - state.waitingSince) / HOUR_MS;
  return Math.max(-params.discountBpsMax, params.premiumBps - params.givesUpBpsPerHour * hours);
}
