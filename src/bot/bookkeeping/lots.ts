// FIFO lots of each pair's trades. Each lot is a position, closed by the same rule as the accounts' positions. A short
// lot is a sale of earlier inventory: its cost is known when it is bought back.

import type { PairSymbol } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import { closedBy, type Mutable, traded } from "../accounts/profit.ts";
import type { Booking } from "./bookings.ts";

type End = { readonly at: Millis; readonly id: string | undefined };

/** A lot, or the part of it that one booking closed. */
export type LotRow = {
  readonly lot: number;
  readonly pair: PairSymbol;
  readonly side: "long" | "short";
  readonly opened: End;
  readonly amount: Money;
  /** For an open lot, the cost of a short one and the proceeds of a long one are unknown. */
  readonly cost: Money | undefined;
  readonly closed: End | undefined;
  readonly proceeds: Money | undefined;
  readonly realised: Money | undefined;
};

type Lot = Mutable & { readonly number: number; readonly opened: End };

/** The open amount of a pair, and the profit realised so far. */
export type LotSums = { readonly lots: number; readonly amount: Money; readonly cost: Money; readonly realised: Money };

/** `first`: index of the oldest open lot; closed lots before it are dropped from time to time. */
type PairLots = { list: Lot[]; first: number; readonly zero: Money; realised: Money };

const LET_GO = 1_000;

export class Lots {
  readonly #pairs = new Map<PairSymbol, PairLots>();
  #count = 0;

  /** Returns the lots, or parts of lots, that the trade closed. */
  take({ trade, at, id }: Booking): readonly LotRow[] {
    if (trade === undefined) return [];
    const { pair } = trade;
    let { base, quote } = trade;
    const none = Money.zero(quote.asset);
    const lots = this.#pairs.get(pair) ?? { list: [], first: 0, zero: Money.zero(base.asset), realised: none };
    this.#pairs.set(pair, lots);
    const end = { at, id };
    const rows: LotRow[] = [];
    for (;;) {
      const lot = lots.list[lots.first];
      if (lot === undefined || base.isZero() || lot.amount.isPositive() === base.isPositive()) break;
      const before = { ...lot };
      const gain = traded(lot, base, quote);
      const part = closedBy(before, lot);
      if (gain === undefined || part === undefined) break;
      lots.realised = lots.realised.plus(gain);
      const side = before.amount.isPositive() ? "long" : "short";
      const { number, opened } = before;
      rows.push({ lot: number, pair, side, opened, ...part, closed: end, realised: gain });
      const isOver = lot.amount.isZero() || lot.amount.isPositive() !== before.amount.isPositive();
      if (isOver) lots.first++;
      // The excess over this lot closes the next one.
      base = isOver ? lot.amount : lots.zero;
      quote = isOver ? lot.cost.negated() : none;
    }
    if (lots.first >= LET_GO && lots.first * 2 >= lots.list.length) {
      lots.list = lots.list.slice(lots.first);
      lots.first = 0;
    }
    if (!base.isZero())
      lots.list.push({ number: ++this.#count, opened: end, amount: base, cost: quote.negated(), realised: none });
    return rows;
  }

  *open(): Generator<LotRow> {
    for (const [pair, { list, first }] of this.#pairs)
      for (const { number, opened, amount, cost } of list.slice(first)) {
        const isLong = amount.isPositive();
        yield {
          ...{ lot: number, pair, side: isLong ? "long" : "short", opened, amount: amount.size() },
          cost: isLong ? cost : undefined,
          proceeds: isLong ? undefined : cost.negated(),
          ...{ closed: undefined, realised: undefined },
        };
      }
  }

  of(pair: PairSymbol): LotSums | undefined {
    const lots = this.#pairs.get(pair);
    if (lots === undefined) return undefined;
    const { list, first, zero, realised } = lots;
    const open = list.slice(first);
    const none = Money.zero(realised.asset);
    const amount = open.reduce((sum, lot) => sum.plus(lot.amount), zero);
    const cost = open.reduce((sum, lot) => sum.plus(lot.cost), none);
    return { lots: open.length, amount, cost, realised };
  }
}
