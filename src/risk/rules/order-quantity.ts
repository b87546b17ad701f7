// RC02: base units of one order, per symbol. It knows no price, so that a wrong price or unit meets one of RC01 and RC02. An
// order too large is cut down to it.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Quantity } from "../../domain/money/money.ts";
import { PASS, type Rule } from "../rule.ts";
import { capTo, refusalOf, refuse } from "../ruling.ts";

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
