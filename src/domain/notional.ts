// The value of an order at its limit, rounded up: never below its cost or proceeds.

import { type Asset, assetsOf } from "./asset.ts";
import type { Money, Price } from "./money/money.ts";
import type { OrderRequest } from "./order.ts";

/** The value at the limit, in the quote asset. */
export function notionalOf({ limit, quantity, symbol }: OrderRequest): Money {
  return limit.times(quantity, assetsOf(symbol).quote, "up");
}

/** In the currency of the limits, at the rate of the quote asset; undefined if that is another asset without a rate. */
export function stakeOf(order: OrderRequest, rate: Price | undefined, currency: Asset): Money | undefined {
  return stakeIn(currency, notionalOf(order), rate);
}

/** The same for any money. */
export function stakeIn(currency: Asset, money: Money, rate: Price | undefined): Money | undefined {
  return money.asset === currency ? money : rate && money.valued(rate, currency, "up");
}
