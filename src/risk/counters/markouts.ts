// Markouts of our fills: the venue's mid at the decision against the mid at least a minute after the fill, in the
// direction of the trade. The spread paid is not in it. Where no mid comes, our own next fill of the pair on the same
// side takes its place: against the other side our own spread would count. Pairs move together, so the markouts of all pairs do not overlap: ten
// fills of one move are one observation.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Side } from "../../domain/order.ts";
import type { MidOfPair } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";

export const MARKOUT_MS = 60_000;
/** Without a mid for so long none comes. */
const UNPRICED_MS = 2 * MARKOUT_MS;
/** A later mid says nothing about the fill, for example after a restart. */
const LATE_MS = 600_000;
const FILLS_MIN = 10;
const FILLS_MAX = 20;
const STANDARD_ERRORS = 4;
/** A move counts for no more: one jump neither halts the bot nor hides the rest behind a large standard error. */
const MOVE_BPS_MAX = 10;

/** The venue's mid at the decision, and the price of the fill. */
type Prices = { readonly mid?: number | undefined; readonly price?: number | undefined };
type Waiting = Prices & { readonly symbol: PairSymbol; readonly side: Side; readonly at: Millis };

export type SavedMarkouts = { readonly waiting: readonly Waiting[]; readonly last: readonly number[] };

/** How far the mid moved in the direction of a trade, at least a minute after it. */
export class Markouts {
  /** Fills whose minute is not over, or that have no quote yet. */
  waiting: readonly Waiting[] = [];
  /**
   * By how much the price moves against our fills at the least, in basis points: the mean of the last ten to
   * twenty, four standard errors in our favour. Zero with fewer fills.
   */
  adverseBps = 0;
  /** In basis points, oldest first; negative: against us. */
  #last: number[];

  constructor({ waiting, last }: SavedMarkouts = { waiting: [], last: [] }) {
    this.waiting = waiting;
    this.#last = [...last];
    this.#count();
  }

  /** How many more fills must be measured before that means something. */
  get missing(): number {
    return Math.max(0, FILLS_MIN - this.#last.length);
  }

  filled(symbol: PairSymbol, side: Side, prices: Prices, at: Millis): void {
    const ofPair = this.waiting.filter((one) => one.symbol === symbol);
    if (ofPair.some((one) => at - one.at < UNPRICED_MS)) return;
    const before = ofPair.find((one) => one.side === side);
    this.waiting = this.waiting.filter((one) => one !== before);
    if (before !== undefined && at - before.at <= LATE_MS) this.#moved(side, before.price, prices.price);
    // A pair that gets no quote any more holds up no other.
    if (this.waiting.some((one) => at - one.at < MARKOUT_MS)) return;
    this.waiting = [...this.waiting, { symbol, side, ...prices, at }];
  }

  priced(mids: readonly MidOfPair[], at: Millis): void {
    for (const { symbol, mid } of mids) {
      const fills = this.waiting.filter((one) => one.symbol === symbol && at - one.at >= MARKOUT_MS);
      this.waiting = this.waiting.filter((one) => !fills.includes(one));
      for (const fill of fills) if (at - fill.at <= LATE_MS) this.#moved(fill.side, fill.mid, mid);
    }
  }

  clear(): void {
    this.waiting = [];
    this.#last = [];
    this.adverseBps = 0;
  }

  save(): SavedMarkouts {
    return { waiting: this.waiting, last: this.#last };
  }

  #moved(side: Side, from: number | undefined, to: number | undefined): void {
    if (from === undefined || to === undefined) return;
    const moved = (side === "buy" ? to / from - 1 : 1 - to / from) * 1e4;
    this.#last = [...this.#last, Math.max(-MOVE_BPS_MAX, Math.min(MOVE_BPS_MAX, moved))].slice(-FILLS_MAX);
    this.#count();
  }

  #count(): void {
    const { length } = this.#last;
    const mean = this.#last.reduce((sum, one) => sum + one, 0) / length;
    const squares = this.#last.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    const error = Math.sqrt(squares / (length - 1) / length);
    this.adverseBps = length < FILLS_MIN ? 0 : Math.max(0, -mean - STANDARD_ERRORS * error);
  }
}
