// The screen of a sweep: prices as columns for the kernel that a strategy exports, and an account over them that knows
// what caps an order, what it meets on arrival, and what waits until it is confirmed. In floats: it ranks sets of
// parameters for the bot to run, and chooses none.

import type { Side } from "../domain/order.ts";

const BPS = 1e4;
const HOUR_MS = 3_600_000;
/** The size of a trade that moves a coin by the dealer's impact. */
const IMPACT_UNIT = 10_000;

/** One value a row: prices as shown, sizes in base units, and what an order decided on the row meets when it arrives. */
export type ScreenPair = {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly quantityMin: number;
  /** In base units. */
  readonly orderMax: number;
  readonly isCoin: boolean;
  /** NaN where there is no price. */
  readonly bid: Float64Array;
  readonly ask: Float64Array;
  readonly bidSize: Float64Array;
  readonly askSize: Float64Array;
  /** NaN where the dealer refuses. */
  readonly buyAt: Float64Array;
  readonly sellAt: Float64Array;
  /** NaN where there is none. */
  readonly fair: Float64Array;
};

export type ScreenColumns = {
  readonly from: number;
  readonly stepMs: number;
  readonly length: number;
  readonly hours: number;
  readonly pairs: readonly ScreenPair[];
  readonly funds: Readonly<Record<string, number>>;
  /** The value of one unit in the currency of the limits at the end of each hour, a coin at the lower of par and bid. */
  readonly worth: Readonly<Record<string, Float64Array>>;
  readonly orderValueMax: number;
  /** What all coins of the venue may be worth, as a share of equity. */
  readonly coinShareMax: number;
  readonly collarBps: number;
  readonly reserveBps: number;
  readonly feeBpsMax: number;
  readonly feeBps: number;
  /** From an order to the next look at quotes: its slot, and those that confirm it. */
  readonly orderMs: number;
  readonly depthEpochMs: number;
  readonly impact: { readonly bps: number; readonly halfLifeMs: number; readonly kept: number };
};

/** The profit over holding at the end of each hour. */
export type ScreenResult = Float64Array;

type Moved = { at: number; fading: number; kept: number };

export class ScreenAccount {
  readonly #columns: ScreenColumns;
  readonly #held: Record<string, number>;
  readonly #moved: Record<string, Moved> = {};
  readonly #taken: Record<string, { epoch: number; buy: number; sell: number }> = {};
  readonly #coins: readonly string[];
  readonly #result: ScreenResult;
  #hour = 0;
  /** No quote is read before this row. */
  nextRow = 0;
  fills = 0;

  constructor(columns: ScreenColumns) {
    this.#columns = columns;
    this.#held = { ...columns.funds };
    this.#coins = columns.pairs.flatMap(({ base, isCoin }) => (isCoin ? [base] : []));
    this.#result = new Float64Array(columns.hours);
  }

  held(asset: string): number {
    return this.#held[asset] ?? 0;
  }

  /** What an order may spend. */
  free(asset: string): number {
    const { funds, reserveBps, feeBpsMax } = this.#columns;
    const held = this.held(asset);
    const reserve = (Math.max(Math.abs(held), funds[asset] ?? 0) * reserveBps) / BPS;
    return Math.max(0, (held - reserve) * (1 - feeBpsMax / BPS));
  }

