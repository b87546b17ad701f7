// RC11: value traded in any hour and in one UTC day, open orders counted as if they filled. An order that could take it past
// the limit is cut down to the room that is left; value traded past it all the same, by unforeseen fills, halts the bot.

import { Money } from "../../domain/money/money.ts";
import { DAY_MS } from "../../domain/time.ts";
import { capValue } from "../cap.ts";
import { utcDay } from "../day.ts";
import { type Counted, roomFrom } from "../room-from.ts";
import { type Breach, PASS, type RiskContext, type Rule } from "../rule.ts";
import { halted, isIn, refusalOf, refuse, refuseUnknown, shown } from "../ruling.ts";

export function turnoverPerHour(max: Money): Rule {
  const traded = {
    sum: ({ books, now }: RiskContext) => books.turnoverOfHour(now),
    newestFirst: ({ books, now }: RiskContext) => books.minutesOfHour(now),
  };
  return turnover(max, "value traded in an hour", traded);
}

export function turnoverPerDay(max: Money): Rule {
  const sum = ({ books }: RiskContext): Money => books.day.turnover;
  const traded = {
    sum,
    newestFirst: (context: RiskContext) => [{ amount: sum(context), leavesAt: (utcDay(context.now) + 1) * DAY_MS }],
  };
  return turnover(max, "value traded on the day", traded);
}

type Traded = {
  readonly sum: (context: RiskContext) => Money;
  /** What it is made of, and when each leaves it. */
  readonly newestFirst: (context: RiskContext) => readonly Counted<Money>[];
};

function turnover(max: Money, what: string, traded: Traded): Rule {
  return {
    code: "RC11",
    review(order, context) {
      const { committed } = order;
      if (!isIn(committed, max.asset) || context.books.unpricedFills > 0)
        return refuseUnknown("RC11", what, shown(max));
      const sum = traded.sum(context);
      if (max.covers(sum, committed)) return PASS;
      const left = max.minus(sum).minus(context.books.openValue);
      if (left.isPositive())
        return capValue(order, left, context.pricing, () =>
          refusalOf("RC11", `${what} could be`, shown(sum.plus(committed)), shown(max)),
        );
      const fits = (counted: Money): boolean => max.covers(counted, committed);
      const from = roomFrom(traded.newestFirst(context), Money.zero(max.asset), fits);
      const room = from === undefined ? "" : ` (there is room for it from ${from} on)`;
      return refuse("RC11", `${what}${room} could be`, shown(sum.plus(committed)), shown(max));
    },
    monitor(context): Breach | undefined {
      if (context.books.unpricedFills > 0)
        return halted("RC11", {
          subject: `${what}: unknown`,
          what: `${what} is`,
          value: "unknown: a fill has no rate",
          limit: shown(max),
        });
      const sum = traded.sum(context);
      if (sum.atMost(max)) return undefined;
      return halted("RC11", { subject: what, what: `${what} is`, value: shown(sum), limit: shown(max) });
    },
  };
}
