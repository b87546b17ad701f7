// The dealer: exact prices and sizes on a pair's grid, derived from the market's floats. Asks are rounded up and bids
// down, never in the caller's favour. Traded size is restored when the market draws the next sizes. The dealer reacts:
// trades move its prices and fill its inventory, shown prices are only indicative, and it has a last look at an order.

import type { Asset, PairSymbol } from "../../domain/asset.ts";
import { limitAsFloat, limitFromSignal } from "../../domain/money/door.ts";
import { type Price, Quantity } from "../../domain/money/money.ts";
import type { Side } from "../../domain/order.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { emptyTop, type Market } from "../market/market.ts";
import { normal, type Stream, streamOf } from "../market/noise.ts";
import type { DealerParameters } from "../market/parameters.ts";
import type { FloatQuote, Pair } from "./record.ts";

/** The amounts traded from the current sizes. */
export type DealerState = readonly { symbol: PairSymbol; epoch: number; buy: string; sell: string }[];

/** The dealer's reaction to the trades in a coin: what decays (as of `at`), what stays, and the day's inventory. */
export type CoinState = {
  asset: Asset;
  at: Millis;
  fading: number;
  kept: number;
  day: number;
  inventory: number;
  /** What was gained on the dealer in the coin, in bp of 10,000, as of `waryAt`; absent until something was. */
  wary?: number;
  waryAt?: Millis;
  /** The fill that it watches now: the price without the dealer's own shift. */
  hit?: { symbol: PairSymbol; at: Millis; sign: number; price: number; size: number };
};

type DealerParts = {
  readonly market: Market;
  readonly dealing: DealerParameters;
  readonly seed: number;
  readonly isCoin: (asset: Asset) => boolean;
};

type Taken = { readonly epoch: number; readonly buy: Quantity; readonly sell: Quantity };

export class Dealer {
  private readonly parts: DealerParts;
  private readonly market: Market;
  private readonly taken = new Map<PairSymbol, Taken>();
  private readonly coins = new Map<Asset, CoinState>();
  private readonly noises = new Map<PairSymbol, Stream>();
  /** The prices and sizes of the last read. */
  private readonly top = emptyTop();

  constructor(parts: DealerParts, saved: DealerState = [], coins: readonly CoinState[] = []) {
    this.parts = parts;
    this.market = parts.market;
    for (const { symbol, epoch, buy, sell } of saved)
      this.taken.set(symbol, { epoch, buy: Quantity.of(buy), sell: Quantity.of(sell) });
    for (const coin of coins) this.coins.set(coin.asset, { ...coin });
  }

  /** The price that a buyer pays or a seller gets, with half of what the size moves; undefined when there is none. */
  price(pair: Pair, side: Side, at: Millis, quantity = Quantity.zero): Price | undefined {
    if (!this.read(pair, at)) return undefined;
    const own = Math.max(0, this.parts.dealing.impactBps / 2e4) * (quantity.toNumber() / IMPACT_UNIT);
    this.top.ask *= 1 + own;
    this.top.bid *= 1 - own;
    return this.onGrid(pair, side);
  }

  /** Whether the world's price after the hold is worse for the dealer than its own now, by more than it tolerates. */
  refuses(pair: Pair, side: Side, at: Millis): boolean {
    const { holdMs, toleranceBps } = this.parts.dealing;
    if (holdMs === 0 || !this.read(pair, at)) return false;
    const { bid, ask } = this.top;
    const after = millis(at + holdMs);
    if (!this.read(pair, after)) return true;
    const world = Math.exp(this.market.stale(pair.symbol, after));
    const against = side === "buy" ? (this.top.ask * world) / ask - 1 : 1 - (this.top.bid * world) / bid;
    return against * 1e4 > toleranceBps;
  }

  /** From 1: the factor of spreads and refusals, by which sizes shrink. */
  wariness({ base, quote }: Pair, at: Millis): number {
    const { waryBps } = this.parts.dealing;
    return waryBps === 0 ? 1 : 1 + Math.max(this.waryOf(base, at), this.waryOf(quote, at)) / waryBps;
  }

  /** The size that is left; call only after `price` for the same pair and time. */
  size(pair: Pair, side: Side, at: Millis): Quantity {
    const whole = sizeOnGrid(side === "buy" ? this.top.askSize : this.top.bidSize, pair.quantityDecimals);
    return whole.minus(this.takenAt(pair, at)[side]) ?? Quantity.zero;
  }

