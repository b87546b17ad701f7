// What an order is worth at its limit, rounded up: never less than it can cost or bring.

import { type Asset, assetsOf } from "./asset.ts";
import type { Money, Price } from "./money/money.ts";
import type { OrderRequest } from "./order.ts";

/** Gate, books, accounts, executor and exit door ask for the same order, one after the other: the last one is kept. */
let lastOrder: OrderRequest | undefined;
let lastNotional: Money;

/** What the order is worth at its limit, in its quote asset. */
export function notionalOf(order: OrderRequest): Money {
  if (order === lastOrder) return lastNotional;
  lastNotional = order.limit.times(order.quantity, assetsOf(order.symbol).quote, "up");
  lastOrder = order;
  return lastNotional;
}

/** For who has worked it out already, of the same limit and quantity and by the same rule. */
export function keepNotional(order: OrderRequest, notional: Money): void {
  if (notional.asset !== assetsOf(order.symbol).quote) return;
  lastOrder = order;
  lastNotional = notional;
}

/** In the currency of the limits, at the rate of the quote asset; undefined where it is another and has no rate. */
export function stakeOf(order: OrderRequest, rate: Price | undefined, currency: Asset): Money | undefined {
  return stakeIn(currency, notionalOf(order), rate);
}

/** The same for any money that is at stake. */
export function stakeIn(currency: Asset, money: Money, rate: Price | undefined): Money | undefined {
  return money.asset === currency ? money : rate && money.valued(rate, currency, "up");
}
