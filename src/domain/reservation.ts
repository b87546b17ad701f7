// The reservation of an open order: it counts as filled against the amount that may be spent, and as unfilled for the
// amount that may be sold.

import { assetsOf } from "./asset.ts";
import type { Money } from "./money/money.ts";
import { notionalOf } from "./notional.ts";
import type { OrderRequest } from "./order.ts";

/** The largest amount that leaves if it fills, and the amount that comes. */
export type Reserved = { readonly leaves: Money; readonly comes: Money };

const WHOLE_BPS = 10_000;

/** At the limit, plus the fee budget for a buy, where it may be charged on top. */
export function reservedBy(order: OrderRequest, feeBpsMax: number): Reserved {
  const value = notionalOf(order);
  const size = order.quantity.of(assetsOf(order.symbol).base);
  return order.side === "sell"
    ? { leaves: size, comes: value }
    : { leaves: value.share(WHOLE_BPS + feeBpsMax, "up"), comes: size };
}
