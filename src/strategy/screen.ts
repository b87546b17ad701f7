// The screen of a sweep: prices as columns for the kernel that a strategy exports, and an account over them that knows
// what caps an order, what it meets on arrival, and what waits until it is confirmed. In floats: it ranks sets of
// parameters for the bot to run, and chooses none.

import type { Side } from "../domain/order.ts";

const BPS = 1e4;
export const HOUR_MS = 3_600_000;
/** The size of a trade that moves a coin by the dealer's impact. */
const IMPACT_UNIT = 10_000;

export const PRICE_COLUMNS = ["bid", "ask", "bidSize", "askSize", "buyAt", "sellAt", "fair"] as const;

/**
 * One value a row, NaN where there is none: prices and sizes as shown, `buyAt` and `sellAt` as an order decided on the row
 * meets them when it arrives. Sizes are in base units.
 */
export type ScreenPair = Readonly<Record<(typeof PRICE_COLUMNS)[number], Float64Array>> &
  Readonly<Record<"symbol" | "base" | "quote", string>> &
  Readonly<Record<"quantityMin" | "orderMax", number>> & { readonly isCoin: boolean };

/** Those of the limits; `coinShareMax` is what all coins of the venue may be worth, as a share of equity. */
type Caps = "orderValueMax" | "coinShareMax" | "collarBps" | "reserveBps" | "feeBpsMax";
/** `orderMs`: from an order to the next look at quotes, over the slots that confirm it. */
type Terms = "feeBps" | "orderMs" | "depthEpochMs" | "impactBps" | "impactHalfLifeMs" | "impactKept";

export type ScreenColumns = Readonly<Record<Caps | Terms | "from" | "stepMs" | "length" | "hours", number>> & {
  readonly pairs: readonly ScreenPair[];
  readonly funds: Readonly<Record<string, number>>;
  /** The value of one unit in the currency of the limits at the end of each hour, a coin at the lower of par and bid. */
  readonly worth: Readonly<Record<string, Float64Array>>;
};

/** The profit over holding at the end of each hour. */
export type ScreenResult = Float64Array;

export class ScreenAccount {
  readonly #columns: ScreenColumns;
  readonly #coins: readonly string[];
  readonly #held: Record<string, number>;
  /** How far our trades have moved a coin, as of a row. */
  readonly #moved: Record<string, { row: number; fading: number; kept: number }> = {};
  readonly #taken: Record<string, { epoch: number; size: number }> = {};
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
    const shown = (side === "buy" ? pair.askSize : pair.bidSize)[row] as number;
    return Math.max(0, shown - this.#takenOf(pair, row, side).size);
  }

  /** The size that the limits leave of an order. */
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

  /** A Fill-or-Kill order; true if it fills. */
  order(pair: ScreenPair, row: number, side: Side, limit: number, size: number): boolean {
    const { orderMs, stepMs, impactBps, feeBps } = this.#columns;
    this.nextRow = row + Math.max(1, Math.ceil(orderMs / stepMs));
    const sign = side === "buy" ? 1 : -1;
    const own = 1 + ((sign * impactBps) / 2 / BPS) * (size / IMPACT_UNIT);
    const price = ((sign > 0 ? pair.buyAt : pair.sellAt)[row] as number) * this.moved(pair, row) * own;
    if (!(sign * (limit - price) >= 0) || size > this.left(pair, row, side)) return false;
    this.#close(this.#hourOf(row));
    const paid = size * price;
    this.#add(pair.base, row, sign * size, 0);
    this.#add(pair.quote, row, -sign * paid, (paid * feeBps) / BPS);
    const taken = this.#takenOf(pair, row, side);
    this.#taken[`${pair.symbol} ${side}`] = { ...taken, size: taken.size + size };
    this.fills++;
    return true;
  }

  finish(): ScreenResult {
    this.#close(this.#result.length);
    return this.#result;
  }

  #hourOf(row: number): number {
    return Math.min(this.#result.length - 1, Math.floor((row * this.#columns.stepMs) / HOUR_MS));
  }

  #valueOf(assets: readonly string[], hour: number): number {
    return assets.reduce((sum, asset) => sum + this.held(asset) * (this.#columns.worth[asset]?.[hour] as number), 0);
  }

  /** Of the sizes that are on show, which are drawn anew in each epoch. */
  #takenOf({ symbol }: ScreenPair, row: number, side: Side): { readonly epoch: number; readonly size: number } {
    const { from, stepMs, depthEpochMs } = this.#columns;
    const epoch = Math.floor((from + row * stepMs) / depthEpochMs);
    const known = this.#taken[`${symbol} ${side}`];
    return known?.epoch === epoch ? known : { epoch, size: 0 };
  }

  /** Hours before this one end with what is held. */
  #close(hour: number): void {
    const { funds, worth } = this.#columns;
    for (; this.#hour < hour; this.#hour++)
      for (const [asset, values] of Object.entries(worth))
        (this.#result[this.#hour] as number) +=
          (this.held(asset) - (funds[asset] ?? 0)) * (values[this.#hour] as number);
  }

  #movedBy(asset: string, row: number): number {
    const { row: before, fading, kept } = this.#moved[asset] ?? { row, fading: 0, kept: 0 };
    return kept + fading * 2 ** (-((row - before) * this.#columns.stepMs) / this.#columns.impactHalfLifeMs);
  }

  /** A trade adds to what is held, and moves a coin. */
  #add(asset: string, row: number, amount: number, fee: number): void {
    this.#held[asset] = this.held(asset) + amount - fee;
    const { impactBps, impactKept } = this.#columns;
    if (impactBps === 0 || !this.#coins.includes(asset)) return;
    const by = (impactBps / BPS) * (amount / IMPACT_UNIT);
    const kept = this.#moved[asset]?.kept ?? 0;
    const fading = this.#movedBy(asset, row) - kept + by * (1 - impactKept);
    this.#moved[asset] = { row, fading, kept: kept + by * impactKept };
  }
}