  take(pair: Pair, side: Side, quantity: Quantity, at: Millis): void {
    const used = this.takenAt(pair, at);
    this.taken.set(pair.symbol, { ...used, [side]: used[side].plus(quantity) });
    const { impactBps, inventoryMax } = this.parts.dealing;
    if (impactBps === 0 && inventoryMax === 0) return;
    const sign = side === "buy" ? 1 : -1;
    const bought = quantity.toNumber() * sign;
    const shift = this.shiftOf(pair.base, at) - this.shiftOf(pair.quote, at);
    this.react(pair.base, bought, at);
    const coin = this.coins.get(pair.base);
    if (this.parts.dealing.waryBps > 0 && coin !== undefined && coin.hit === undefined) {
      const price = (sign > 0 ? this.top.ask : this.top.bid) * Math.exp(-shift);
      coin.hit = { symbol: pair.symbol, at, sign, price, size: Math.abs(bought) / IMPACT_UNIT };
    }
    this.react(pair.quote, -bought * (side === "buy" ? this.top.ask : this.top.bid), at);
  }

  /** The shown quote in floats, without exact amounts in between: a backtest reads it every second. */
  quote(pair: Pair, at: Millis): FloatQuote | undefined {
    const { market, top } = this;
    if (!this.read(pair, at)) return undefined;
    this.indicate(pair, at);
    const ask = limitAsFloat(top.ask, "sell", pair);
    const bid = limitAsFloat(top.bid, "buy", pair);
    if (ask === undefined || bid === undefined) return undefined;
    const isTaken = this.taken.get(pair.symbol)?.epoch === market.depthEpoch(at);
    const sizeOf = (side: Side, size: number): number =>
      isTaken
        ? this.size(pair, side, at).toNumber()
        : stepsIn(size, pair.quantityDecimals) / (POWER[pair.quantityDecimals] as number);
    return { symbol: pair.symbol, bid, ask, bidSize: sizeOf("sell", top.bidSize), askSize: sizeOf("buy", top.askSize) };
  }

