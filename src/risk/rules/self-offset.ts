// RC15: trading a pair back within a while of the opposite order, unless the two limits leave a profit after the fee budget
// of both.

import type { Price } from "../../domain/money/money.ts";
import type { RecentIntents } from "../books.ts";
import { type Assessment, PASS, type Rule } from "../rule.ts";
import { isKnown, refuse, refuseUnknown } from "../ruling.ts";

export function selfOffset(windowMs: number, feeBps: number): Rule {
  const limit = `${windowMs} ms`;
  return {
    code: "RC15",
    review(order, { books: { recent }, now }) {
      if (!isKnown(now)) return refuseUnknown("RC15", "time", limit);
      const since = now - windowMs;
      const worst = offsets(order, recent, since, feeBps);
      if (worst !== undefined) {
        const what = `${order.side} of ${order.symbol} within ${limit} of an order the other way at ${worst}, filled or not, must leave a profit after the fee budgets of both (2 x ${feeBps} bp): limit`;
        return refuse("RC15", what, order.limit, passingOf(order, worst, feeBps));
      }
      if (recent.forgottenAt !== undefined && recent.forgottenAt > since)
        return refuseUnknown("RC15", "whether the pair was traded the other way before", limit);
      return PASS;
    },
  };
}

type Order = Pick<Assessment, "symbol" | "side" | "limit">;

/** The limit of an order since then that this one would trade back without profit. */
export function offsets(order: Order, recent: RecentIntents, since: number, feeBps: number): Price | undefined {
  const worst = worstOpposite(order, recent, since);
  return worst === undefined || leavesProfit(order, worst, feeBps) ? undefined : worst;
}

/** Of the opposite orders the limit that leaves least: the highest buy, or the lowest sale. */
function worstOpposite({ symbol, side }: Order, recent: RecentIntents, since: number): Price | undefined {
  let worst: Price | undefined;
  const opposite = side === "buy" ? "sell" : "buy";
  const count = recent.countAfter(since);
  for (let back = 0; back < count; back++) {
    if (!recent.isOf(back, symbol, opposite)) continue;
    const { limit } = recent.intent(back);
    if (worst === undefined || (side === "sell" ? limit.moreThan(worst) : limit.lessThan(worst))) worst = limit;
  }
  return worst;
}

/** The price from which it would pass, rounded to where it surely does. */
function passingOf({ side }: Order, opposite: Price, feeBps: number): string {
  if (side === "sell") return `more than ${opposite.shifted(2 * feeBps, "up")}`;
  return `less than ${opposite.shifted(-2 * feeBps, "down")}`;
}

function leavesProfit({ side, limit }: Order, opposite: Price, feeBps: number): boolean {
  const [buy, sell] = side === "buy" ? [limit, opposite] : [opposite, limit];
  return sell.moreThan(buy.shifted(2 * feeBps, "up"));
}
