// Trades where the venue shows no quotes, by what order outcomes teach about its prices: the order with the largest
// expected gain of all pairs and sides goes next. Where quotes are shown, it takes those that beat fair value.

import { defineStrategy, type ParamsOf, type Proposal, type View, z } from "./strategy.ts";
import {
  affordable,
  holdingsOf,
  type Premium,
  SIDES,
  skewOf,
  type Taking,
  type TakingParams,
  takeIfWorth,
  takingParams,
} from "./taking.ts";

const BPS = 1e4;
const DAY_MS = 86_400_000;
/** What an order must gain doubles with each such part of the day's orders that is sent ahead of an even pace. */
const DEARER = 40;

const params = z.object({
  /** Pairs with a fair value. */
  symbols: z.array(z.string()).default(["VCHF/CHF", "VGBP/GBP"]),
  ...takingParams,
});

type Params = ParamsOf<typeof params>;

export const blindTaker = defineStrategy({
  name: "blind-taker",
  params,
  stateParams: [],
  state: (): Taking => ({ lastAt: {} }),
  decide(view): Proposal | undefined {
    const fair = fairOf(view);
    return fair === undefined ? undefined : takeIfWorth(view, fair, premiumOf(view));
  },
  blind: (view) => askBest(view, view.params.symbols, () => premiumOf(view)),
});

/** Computed only for traded pairs. */
function fairOf({ params, quote, fair }: Pick<View<Params, unknown, "quote">, "params" | "quote" | "fair">) {
  return params.symbols.includes(quote.symbol) ? fair : undefined;
}

function premiumOf(view: { readonly params: Params }): Premium {
  return (side, held) => skewOf(view, side, held);
}

// The choice, shared by the strategies that can do without quotes. Each order has the limit that just keeps the required
// edge, so that a fill is welcome at whatever better price the venue has. What was not asked for becomes uncertain with
// time, until asking is worth an order again; where nothing is expected, it waits.

type Asker = View<TakingParams, Taking>;
type Question = { readonly order: Proposal; readonly gain: number };

export function askBest(
  view: Asker,
  symbols: readonly string[],
  premiumOf: (symbol: string) => Premium | undefined,
): Proposal | undefined {
  const { params, state, now, wake } = view;
  // At most one order fits into a second, and a timer comes once in each.
  if (wake !== "timer") return undefined;
  const day = Math.floor(now / DAY_MS);
  const orders = state.asked?.day === day ? state.asked.orders : 0;
  if (orders >= params.ordersPerDay) return view.note(`the day's ${orders} orders (ordersPerDay) are used up: waits`);
  const ahead = orders / params.ordersPerDay - (now / DAY_MS - day);
  const worth = params.profitMin * Math.max(1, 2 ** (DEARER * ahead));
  const questions = symbols
    .flatMap((symbol) => questionsOf(view, symbol, premiumOf(symbol), worth))
    .sort((one, other) => other.gain - one.gain);
  const best = questions.find(({ order }) => view.refusalOf(order) === undefined);
  if (best === undefined)
    return view.note(`the venue shows no quotes, and no order is expected to gain ${worth.toPrecision(1)}: waits`);
  const { symbol } = best.order;
  state.asked = { day, orders: orders + 1 };
  state.lastAt[symbol] = now;
  view.note("the venue shows no quotes: orders ask where most is expected of them");
  return best.order;
}

/** Those whose expected gain is at least this much, in the quote asset. */
function questionsOf(view: Asker, symbol: string, premium: Premium | undefined, worth: number): readonly Question[] {
  const { params, state, now, openOrders } = view;
  const last = state.lastAt[symbol];
  if (last !== undefined && now - last < params.pauseMs) return [];
  const [value, instrument] = [view.fairOf(symbol), view.instrumentOf(symbol)];
  if (value === undefined || premium === undefined || instrument?.status !== "online") return [];
  const [held, hidden] = [holdingsOf(view, symbol, value), view.hidden(symbol)];
  if (held === undefined || hidden === undefined || openOrders.some((order) => order.symbol === symbol)) return [];
  return SIDES.flatMap((side) => {
    const wantedBps = params.edgeBps + params.feeBps + premium(side, held);
    const limit = value * (1 + ((side === "buy" ? -1 : 1) * wantedBps) / BPS);
    const price = side === "buy" ? hidden.ask : hidden.bid;
    const size = Math.min(params.size, price.sizeMax ?? params.size, affordable(view, symbol, side, limit));
    if (size < instrument.quantityMin.toNumber()) return [];
    const fee = params.feeBps === 0 ? 0 : (price.chance(limit, size) * value * params.feeBps) / BPS;
    const gain = size * (price.gain(limit, size) - fee);
    if (gain < worth) return [];
    const chance = `${(100 * price.chance(limit, size)).toFixed(0)} %`;
    const where = `${wantedBps.toFixed(1)} bp ${side === "buy" ? "under" : "over"} fair ${value.toFixed(5)}`;
    const reason = `no quote: ${where} fills with ${chance}, expected gain ${gain.toFixed(2)}`;
    return [{ gain, order: view[side](symbol, { limit, size, sizeMin: (size * worth) / gain, reason }) }];
  });
}
