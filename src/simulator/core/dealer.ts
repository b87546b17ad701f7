// The dealer: exact prices and sizes on a pair's grid, made from the market's floats. Asks are rounded up and bids down,
// never in the caller's favour; what was taken from a size comes back when the market draws the next one.

import type { PairSymbol } from "../../domain/asset.ts";
import { limitAsFloat, limitFromSignal } from "../../domain/money/door.ts";
import { type Price, Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import type { Millis } from "../../domain/time.ts";
import { emptyTop, type Market } from "../market/market.ts";
import type { FloatQuote, Pair, VenueQuote } from "./record.ts";

export interface Dealer {
  /** What a buyer pays and a seller gets; undefined when there is no price. */
  price(pair: Pair, side: Side, at: Millis): Price | undefined;
  /** How much of it there still is; only after `price` of the same pair and time. */
  size(pair: Pair, side: Side, at: Millis): Quantity;
  take(pair: Pair, side: Side, quantity: Quantity, at: Millis): void;
  quote(pair: Pair, at: Millis): VenueQuote | undefined;
  /** The same in floats, as whoever reads the quote has it in the end. */
  floats(pair: Pair, at: Millis): FloatQuote | undefined;
  save(): DealerState;
}

/** What was taken from the current sizes. */
export type DealerState = readonly { symbol: PairSymbol; epoch: number; buy: string; sell: string }[];

type Taken = { epoch: number; buy: Quantity; sell: Quantity };

export function createDealer(market: Market, saved: DealerState = []): Dealer {
  const top = emptyTop();
  const offered = new SizeOnGrid();
  const wanted = new SizeOnGrid();
  const taken = new Map<PairSymbol, Taken>();
  for (const { symbol, epoch, buy, sell } of saved)
    taken.set(symbol, { epoch, buy: Quantity.of(buy), sell: Quantity.of(sell) });

  function price(pair: Pair, side: Side, at: Millis): Price | undefined {
    return market.read(pair.symbol, at, top) ? shown(pair, side) : undefined;
  }

  /** What was read last, on the grid. */
  function shown(pair: Pair, side: Side): Price | undefined {
    // The dealer is on the other side of the caller: his own sell limit is what a buyer pays.
    const own = limitFromSignal(side === "buy" ? top.ask : top.bid, side === "buy" ? "sell" : "buy", pair);
    return own.ok ? own.value : undefined;
  }

  function size(pair: Pair, side: Side, at: Millis): Quantity {
    const { quantityDecimals } = pair;
    const whole = side === "buy" ? offered.of(top.askSize, quantityDecimals) : wanted.of(top.bidSize, quantityDecimals);
    const used = taken.get(pair.symbol);
    if (used === undefined || used.epoch !== market.depthEpoch(at)) return whole;
    return whole.minus(used[side]) ?? Quantity.zero;
  }

  return {
    price,
    size,
    take(pair, side, quantity, at) {
      const epoch = market.depthEpoch(at);
      const used = taken.get(pair.symbol);
      if (used === undefined) {
        taken.set(pair.symbol, { epoch, buy: Quantity.zero, sell: Quantity.zero, [side]: quantity });
      } else if (used.epoch !== epoch) {
        used.epoch = epoch;
        used.buy = side === "buy" ? quantity : Quantity.zero;
        used.sell = side === "sell" ? quantity : Quantity.zero;
      } else {
        used[side] = used[side].plus(quantity);
      }
    },
    quote(pair, at) {
      if (!market.read(pair.symbol, at, top)) return undefined;
      const ask = shown(pair, "buy");
      const bid = shown(pair, "sell");
      if (ask === undefined || bid === undefined) return undefined;
      return { symbol: pair.symbol, bid, ask, bidSize: size(pair, "sell", at), askSize: size(pair, "buy", at) };
    },
    floats(pair, at) {
      if (!market.read(pair.symbol, at, top)) return undefined;
      const { ask: askSignal, bid: bidSignal } = top;
      const ask = limitAsFloat(askSignal, "sell", pair);
      const bid = limitAsFloat(bidSignal, "buy", pair);
      if (ask === undefined || bid === undefined) return undefined;
      const used = taken.get(pair.symbol);
      if (used !== undefined && used.epoch === market.depthEpoch(at)) {
        const [bidSize, askSize] = [size(pair, "sell", at).toNumber(), size(pair, "buy", at).toNumber()];
        return { symbol: pair.symbol, bid, ask, bidSize, askSize };
      }
      const { quantityDecimals } = pair;
      const bidSize = floatOnGrid(top.bidSize, quantityDecimals);
      return { symbol: pair.symbol, bid, ask, bidSize, askSize: floatOnGrid(top.askSize, quantityDecimals) };
    },
    save: () =>
      [...taken].map(([symbol, { epoch, buy, sell }]) => ({
        symbol,
        epoch,
        buy: buy.toString(),
        sell: sell.toString(),
      })),
  };
}

const TENS: readonly number[] = Array.from({ length: 19 }, (_, power) => Number(`1e${power}`));

/** A size stays for a while: the last one is kept. */
class SizeOnGrid {
  #size = 0;
  #decimals = 0;
  #onGrid = Quantity.zero;

  of(size: number, decimals: number): Quantity {
    if (size === this.#size && decimals === this.#decimals) return this.#onGrid;
    const steps = stepsOf(size, decimals);
    this.#size = size;
    this.#decimals = decimals;
    this.#onGrid = steps > 0 ? Quantity.ofSteps(steps, decimals) : Quantity.zero;
    return this.#onGrid;
  }
}

function floatOnGrid(size: number, decimals: number): number {
  return stepsOf(size, decimals) / (TENS[decimals] as number);
}

/** Whole steps, float noise dropped; a size that no amount can hold is as good as the largest that can be counted. */
function stepsOf(size: number, decimals: number): number {
  const steps = Math.floor(size * (TENS[decimals] as number) * (1 + 1e-12));
  return steps > 0 ? Math.min(steps, Number.MAX_SAFE_INTEGER) : 0;
}
