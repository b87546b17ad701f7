// How large an order may be so that it brings no more than there is room for. A better price than the limit may bring more
// of the quote asset: the limit is what is known.

import type { Asset } from "../domain/asset.ts";
import { type Money, type Price, Quantity } from "../domain/money/money.ts";
import type { Refusal } from "../domain/step.ts";
import type { Assessment, Ruling } from "./rule.ts";
import { capTo } from "./ruling.ts";

/** `room` is a value; `rate` that of one unit of what is bought. */
export function capBought(order: Assessment, room: Money, rate: Price, refusal: () => Refusal): Ruling {
  if (room.isNegative()) return { kind: "refuse", refusal: refusal() };
  const most = room.exchanged(rate, order.bought, "down");
  const quantity = order.side === "buy" ? Quantity.ofMoney(most) : Quantity.affordable(most, order.limit);
  return capTo(quantity ?? Quantity.zero, order, refusal);
}

/** Nobody is exposed to the currency that values are counted in. */
export function isExposure(asset: Asset, currency: Asset): boolean {
  return asset !== currency;
}
