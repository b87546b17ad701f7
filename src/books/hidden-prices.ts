// What outcomes of orders taught about each pair's hidden prices. It follows from journaled steps alone: the fair value
// is that of the decision, so a replay and a restart give the same belief to the last digit.

import type { PairSymbol } from "../domain/asset.ts";
import { type OrderReport, UNFILLED } from "../domain/event.ts";
import { type ClientOrderId, type Fill, fillPrice } from "../domain/order.ts";
import type { OrderIntent } from "../domain/step.ts";
import { HiddenPrice, type SavedHiddenPrice } from "../strategy/hidden-price.ts";

export type SavedHiddenPrices = {
  readonly pairs: readonly (readonly [PairSymbol, SavedHiddenPrice])[];
  /** The fair values at which open orders were decided. */
  readonly asked: readonly (readonly [ClientOrderId, number])[];
};

const OUT_OF_BAND = "price-out-of-band";

export class HiddenPrices {
  readonly #pairs: Map<PairSymbol, HiddenPrice>;
  readonly #asked: Map<ClientOrderId, number>;

  constructor({ pairs, asked }: SavedHiddenPrices = { pairs: [], asked: [] }) {
    this.#pairs = new Map(pairs.map(([symbol, saved]) => [symbol, new HiddenPrice(saved)]));
    this.#asked = new Map(asked);
  }

  /** The same object for a pair, created on first request. */
  of(symbol: PairSymbol): HiddenPrice {
    const known = this.#pairs.get(symbol) ?? new HiddenPrice();
    this.#pairs.set(symbol, known);
    return known;
  }

  approved({ clientOrderId }: OrderIntent, fair: number | undefined): void {
    if (fair !== undefined) this.#asked.set(clientOrderId, fair);
  }

  /** An order that was not sent, or whose outcome was never known, teaches nothing. */
  ended({ clientOrderId, symbol, side, quantity, limit }: OrderIntent, report: OrderReport, at: number): void {
    const fair = this.#asked.get(clientOrderId);
    this.#asked.delete(clientOrderId);
    if (fair === undefined) return;
    const outcome = { side, size: quantity.toNumber(), fair, at };
    if (report.kind === "filled") {
      this.of(symbol).filled({ ...outcome, price: priceOf(report.fill) });
    } else if (report.kind === "rejected") {
      const price = limit.toNumber();
      // Outside the band beyond fair value, a limit would have filled.
      const isSure = report.code === OUT_OF_BAND && (side === "buy" ? price < fair : price > fair);
      if (isSure || report.code === UNFILLED) this.of(symbol).unfilled({ ...outcome, price }, isSure);
    }
  }

  save(): SavedHiddenPrices {
    const pairs = [...this.#pairs].flatMap(([symbol, pair]) => {
      const saved = pair.save();
      return saved === undefined ? [] : [[symbol, saved] as const];
    });
    return { pairs, asked: [...this.#asked] };
  }
}

export function priceOf({ side, bought, sold }: Fill): number {
  const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
  return fillPrice(quote.toNumber(), base.toNumber());
}
