// Fills as exact money, as floats for statistics, and those that closed a position.

import { type Asset, assetsOf } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { Fills } from "../record/run-record.ts";
import { oncePer } from "./figure.ts";

export type FillMoney = {
  readonly side: "buy" | "sell";
  readonly base: Money;
  readonly quote: Money;
  readonly fee: Money;
  readonly realised: Money | undefined;
  /** One unit of the quote asset in the currency. */
  readonly rate: Price | undefined;
};

export const fillMoney = oncePer((fills: Fills): readonly FillMoney[] =>
  Array.from({ length: fills.length }, (_, row) => moneyOf(fills, row)),
);

function moneyOf(fills: Fills, row: number): FillMoney {
  const assets = assetsOf(fills.symbol[row] as Fills["symbol"][number]);
  const isBuy = fills.side[row] === 0;
  const [base, quote] = isBuy ? [fills.bought[row], fills.sold[row]] : [fills.sold[row], fills.bought[row]];
  const [rate, realised] = [fills.rate[row], fills.realised[row]];
  return {
    side: isBuy ? "buy" : "sell",
    base: Money.of(base as string, assets.base),
    quote: Money.of(quote as string, assets.quote),
    fee: Money.of(fills.fee[row] as string, fills.feeAsset[row] as Asset),
    realised: realised === undefined ? undefined : Money.of(realised, assets.quote),
    rate: rate === undefined ? undefined : Price.of(rate),
  };
}

/** Undefined without a rate, unless the money is in the currency already. */
export function inCurrency(money: Money, rate: Price | undefined, currency: Asset): Money | undefined {
  return money.asset === currency ? money : rate && money.valued(rate, currency, "down");
}

/**
 * The fee may be in the currency, in the pair's quote asset or in its base asset; in any other asset its worth is
 * unknown.
 */
export function feeWorth({ fee, base, quote, rate }: FillMoney, currency: Asset): Money | undefined {
  if (fee.asset === currency || fee.isZero()) return fee.isZero() ? Money.zero(currency) : fee;
  if (rate === undefined) return undefined;
  if (fee.asset === quote.asset) return fee.valued(rate, currency, "up");
  if (fee.asset !== base.asset) return undefined;
  const quantity = Quantity.ofMoney(base);
  const price = quantity && Price.implied(quote, quantity, "up");
  return price && fee.valued(price, quote.asset, "up").valued(rate, currency, "up");
}

export type FillEdges = {
  readonly length: number;
  /** 1 for a buy, -1 for a sell: the effect of a rising price. */
  readonly sign: Float64Array;
  readonly price: Float64Array;
  /** In the currency; NaN without a rate. */
  readonly worth: Float64Array;
  /** In the currency, against fair value at the decision: the edge of the fill price, and of the quoted price. */
  readonly captured: Float64Array;
  readonly quoted: Float64Array;
};

export const fillEdges = oncePer(({ length, side, bought, sold, rate, fair, touch }: Fills): FillEdges => {
  const column = (): Float64Array => new Float64Array(length);
  const edges = { length, sign: column(), price: column(), worth: column(), captured: column(), quoted: column() };
  for (let row = 0; row < length; row++) {
    const isBuy = side[row] === 0;
    const sign = isBuy ? 1 : -1;
    const quantity = Number(isBuy ? bought[row] : sold[row]);
    const quote = Number(isBuy ? sold[row] : bought[row]);
    const worthOfOne = Number(rate[row] ?? NaN);
    const price = quote / quantity;
    edges.sign[row] = sign;
    edges.price[row] = price;
    edges.worth[row] = quote * worthOfOne;
    edges.captured[row] = sign * ((fair[row] as number) - price) * quantity * worthOfOne;
    edges.quoted[row] = sign * ((fair[row] as number) - (touch[row] as number)) * quantity * worthOfOne;
  }
  return edges;
});

/** NaN values are skipped. */
export function sumOfKnown(values: Float64Array): { readonly sum: number; readonly count: number } {
  let sum = 0;
  let count = 0;
  for (const value of values)
    if (!Number.isNaN(value)) {
      sum += value;
      count++;
    }
  return { sum, count };
}
