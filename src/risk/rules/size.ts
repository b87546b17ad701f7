// The size of one order: its value, its units, the ramp, and the spendable amount. An oversized order is capped.

import type { PairSymbol } from "../../domain/asset.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { type Assessment, PASS, type Rule } from "../rule.ts";
import { capTo, capValue, isIn, refusalOf, refuse, refuseUnknown, shown } from "../ruling.ts";

// RC01: the value of one order in the currency of the limits. An oversized order is capped.

export function orderValue(max: Money): Rule {
  return {
    code: "RC01",
    review(order, { pricing }) {
      const { value } = order;
      if (!isIn(value, max.asset)) return refuseUnknown("RC01", "value of the order", max);
      if (value.atMost(max)) return PASS;
      const ruling = capValue(order, max, pricing, () => refusalOf("RC01", "order is worth", value, max));
      return { ...ruling, ofOneOrder: true };
    },
  };
}

// RC02: base units of one order, per symbol. It uses no price, so that a wrong price or unit meets RC01 or RC02. An
// oversized order is capped.

export function orderQuantity(maxBySymbol: ReadonlyMap<PairSymbol, Quantity>): Rule {
  return {
    code: "RC02",
    review(order) {
      const { symbol, quantity } = order;
      const max = maxBySymbol.get(symbol);
      if (max === undefined) return refuse("RC02", `size of ${symbol} is`, quantity, "not set");
      if (!quantity.isPositive()) return refuse("RC02", `size of ${symbol} must be positive, was`, quantity, max);
      if (quantity.atMost(max)) return PASS;
      return { ...capTo(max, order, () => refusalOf("RC02", `size of ${symbol} is`, quantity, max)), ofOneOrder: true };
    },
  };
}

// RC29: the first orders of an account are sent at a part of their size until enough have filled.

export function ramp(orders: number, sizeBps: number): Rule {
  return {
    code: "RC29",
    review(order, { counters }) {
      if (counters.filledOrders >= orders) return PASS;
      const most = order.asked.of(order.instrument.base).share(sizeBps, "down");
      return capTo(Quantity.ofMoney(most) ?? Quantity.zero, order, () =>
        refusalOf("RC29", `size while fewer than ${orders} orders filled is`, order.quantity, most),
      );
    },
  };
}

// RC17: an order spends, fee budget included, only what is available after open orders, and leaves a part of each asset
// untouched: of the deposits, or of the holding if that is more, so that repeated orders stay above it. Orders are
// capped to fit. With the reserve turned off the rest of the rule stays.

export function spendable(reserveBps: number, feeBps: number): Rule {
  const limit = `a reserve of ${reserveBps} bp`;
  return {
    code: "RC17",
    review(order, { accounts }) {
      const { sold } = order;
      const available = accounts.spendable(sold);
      if (!isIn(available, sold)) return refuseUnknown("RC17", `spendable ${sold}`, limit);
      const held = accounts.held(sold);
      if (!isIn(held, sold)) return refuseUnknown("RC17", `held ${sold}`, limit);
      // A reserve of the holding alone would shrink with every order, down to zero.
      const base = held.size().max(accounts.placed(sold));
      const most = available.minus(base.share(reserveBps, "up"));
      return capTo(affordable(most, order, feeBps), order, () =>
        refusalOf("RC17", "order may spend", spent(order, feeBps), mostText(most, limit)),
      );
    },
  };
}

function mostText(most: Money, limit: string): string {
  if (!most.isNegative()) return `${shown(most, "down")} after ${limit}`;
  return `${shown(Money.zero(most.asset))}: what is available is ${shown(most.negated())} below ${limit}`;
}

/** The fee may be taken in the sold asset, on top. */
function spent(order: Assessment, feeBps: number): Money {
  const amount = withoutFee(order);
  return amount.plus(amount.share(feeBps, "up"));
}

function withoutFee({ side, notional, quantity, sold }: Assessment): Money {
  return side === "buy" ? notional : quantity.of(sold);
}

function affordable(most: Money, order: Assessment, feeBps: number): Quantity {
  if (!most.isPositive()) return Quantity.zero;
  if (spent(order, feeBps).atMost(most)) return order.quantity;
  // The fee of the whole amount is deducted, slightly more than the fee of the rest, so the result is never too large.
  const beforeFee = most.minus(most.share(feeBps, "up"));
  return (
    (order.side === "buy" ? Quantity.affordable(beforeFee, order.limit) : Quantity.ofMoney(beforeFee)) ?? Quantity.zero
  );
}
