// RC15: trading a pair back within a while of the opposite order, unless the two limits leave a profit after the fee budget
// of both.

import { PASS, type Rule } from "../rule.ts";
import { isKnown, refuse, refuseUnknown } from "../ruling.ts";

export function selfOffset(windowMs: number, feeBps: number): Rule {
  const limit = `${windowMs} ms`;
  return {
    code: "RC15",
    review(order, { books: { recent }, now }) {
      if (!isKnown(now)) return refuseUnknown("RC15", "time", limit);
      for (let back = 0; back < recent.length && now - recent.at(back) < windowMs; back++) {
        const earlier = recent.intent(back);
        if (earlier.symbol !== order.symbol || earlier.side === order.side) continue;
        const [buy, sell] = order.side === "buy" ? [order, earlier] : [earlier, order];
        if (sell.limit.moreThan(buy.limit.shifted(2 * feeBps, "up"))) continue;
        return refuse(
          "RC15",
          `trades ${order.symbol} back without profit (${earlier.limit}, then ${order.limit}) after`,
          `${now - recent.at(back)} ms`,
          limit,
        );
      }
      if (recent.forgottenAt !== undefined && now - recent.forgottenAt < windowMs)
        return refuseUnknown("RC15", "whether the pair was traded the other way before", limit);
      return PASS;
    },
  };
}
