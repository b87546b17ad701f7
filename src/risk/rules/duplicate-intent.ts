// RC14: the same order again (symbol, side, size and limit) within a while of its approval.

import { PASS, type Rule } from "../rule.ts";
import { isKnown, refuse, refuseUnknown } from "../ruling.ts";

export function duplicateIntent(windowMs: number): Rule {
  const limit = `${windowMs} ms`;
  return {
    code: "RC14",
    review(order, { books: { recent }, now }) {
      if (!isKnown(now)) return refuseUnknown("RC14", "time", limit);
      const since = now - windowMs;
      const count = recent.countAfter(since);
      for (let back = 0; back < count; back++) {
        if (!recent.isOf(back, order.symbol, order.side)) continue;
        const earlier = recent.intent(back);
        if (
          earlier.limit.equals(order.limit) &&
          (earlier.quantity.equals(order.quantity) || earlier.quantity.equals(order.asked))
        )
          return refuse(
            "RC14",
            `the same order was approved before as ${earlier.clientOrderId}:`,
            `${now - recent.at(back)} ms ago`,
            limit,
          );
      }
      if (recent.forgottenAt !== undefined && recent.forgottenAt > since)
        return refuseUnknown("RC14", "whether the same order was approved before", limit);
      return PASS;
    },
  };
}
