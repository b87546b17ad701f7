// Markouts of our fills: the venue's mid at the decision against the mid at least a minute after the fill, in the
// direction of the trade. The spread paid is not in it. Where no mid comes, our own next fill of the pair, on either
// side, takes its place. Pairs move together, so the markouts of all pairs do not overlap: ten
// fills of one move are one observation.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Side } from "../../domain/order.ts";
import type { MidOfPair } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Markouts } from "../counters.ts";
import type { CountersData } from "./data.ts";

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
type Waiting = Prices & { readonly side: Side; readonly at: Millis };

export class MarkoutCounters implements Markouts {
  readonly waiting = new Map<PairSymbol, Waiting>();
  adverseBps = 0;
  /** In basis points, oldest first; negative: against us. */
  #last: number[];

  constructor({ waiting, last }: CountersData["markouts"] = { waiting: [], last: [] }) {
    for (const { symbol, at, ...fill } of waiting) this.waiting.set(symbol as PairSymbol, { ...fill, at: millis(at) });
    this.#last = [...last];
    this.#count();
  }

  get missing(): number {
    return Math.max(0, FILLS_MIN - this.#last.length);
  }

  filled(symbol: PairSymbol, side: Side, prices: Prices, at: Millis): void {
    const before = this.waiting.get(symbol);
    if (before !== undefined) {
      if (at - before.at < UNPRICED_MS) return;
      this.waiting.delete(symbol);
      this.#moved(before.side, before.price, prices.price);
    }
    // A pair that gets no quote any more holds up no other.
    for (const { at: since } of this.waiting.values()) if (at - since < MARKOUT_MS) return;
    this.waiting.set(symbol, { side, ...prices, at });
  }

  priced(mids: readonly MidOfPair[], at: Millis): void {
    for (const { symbol, mid } of mids) {
      const fill = this.waiting.get(symbol);
      this.waiting.delete(symbol);
      if (fill === undefined || at - fill.at > LATE_MS) continue;
      this.#moved(fill.side, fill.mid, mid);
    }
  }

  clear(): void {
    this.waiting.clear();
    this.#last = [];
    this.adverseBps = 0;
  }

  save(): Pick<CountersData, "markouts"> {
    const waiting = [...this.waiting].map(([symbol, fill]) => ({ symbol, ...fill }));
    return { markouts: { waiting, last: [...this.#last] } };
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
