// The dealer: exact prices and sizes on a pair's grid, made from the market's floats. Asks are rounded up and bids down,
// never in the caller's favour; what was taken from a size comes back when the market draws the next one.

import type { PairSymbol } from "../../domain/asset.ts";
import { limitAsFloat, limitFromSignal } from "../../domain/money/door.ts";
import { type Price, Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import type { Millis } from "../../domain/time.ts";
import { emptyTop, type Market } from "../market/market.ts";
import type { FloatQuote, Pair, VenueQuote } from "./record.ts";

/** What was taken from the current sizes. */
export type DealerState = readonly { symbol: PairSymbol; epoch: number; buy: string; sell: string }[];

type Taken = { epoch: number; buy: Quantity; sell: Quantity };

export class Dealer {
  private readonly market: Market;
  private readonly taken = new Map<PairSymbol, Taken>();
  /** The latest epoch in which something was taken. */
  private lastTaken = Number.NEGATIVE_INFINITY;
  /** As it was read last. */
  private readonly top = emptyTop();
  /** When sizes were asked for last, and of which epoch they were. */
  private lastAt = Number.NaN;
  private lastEpoch = Number.NaN;
  private readonly offered = new SizeOnGrid();
  private readonly wanted = new SizeOnGrid();

  constructor(market: Market, saved: DealerState = []) {
    this.market = market;
    for (const { symbol, epoch, buy, sell } of saved) {
      this.taken.set(symbol, { epoch, buy: Quantity.of(buy), sell: Quantity.of(sell) });
      this.lastTaken = Math.max(this.lastTaken, epoch);
    }
  }

  /** What a buyer pays and a seller gets; undefined when there is no price. */
  price(pair: Pair, side: Side, at: Millis): Price | undefined {
    return this.market.read(pair.symbol, at, this.top) ? this.shown(pair, side) : undefined;
  }

  /** How much of it there still is; only after `price` of the same pair and time. */
  size(pair: Pair, side: Side, at: Millis): Quantity {
    const { top } = this;
    const { quantityDecimals } = pair;
    const whole =
      side === "buy" ? this.offered.of(top.askSize, quantityDecimals) : this.wanted.of(top.bidSize, quantityDecimals);
    const used = this.takenAt(pair, at);
    return used === undefined ? whole : (whole.minus(side === "buy" ? used.buy : used.sell) ?? Quantity.zero);
  }

  take(pair: Pair, side: Side, quantity: Quantity, at: Millis): void {
    const epoch = this.epochAt(at);
    this.lastTaken = Math.max(this.lastTaken, epoch);
    const used = this.taken.get(pair.symbol);
    const isBuy = side === "buy";
    if (used === undefined) {
      const [buy, sell] = isBuy ? [quantity, Quantity.zero] : [Quantity.zero, quantity];
      this.taken.set(pair.symbol, { epoch, buy, sell });
    } else if (used.epoch !== epoch) {
      used.epoch = epoch;
      used.buy = isBuy ? quantity : Quantity.zero;
      used.sell = isBuy ? Quantity.zero : quantity;
    } else if (isBuy) {
      used.buy = used.buy.plus(quantity);
    } else {
      used.sell = used.sell.plus(quantity);
    }
  }

  quote(pair: Pair, at: Millis): VenueQuote | undefined {
    if (!this.market.read(pair.symbol, at, this.top)) return undefined;
    const ask = this.shown(pair, "buy");
    const bid = this.shown(pair, "sell");
    if (ask === undefined || bid === undefined) return undefined;
    return { symbol: pair.symbol, bid, ask, bidSize: this.size(pair, "sell", at), askSize: this.size(pair, "buy", at) };
  }

  /** The same in floats, as whoever reads the quote has it in the end. */
  floats(pair: Pair, at: Millis): FloatQuote | undefined {
    const { top } = this;
    const { symbol, quantityDecimals } = pair;
    if (!this.market.read(symbol, at, top)) return undefined;
    const ask = limitAsFloat(top.ask, "sell", pair);
    const bid = limitAsFloat(top.bid, "buy", pair);
    if (ask === undefined || bid === undefined) return undefined;
    const isWhole = this.takenAt(pair, at) === undefined;
    const bidSize = isWhole ? floatOnGrid(top.bidSize, quantityDecimals) : this.size(pair, "sell", at).toNumber();
    const askSize = isWhole ? floatOnGrid(top.askSize, quantityDecimals) : this.size(pair, "buy", at).toNumber();
    return { symbol, bid, ask, bidSize, askSize };
  }

  save(): DealerState {
    return [...this.taken].map(([symbol, { epoch, buy, sell }]) => ({
      symbol,
      epoch,
      buy: buy.toString(),
      sell: sell.toString(),
    }));
  }

  /** Of the sizes of this time; mostly nothing was taken of any pair, which is known without a search. */
  private takenAt(pair: Pair, at: Millis): Taken | undefined {
    const epoch = this.epochAt(at);
    if (epoch > this.lastTaken) return undefined;
    const used = this.taken.get(pair.symbol);
    return used?.epoch === epoch ? used : undefined;
  }

  private epochAt(at: Millis): number {
    if (at !== this.lastAt) {
      this.lastEpoch = this.market.depthEpoch(at);
      this.lastAt = at;
    }
    return this.lastEpoch;
  }

  /** What was read last, on the grid. */
  private shown(pair: Pair, side: Side): Price | undefined {
    // The dealer is on the other side of the caller: his own sell limit is what a buyer pays.
    const own = limitFromSignal(side === "buy" ? this.top.ask : this.top.bid, side === "buy" ? "sell" : "buy", pair);
    return own.ok ? own.value : undefined;
  }
}

const TENS: readonly number[] = Array.from({ length: 19 }, (_, power) => Number(`1e${power}`));

/** A size stays for a while: the last one is kept. */
class SizeOnGrid {
  private size = 0;
  private decimals = 0;
  private onGrid = Quantity.zero;

  of(size: number, decimals: number): Quantity {
    if (size === this.size && decimals === this.decimals) return this.onGrid;
    const steps = stepsOf(size, decimals);
    this.size = size;
    this.decimals = decimals;
    this.onGrid = steps > 0 ? Quantity.ofSteps(steps, decimals) : Quantity.zero;
    return this.onGrid;
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
