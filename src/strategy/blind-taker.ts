// Trades where the venue shows no quotes, by what order outcomes teach about its prices: the order with the largest
// expected gain of all pairs and sides goes next. Where quotes are shown, it takes those that beat fair value.

import type { Side } from "../domain/order.ts";
import { defineStrategy, type ParamsOf, type Proposal, type View, z } from "./strategy.ts";
import {
  affordable,
  fairOf,
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
/**
 * The price of an order doubles this often by a day's orders, and halves as often in a day without one: it settles where
 * the orders of a day are as many as there may be.
 */
const DOUBLINGS = 12;
/** Drawn limits are this much better for us than the one that just leaves the edge, in basis points. */
const DRAWN_BPS = [0, 3, 6, 9];

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

function premiumOf(view: { readonly params: Params }): Premium {
  return (side, held) => skewOf(view, side, held);
}

// The choice, shared by the strategies that can do without quotes. Each order has the limit that just keeps the required
// edge, so that a fill is welcome at whatever better price the venue has. What was not asked for becomes uncertain with
// time, until asking is worth an order again; where nothing is expected, it waits.

type Asker = View<TakingParams, Taking>;
type Offer = Readonly<Record<"limit" | "size" | "gain" | "edgeBps", number>>;
type Question = {
  readonly symbol: string;
  readonly side: Side;
  readonly gain: number;
  /** With a limit that is this much better for us. */
  readonly at: (betterBps: number) => Offer;
  readonly chanceOf: (offer: Offer) => number;
  readonly reasonOf: (offer: Offer) => string;
};

export function askBest(
  view: Asker,
  symbols: readonly string[],
  premiumOf: (symbol: string) => Premium | undefined,
): Proposal | undefined {
  const { params, state, now, wake } = view;
  // At most one order fits into a second, and a timer comes once in each.
  if (wake !== "timer") return undefined;
  const day = Math.floor(now / DAY_MS);
  const { worth: known = params.profitMin, at = now } = state.asked ?? {};
  const { orders, lost = 0 } = state.asked?.day === day ? state.asked : { orders: 0 };
  if (orders >= params.ordersPerDay) {
    // Time without a choice does not make orders cheaper.
    state.asked = { ...state.asked, day, orders, at: now };
    return view.note(`the day's ${orders} orders (ordersPerDay) are used up: waits`);
  }
  const doublings = Math.min(DOUBLINGS, params.ordersPerDay);
  const worth = Math.max(params.profitMin, known * 2 ** ((-doublings * (now - at)) / DAY_MS));
  const questions = symbols
    .flatMap((symbol) => questionsOf(view, symbol, premiumOf(symbol), worth))
    .sort((one, other) => other.gain - one.gain);
  for (const question of questions) {
    const { order, missed } = drawn(view, question, worth, params.exploreLossMax - lost);
    if (view.refusalOf(order) !== undefined) continue;
    const dearer = worth * 2 ** (doublings / params.ordersPerDay);
    state.asked = { day, orders: orders + 1, worth: dearer, at: now, lost: lost + missed };
    state.lastAt[order.symbol] = now;
    view.note("the venue shows no quotes: orders ask where most is expected of them");
    return order;
  }
  return view.note(`the venue shows no quotes, and no order is expected to gain ${worth.toPrecision(1)}: waits`);
}

/** The order that is expected to gain most, or one at a drawn limit; `missed`: what that costs. */
function drawn(
  view: Asker,
  question: Question,
  worth: number,
  lossMax: number,
): { readonly order: Proposal; readonly missed: number } {
  const { exploreShare } = view.params;
  const best = question.at(0);
  const order = (offer: Offer, odds?: number): Proposal => {
    const { limit, size, gain } = offer;
    const sizeMin = size * Math.min(1, worth / gain);
    return view[question.side](question.symbol, { limit, size, sizeMin, reason: question.reasonOf(offer), odds });
  };
  if (exploreShare === 0) return { order: order(best), missed: 0 };
  const isDrawn = uniform(view.now) < exploreShare;
  const betterBps = DRAWN_BPS[Math.floor(uniform(view.now + 0.5 * 2 ** 32) * DRAWN_BPS.length)] as number;
  const one = question.at(isDrawn ? betterBps : 0);
  // At most: what the better limit misses is the worst of what the other would have filled.
  const missed = best.gain * (1 - question.chanceOf(one) / question.chanceOf(best));
  if (missed > lossMax || one.gain <= 0) return { order: order(best), missed: 0 };
  const each = exploreShare / DRAWN_BPS.length;
  return { order: order(one, isDrawn && betterBps > 0 ? each : 1 - exploreShare + each), missed };
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
    const price = side === "buy" ? hidden.ask : hidden.bid;
    const at = (betterBps: number): Offer => {
      const edgeBps = wantedBps + betterBps;
      const limit = value * (1 + ((side === "buy" ? -1 : 1) * edgeBps) / BPS);
      const size = Math.min(params.size, price.sizeMax ?? params.size, affordable(view, symbol, side, limit));
      const fee = params.feeBps === 0 ? 0 : (price.chance(limit, size) * value * params.feeBps) / BPS;
      const gain = size * (price.gain(limit, size) - fee);
      return { limit, size, gain, edgeBps };
    };
    const chanceOf = ({ limit, size }: Offer): number => price.chance(limit, size);
    const reasonOf = (offer: Offer): string => {
      const { edgeBps, gain } = offer;
      const where = `${edgeBps.toFixed(1)} bp ${side === "buy" ? "under" : "over"} fair ${value.toFixed(5)}`;
      return `no quote: ${where} fills with ${(100 * chanceOf(offer)).toFixed(0)} %, expected gain ${gain.toFixed(2)}`;
    };
    const { gain, size } = at(0);
    return size < instrument.quantityMin.toNumber() || gain < worth
      ? []
      : [{ symbol, side, gain, at, chanceOf, reasonOf }];
  });
}

/** In [0, 1), by the time alone: a replay draws the same. */
function uniform(at: number): number {
  let bits = Math.imul((at ^ (at >>> 16)) + 0x9e3779b9, 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32;
}