  /** The factor by which our own trades have moved the dealer's price. */
  moved({ base, quote }: ScreenPair, row: number): number {
    return this.fills === 0 ? 1 : Math.exp(this.#movedBy(base, row) - this.#movedBy(quote, row));
  }

  /** The size that is left of what was shown. */
  left(pair: ScreenPair, row: number, side: Side): number {
    const taken = this.#taken[pair.symbol];
    const used = taken?.epoch === this.#epochOf(row) ? taken[side] : 0;
    return Math.max(0, ((side === "buy" ? pair.askSize[row] : pair.bidSize[row]) as number) - used);
  }

  /** The size that the caps leave of an order. */
  capped(pair: ScreenPair, row: number, side: Side, limit: number, size: number): number {
    const { collarBps, orderValueMax, coinShareMax, worth } = this.#columns;
    if (Math.abs(limit / (pair.fair[row] as number) - 1) * BPS > collarBps) return 0;
    const hour = this.#hourOf(row);
    const value = limit * (worth[pair.quote]?.[hour] as number);
    const most = Math.min(size, pair.orderMax, orderValueMax / value);
    if (side === "sell" || !pair.isCoin) return most;
    const room = coinShareMax * this.#valueOf(Object.keys(worth), hour) - this.#valueOf(this.#coins, hour);
    return Math.min(most, Math.max(0, room) / value);
  }

  #valueOf(assets: readonly string[], hour: number): number {
    return assets.reduce((sum, asset) => sum + this.held(asset) * (this.#columns.worth[asset]?.[hour] as number), 0);
  }

  /** A Fill-or-Kill order; true if it fills. */
  order(pair: ScreenPair, row: number, side: Side, limit: number, size: number): boolean {
    const { orderMs, stepMs, impact, feeBps } = this.#columns;
    this.nextRow = row + Math.max(1, Math.ceil(orderMs / stepMs));
    const isBuy = side === "buy";
    const own = ((impact.bps / 2e4) * size) / IMPACT_UNIT;
    const met = (isBuy ? pair.buyAt[row] : pair.sellAt[row]) as number;
    const price = met * this.moved(pair, row) * (isBuy ? 1 + own : 1 - own);
    if (!(isBuy ? price <= limit : price >= limit) || size > this.left(pair, row, side)) return false;
    this.#close(this.#hourOf(row));
    const sign = isBuy ? 1 : -1;
    const paid = size * price;
    this.#add(pair.base, sign * size);
    this.#add(pair.quote, -sign * paid - (paid * feeBps) / BPS);
    const epoch = this.#epochOf(row);
    const taken = this.#taken[pair.symbol];
    const used = taken?.epoch === epoch ? taken : { epoch, buy: 0, sell: 0 };
    used[side] += size;
    this.#taken[pair.symbol] = used;
    this.#move(pair.base, row, sign * size);
    this.#move(pair.quote, row, -sign * paid);
    this.fills++;
    return true;
  }

  finish(): ScreenResult {
    this.#close(this.#result.length);
    return this.#result;
  }

  #add(asset: string, amount: number): void {
    this.#held[asset] = this.held(asset) + amount;
  }

  #hourOf(row: number): number {
    return Math.min(this.#result.length - 1, Math.floor((row * this.#columns.stepMs) / HOUR_MS));
  }

  #epochOf(row: number): number {
    return Math.floor((this.#columns.from + row * this.#columns.stepMs) / this.#columns.depthEpochMs);
  }

  /** Hours before this one end with what is held. */
  #close(hour: number): void {
    const { funds, worth } = this.#columns;
    for (; this.#hour < hour; this.#hour++)
      for (const asset of Object.keys(worth))
        (this.#result[this.#hour] as number) +=
          (this.held(asset) - (funds[asset] ?? 0)) * (worth[asset]?.[this.#hour] as number);
  }

  #movedBy(asset: string, row: number): number {
    const moved = this.#moved[asset];
    if (moved === undefined) return 0;
    const ms = (row - moved.at) * this.#columns.stepMs;
    return moved.kept + moved.fading * 2 ** (-ms / this.#columns.impact.halfLifeMs);
  }

  #move(asset: string, row: number, bought: number): void {
    const { impact } = this.#columns;
    if (impact.bps === 0 || !this.#coins.includes(asset)) return;
    const by = (impact.bps / BPS) * (bought / IMPACT_UNIT);
    const kept = this.#moved[asset]?.kept ?? 0;
    const fading = this.#movedBy(asset, row) - kept;
    this.#moved[asset] = { at: row, fading: fading + by * (1 - impact.kept), kept: kept + by * impact.kept };
  }
}
