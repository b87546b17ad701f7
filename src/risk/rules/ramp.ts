// RC29: the first orders of an account that fill go out at a part of their size.

import { Quantity } from "../../domain/money/money.ts";
import { PASS, type Rule } from "../rule.ts";
import { capTo, refusalOf } from "../ruling.ts";

export function ramp(orders: number, sizeBps: number): Rule {
  return {
    code: "RC29",
    review(order, { books }) {
      if (books.filledOrders >= orders) return PASS;
      const most = order.asked.of(order.instrument.base).share(sizeBps, "down");
      return capTo(Quantity.ofMoney(most) ?? Quantity.zero, order, () =>
        refusalOf("RC29", `size while fewer than ${orders} orders filled is`, order.quantity, most),
      );
    },
  };
}
