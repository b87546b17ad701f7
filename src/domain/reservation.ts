// What an open order reserves: as if it filled for what may be spent, as if it did not for what may be sold.

import { assetsOf } from "./asset.ts";
import type { Money } from "./money/money.ts";
import { notionalOf } from "./notional.ts";
import type { OrderRequest } from "./order.ts";

/** What leaves if it happens, at most, and what comes then. */
export type Reserved = { readonly leaves: Money; readonly comes: Money };

const WHOLE_BPS = 10_000;

/** At its limit, with the fee budget where it may be taken on top. */
export function reservedBy(order: OrderRequest, feeBpsMax: number): Reserved {
  const value = notionalOf(order);
  const size = order.quantity.of(assetsOf(order.symbol).base);
  return order.side === "sell"
    ? { leaves: size, comes: value }
    : { leaves: value.share(WHOLE_BPS + feeBpsMax, "up"), comes: size };
}
