// What an order is worth at its limit, rounded up: never less than it can cost or bring.

import { type Asset, assetsOf } from "./asset.ts";
import type { Money, Price } from "./money/money.ts";
import type { OrderRequest } from "./order.ts";

/** What the order is worth at its limit, in its quote asset. */
export function notionalOf({ limit, quantity, symbol }: OrderRequest): Money {
  return limit.times(quantity, assetsOf(symbol).quote, "up");
}

/** In the currency of the limits, at the rate of the quote asset; undefined where it is another and has no rate. */
export function stakeOf(order: OrderRequest, rate: Price | undefined, currency: Asset): Money | undefined {
  return stakeIn(currency, notionalOf(order), rate);
}

/** The same for any money that is at stake. */
export function stakeIn(currency: Asset, money: Money, rate: Price | undefined): Money | undefined {
  return money.asset === currency ? money : rate && money.valued(rate, currency, "up");
}
