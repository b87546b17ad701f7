// What an order brings, and how large it may be so that it brings no more than there is room for.

import type { Asset } from "../domain/asset.ts";
import { type Money, Quantity } from "../domain/money/money.ts";
import type { Refusal } from "../domain/step.ts";
import type { Assessment, Ruling } from "./rule.ts";
import { capTo } from "./ruling.ts";

/** A better price than the limit may bring more of the quote asset: the limit is what is known. */
export function incoming({ side, quantity, bought, notional }: Assessment): Money {
  return side === "buy" ? quantity.of(bought) : notional;
}

export function capBought(order: Assessment, room: Money, refusal: () => Refusal): Ruling {
  if (room.isNegative()) return { kind: "refuse", refusal: refusal() };
  const quantity = order.side === "buy" ? Quantity.ofMoney(room) : Quantity.affordable(room, order.limit);
  return capTo(quantity ?? Quantity.zero, order, refusal);
}

/** Nobody is exposed to the currency that values are counted in. */
export function isExposure(asset: Asset, currency: Asset): boolean {
  return asset !== currency;
}
