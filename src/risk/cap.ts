// How large an order may be inside a limit on its value, or on what it brings. A better price than the limit may bring more
// of the quote asset: the limit is what is known.

import type { Asset } from "../domain/asset.ts";
import { type Money, type Price, Quantity } from "../domain/money/money.ts";
import type { Refusal } from "../domain/step.ts";
import type { Assessment, PricingView, Ruling } from "./rule.ts";
import { capTo } from "./ruling.ts";

/** `room` is a value; `rate` that of one unit of what is bought. */
export function capBought(order: Assessment, room: Money, rate: Price, refusal: () => Refusal): Ruling {
  if (room.isNegative()) return { kind: "refuse", refusal: refusal() };
  const most = room.exchanged(rate, order.bought, "down");
  const quantity = order.side === "buy" ? Quantity.ofMoney(most) : Quantity.affordable(most, order.limit);
  return capTo(quantity ?? Quantity.zero, order, refusal);
}

/** To `most` of the order's value at its limit. Every step rounds down, so that the order left is worth no more. */
export function capValue(
  order: Assessment,
  most: Money,
  pricing: Pick<PricingView, "rate">,
  refusal: () => Refusal,
): Ruling {
  const { quote } = order.instrument;
  const rate = quote === most.asset ? undefined : pricing.rate(quote);
  const notional = rate === undefined ? most : most.exchanged(rate, quote, "down");
  if (notional.asset !== quote) return { kind: "refuse", refusal: refusal() };
  return capTo(Quantity.affordable(notional, order.limit), order, refusal);
}

/** The currency that values are counted in is no exposure. */
export function isExposure(asset: Asset, currency: Asset): boolean {
  return asset !== currency;
}