  saveCoins(): readonly CoinState[] {
    return [...this.coins.values()].map((coin) => ({ ...coin }));
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

  /** Reads the executable prices and the sizes, with the dealer's reaction. */
  private read(pair: Pair, at: Millis): boolean {
    const { market, top, coins } = this;
    const { base, quote, symbol } = pair;
    const shift = coins.size === 0 ? 0 : this.shiftOf(base, at) - this.shiftOf(quote, at);
    if (!market.read(symbol, at, top, shift)) return false;
    this.judge(base, symbol, at, shift);
    const wary = this.wariness(pair, at);
    if (wary > 1) {
      const [middle, half] = [(top.bid + top.ask) / 2, ((top.ask - top.bid) / 2) * wary];
      Object.assign(top, { bid: middle - half, ask: middle + half });
      top.bidSize /= wary;
      top.askSize /= wary;
    }
    const { inventoryMax } = this.parts.dealing;
    if (inventoryMax === 0) return true;
    const [held, paid] = [this.inventoryOf(base, at), this.inventoryOf(quote, at)];
    // What was taken from the size on show is in the inventory too, and counts once.
    const taken = this.takenAt(pair, at);
    const [buy, sell] = [taken.buy.toNumber(), taken.sell.toNumber()];
    top.bidSize = Math.max(
      0,
      Math.min(top.bidSize, sell + Math.min(inventoryMax - held, (inventoryMax + paid) / top.bid)),
    );
    top.askSize = Math.max(
      0,
      Math.min(top.askSize, buy + Math.min(inventoryMax + held, (inventoryMax - paid) / top.ask)),
    );
    return true;
  }

  /** How far the dealer has moved a coin's price, as a logarithm. */
  private shiftOf(asset: Asset, at: Millis): number {
    const coin = this.coins.get(asset);
    if (coin === undefined) return 0;
    const { impactHalfLifeMs, inventoryMax, skewBps } = this.parts.dealing;
    const fading = coin.fading * 2 ** (-(at - coin.at) / impactHalfLifeMs);
    const skew = inventoryMax === 0 ? 0 : (skewBps / 1e4) * (this.inventoryOf(asset, at) / inventoryMax);
    return fading + coin.kept - skew;
  }

  /** Some minutes after a fill the dealer sees what it lost by it, if it did. */
  private judge(asset: Asset, symbol: PairSymbol, at: Millis, shift: number): void {
    const coin = this.coins.get(asset);
    const { hit } = coin ?? {};
    if (coin === undefined || hit?.symbol !== symbol || at < hit.at + WATCHED_MS) return;
    const middle = ((this.top.bid + this.top.ask) / 2) * Math.exp(-shift);
    const gained = hit.sign * (middle / hit.price - 1) * 1e4 * Math.min(1, hit.size);
    coin.wary = Math.min(WARY_MAX * this.parts.dealing.waryBps, Math.max(0, this.waryOf(asset, at) + gained));
    coin.waryAt = at;
    delete coin.hit;
  }

  private waryOf(asset: Asset, at: Millis): number {
    const { wary = 0, waryAt = at } = this.coins.get(asset) ?? {};
    return wary === 0 ? 0 : wary * 2 ** (-(at - waryAt) / this.parts.dealing.waryHalfLifeMs);
  }

  private inventoryOf(asset: Asset, at: Millis): number {
    const coin = this.coins.get(asset);
    return coin?.day === dayOf(at) ? coin.inventory : 0;
  }

  /** `bought` by the caller; negative when sold. */
  private react(asset: Asset, bought: number, at: Millis): void {
    if (!this.parts.isCoin(asset)) return;
    const { impactBps, impactHalfLifeMs, impactKept } = this.parts.dealing;
    const old = this.coins.get(asset) ?? { at, fading: 0, kept: 0 };
    const impact = (impactBps / 1e4) * (bought / IMPACT_UNIT);
    this.coins.set(asset, {
      ...old,
      asset,
      at,
      fading: old.fading * 2 ** (-(at - old.at) / impactHalfLifeMs) + impact * (1 - impactKept),
      kept: old.kept + impact * impactKept,
      day: dayOf(at),
      inventory: this.inventoryOf(asset, at) - bought,
    });
  }

  /** Turns the executable prices of the last read into shown ones. */
  private indicate({ symbol }: Pair, at: Millis): void {
    const { shownBetterBps, shownNoiseBps } = this.parts.dealing;
    if (shownBetterBps === 0 && shownNoiseBps === 0) return;
    const { top, noises } = this;
    const stream = noises.get(symbol) ?? streamOf(this.parts.seed, `shown:${symbol}`);
    noises.set(symbol, stream);
    const second = 2 * Math.floor(at / 1_000);
    top.ask *= 1 - (shownBetterBps + shownNoiseBps * normal(stream, second)) / 1e4;
    top.bid *= 1 + (shownBetterBps + shownNoiseBps * normal(stream, second + 1)) / 1e4;
  }

  /** The last price read, on the grid. */
  private onGrid(pair: Pair, side: Side): Price | undefined {
    // The dealer takes the other side of the caller: a buyer pays the dealer's sell limit.
    const own = limitFromSignal(side === "buy" ? this.top.ask : this.top.bid, side === "buy" ? "sell" : "buy", pair);
    return own.ok ? own.value : undefined;
  }
}

/** The size of a trade that moves the price by the dealer's impact. */
const IMPACT_UNIT = 10_000;
/** How long after a fill the dealer looks at what became of it, and how many parts its spread grows by at most. */
const WATCHED_MS = 300_000;
const WARY_MAX = 4;

function dayOf(at: Millis): number {
  return Math.floor(at / 86_400_000);
}

const POWER: readonly number[] = Array.from({ length: 19 }, (_, decimals) => 10 ** decimals);

/** Float noise is dropped; a size beyond the range of exact amounts is capped at the largest safe integer. */
function stepsIn(size: number, decimals: number): number {
  const steps = Math.floor(size * (POWER[decimals] as number) * (1 + 1e-12));
  return Math.max(0, Math.min(steps, Number.MAX_SAFE_INTEGER));
}

function sizeOnGrid(size: number, decimals: number): Quantity {
  const steps = stepsIn(size, decimals);
  return steps > 0 ? Quantity.ofSteps(steps, decimals) : Quantity.zero;
}
