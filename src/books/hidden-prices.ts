// What outcomes of orders taught about each pair's hidden prices, and how far that could be relied on. It follows from
// journaled steps alone: the fair value is that of the decision, so a replay and a restart give the same to the last digit.

import type { PairSymbol } from "../domain/asset.ts";
import { type OrderReport, UNFILLED } from "../domain/event.ts";
import { type ClientOrderId, type Fill, fillPrice } from "../domain/order.ts";
import { type Foretold, Reliability, type SavedReliability } from "../domain/reliability.ts";
import type { Basis, OrderIntent, Proposal } from "../domain/step.ts";
import { HiddenPrice, type SavedHiddenPrice } from "../strategy/hidden-price.ts";

export type SavedHiddenPrices = {
  readonly pairs: readonly (readonly [PairSymbol, SavedHiddenPrice])[];
  readonly asked: readonly (readonly [ClientOrderId, Asked])[];
  readonly reliability: SavedReliability;
};

/** What was believed when an open order was decided; `rate`: of the quote asset in the currency of the limits. */
type Asked = Foretold & { readonly fair: number; readonly rate: number; readonly odds?: number | undefined };

const OUT_OF_BAND = "price-out-of-band";

export class HiddenPrices {
  readonly #pairs: Map<PairSymbol, HiddenPrice>;
  readonly #asked: Map<ClientOrderId, Asked>;
  readonly reliability: Reliability;

  constructor({ pairs = [], asked, reliability }: Partial<SavedHiddenPrices> = {}) {
    this.#pairs = new Map(pairs.map(([symbol, saved]) => [symbol, new HiddenPrice(saved)]));
    this.#asked = new Map(asked);
    this.reliability = new Reliability(reliability);
  }

  /** The same object for a pair, created on first request. */
  of(symbol: PairSymbol): HiddenPrice {
    const known = this.#pairs.get(symbol) ?? new HiddenPrice();
    this.#pairs.set(symbol, known);
    return known;
  }

  approved(
    { clientOrderId, symbol, side, quantity, limit }: OrderIntent,
    { fair, rate }: Partial<Basis>,
    odds: Proposal["odds"],
    at: number,
  ): void {
    if (fair === undefined) return;
    const price = this.of(symbol).view(fair, at)[side === "buy" ? "ask" : "bid"];
    const [size, worst, inCurrency] = [quantity.toNumber(), limit.toNumber(), rate?.toNumber() ?? Number.NaN];
    const gain = size * price.gain(worst, size) * inCurrency;
    this.#asked.set(clientOrderId, { fair, rate: inCurrency, chance: price.chance(worst, size), gain, odds });
  }

  /** An order that was not sent, or whose outcome was never known, teaches nothing. */
  ended({ clientOrderId, symbol, side, quantity, limit }: OrderIntent, report: OrderReport, at: number): void {
    const asked = this.#asked.get(clientOrderId);
    this.#asked.delete(clientOrderId);
    if (asked === undefined) return;
    const { fair, rate, odds } = asked;
    const [size, worst] = [quantity.toNumber(), limit.toNumber()];
    const outcome = { side, size, fair, at, odds };
    if (report.kind === "filled") {
      const price = priceOf(report.fill);
      this.of(symbol).filled({ ...outcome, price, limit: worst });
      this.#judged(asked, size * (side === "buy" ? fair - price : price - fair) * rate);
    } else if (report.kind === "rejected") {
      // Outside the band beyond fair value, a limit would have filled.
      const isSure = report.code === OUT_OF_BAND && (side === "buy" ? worst < fair : worst > fair);
      if (!isSure && report.code !== UNFILLED) return;
      this.of(symbol).unfilled({ ...outcome, price: worst }, isSure);
      this.#judged(asked, undefined);
    }
  }

  #judged(asked: Asked, gained: number | undefined): void {
    // Without a rate a gain has no currency.
    if (!Number.isNaN(asked.gain)) this.reliability.judged(asked, gained);
  }

  save(): SavedHiddenPrices {
    const pairs = [...this.#pairs].flatMap(([symbol, pair]) => {
      const saved = pair.save();
      return saved === undefined ? [] : [[symbol, saved] as const];
    });
    return { pairs, asked: [...this.#asked], reliability: this.reliability.save() };
  }
}

export function priceOf({ side, bought, sold }: Fill): number {
  const [base, quote] = side === "buy" ? [bought, sold] : [sold, bought];
  return fillPrice(quote.toNumber(), base.toNumber());
}
