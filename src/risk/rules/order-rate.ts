// RC10: orders in any minute, and of one UTC day. A used-up day halts the bot: nobody meant that many.

import { PASS, type Rule } from "../rule.ts";
import { halted, isKnown, refuse, refuseUnknown } from "../ruling.ts";

const MINUTE_MS = 60_000;

export function orderRate(perMinuteMax: number): Rule {
  return {
    code: "RC10",
    review(_, { now, books }) {
      if (!isKnown(now)) return refuseUnknown("RC10", "time", `${perMinuteMax} orders a minute`);
      const oldest = books.orderTimes.nthLast(perMinuteMax);
      if (oldest === undefined || now - oldest >= MINUTE_MS) return PASS;
      return refuse("RC10", "orders of the last minute would be", perMinuteMax + 1, perMinuteMax);
    },
  };
}

export function dailyOrders(max: number): Rule {
  return {
    code: "RC10",
    review(_, { books }) {
      const { orders } = books.day;
      return orders < max ? PASS : refuse("RC10", "orders of the day would be", orders + 1, max);
    },
    monitor({ books }) {
      const { orders } = books.day;
      // Up to the limit they may all leave: the last is not held back by the stop that it leads to.
      const isWaiting = orders === max && !books.openValue.isZero();
      return orders < max || isWaiting
        ? undefined
        : halted("RC10", { what: "orders of the day are", value: orders, limit: max });
    },
  };
}
