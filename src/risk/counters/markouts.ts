// Markouts of our fills: the venue's mid at the decision against the mid at least a minute after the fill, in the
// direction of the trade. The spread paid is not in it. Pairs move together, so the markouts of all pairs do not overlap: ten
// fills of one move are one observation.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Side } from "../../domain/order.ts";
import type { MidOfPair } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Markouts } from "../counters.ts";
import type { CountersData } from "./data.ts";

export const MARKOUT_MS = 60_000;
/** A later mid says nothing about the fill, for example after a restart. */
const LATE_MS = 600_000;
const FILLS_MIN = 10;
const FILLS_MAX = 20;
const STANDARD_ERRORS = 4;
/** A move counts for no more: one jump neither halts the bot nor hides the rest behind a large standard error. */
const MOVE_BPS_MAX = 10;

type Waiting = { readonly side: Side; readonly mid: number; readonly at: Millis };

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

  filled(symbol: PairSymbol, side: Side, mid: number | undefined, at: Millis): void {
    if (mid === undefined || this.waiting.has(symbol)) return;
    // A pair that gets no quote any more holds up no other.
    for (const { at: since } of this.waiting.values()) if (at - since < MARKOUT_MS) return;
    this.waiting.set(symbol, { side, mid, at });
  }

  priced(mids: readonly MidOfPair[], at: Millis): void {
    for (const { symbol, mid } of mids) {
      const fill = this.waiting.get(symbol);
      this.waiting.delete(symbol);
      if (fill === undefined || at - fill.at > LATE_MS) continue;
      const moved = (mid / fill.mid - 1) * (fill.side === "buy" ? 1e4 : -1e4);
      this.#last.push(Math.max(-MOVE_BPS_MAX, Math.min(MOVE_BPS_MAX, moved)));
    }
    this.#last = this.#last.slice(-FILLS_MAX);
    this.#count();
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

  #count(): void {
    const { length } = this.#last;
    const mean = this.#last.reduce((sum, one) => sum + one, 0) / length;
    const squares = this.#last.reduce((sum, one) => sum + (one - mean) ** 2, 0);
    const error = Math.sqrt(squares / (length - 1) / length);
    this.adverseBps = length < FILLS_MIN ? 0 : Math.max(0, -mean - STANDARD_ERRORS * error);
  }
}
