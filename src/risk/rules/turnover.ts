// RC11: value traded in any hour and in one UTC day, open orders counted as if they filled. An order that could take it past
// the limit is refused; value traded past it all the same, by fills that nobody foresaw, halts the bot.

import type { Money } from "../../domain/money/money.ts";
import { type Breach, PASS, type RiskContext, type Rule } from "../rule.ts";
import { halted, isIn, refuse, refuseUnknown, shown } from "../ruling.ts";

export function turnoverPerHour(max: Money): Rule {
  return turnover(max, "value traded in an hour", ({ books, now }) => books.turnoverOfHour(now));
}

export function turnoverPerDay(max: Money): Rule {
  return turnover(max, "value traded on the day", ({ books }) => books.day.turnover);
}

function turnover(max: Money, what: string, traded: (context: RiskContext) => Money): Rule {
  return {
    code: "RC11",
    review({ committed }, context) {
      if (!isIn(committed, max.asset) || context.books.unpricedFills > 0)
        return refuseUnknown("RC11", what, shown(max));
      const sum = traded(context);
      if (max.covers(sum, committed)) return PASS;
      return refuse("RC11", `${what} could be`, shown(sum.plus(committed)), shown(max));
    },
    monitor(context): Breach | undefined {
      if (context.books.unpricedFills > 0)
        return halted("RC11", {
          subject: `${what}: unknown`,
          what: `${what} is`,
          value: "unknown: a fill has no rate",
          limit: shown(max),
        });
      const sum = traded(context);
      if (sum.atMost(max)) return undefined;
      return halted("RC11", { subject: what, what: `${what} is`, value: shown(sum), limit: shown(max) });
    },
  };
}
