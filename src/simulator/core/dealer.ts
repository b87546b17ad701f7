// The dealer: exact prices and sizes on a pair's grid, derived from the market's floats. Asks are rounded up and bids
// down, never in the caller's favour. Traded size is restored when the market draws the next sizes.

import type { PairSymbol } from "../../domain/asset.ts";
import { limitAsFloat, limitFromSignal } from "../../domain/money/door.ts";
import { type Price, Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import type { Millis } from "../../domain/time.ts";
import { emptyTop, type Market } from "../market/market.ts";
import type { FloatQuote, Pair, VenueQuote } from "./record.ts";

/** The amounts traded from the current sizes. */
export type DealerState = readonly { symbol: PairSymbol; epoch: number; buy: string; sell: string }[];

type Taken = { readonly epoch: number; readonly buy: Quantity; readonly sell: Quantity };

export class Dealer {
  private readonly market: Market;
  private readonly taken = new Map<PairSymbol, Taken>();
  /** The prices and sizes of the last read. */
  private readonly top = emptyTop();

  constructor(market: Market, saved: DealerState = []) {
    this.market = market;
    for (const { symbol, epoch, buy, sell } of saved)
      this.taken.set(symbol, { epoch, buy: Quantity.of(buy), sell: Quantity.of(sell) });
  }

  /** The price that a buyer pays or a seller gets; undefined when there is no price. */
  price(pair: Pair, side: Side, at: Millis): Price | undefined {
    return this.market.read(pair.symbol, at, this.top) ? this.shown(pair, side) : undefined;
  }

  /** The size that is left; call only after `price` for the same pair and time. */
  size(pair: Pair, side: Side, at: Millis): Quantity {
    const whole = sizeOnGrid(side === "buy" ? this.top.askSize : this.top.bidSize, pair.quantityDecimals);
    return whole.minus(this.takenAt(pair, at)[side]) ?? Quantity.zero;
  }

  take(pair: Pair, side: Side, quantity: Quantity, at: Millis): void {
    const used = this.takenAt(pair, at);
    this.taken.set(pair.symbol, { ...used, [side]: used[side].plus(quantity) });
  }

  quote(pair: Pair, at: Millis): VenueQuote | undefined {
    if (!this.market.read(pair.symbol, at, this.top)) return undefined;
    const ask = this.shown(pair, "buy");
    const bid = this.shown(pair, "sell");
    if (ask === undefined || bid === undefined) return undefined;
    return { symbol: pair.symbol, bid, ask, bidSize: this.size(pair, "sell", at), askSize: this.size(pair, "buy", at) };
  }

  /** The same quote in floats, without exact amounts in between: a backtest reads it every second. */
  floats(pair: Pair, at: Millis): FloatQuote | undefined {
    const { market, top } = this;
    if (!market.read(pair.symbol, at, top)) return undefined;
    const ask = limitAsFloat(top.ask, "sell", pair);
    const bid = limitAsFloat(top.bid, "buy", pair);
    if (ask === undefined || bid === undefined) return undefined;
    const isTaken = this.taken.get(pair.symbol)?.epoch === market.depthEpoch(at);
    const sizeOf = (side: Side, size: number): number =>
      isTaken
        ? this.size(pair, side, at).toNumber()
        : stepsIn(size, pair.quantityDecimals) / 10 ** pair.quantityDecimals;
    return { symbol: pair.symbol, bid, ask, bidSize: sizeOf("sell", top.bidSize), askSize: sizeOf("buy", top.askSize) };
  }

  save(): DealerState {
    return [...this.taken].map(([symbol, { epoch, buy, sell }]) => ({
      symbol,
      epoch,
      buy: buy.toString(),
      sell: sell.toString(),
    }));
  }

  /** The amounts traded in the depth epoch of `at`. */
  private takenAt(pair: Pair, at: Millis): Taken {
    const epoch = this.market.depthEpoch(at);
    const used = this.taken.get(pair.symbol);
    return used?.epoch === epoch ? used : { epoch, buy: Quantity.zero, sell: Quantity.zero };
  }

  /** The last price read, on the grid. */
  private shown(pair: Pair, side: Side): Price | undefined {
    // The dealer takes the other side of the caller: a buyer pays the dealer's sell limit.
    const own = limitFromSignal(side === "buy" ? this.top.ask : this.top.bid, side === "buy" ? "sell" : "buy", pair);
    return own.ok ? own.value : undefined;
  }
}

/** Float noise is dropped; a size beyond the range of exact amounts is capped at the largest safe integer. */
function stepsIn(size: number, decimals: number): number {
  return Math.max(0, Math.min(Math.floor(size * 10 ** decimals * (1 + 1e-12)), Number.MAX_SAFE_INTEGER));
}

function sizeOnGrid(size: number, decimals: number): Quantity {
  const steps = stepsIn(size, decimals);
  return steps > 0 ? Quantity.ofSteps(steps, decimals) : Quantity.zero;
}
