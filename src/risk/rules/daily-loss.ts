// RC05: loss of one UTC day, against the equity that opened it: the worse of what is marked (orders of unknown outcome at
// their worst) and what was realised.

import { lossRule } from "../loss-rule.ts";
import type { Rule } from "../rule.ts";
import { isIn } from "../ruling.ts";

export function dailyLoss(maxBps: number): Rule {
  return lossRule("RC05", "loss of the day", maxBps, ({ books, pricing }) => {
    const { opening, realised } = books.day;
    const equity = pricing.equity();
    if (opening === undefined || !isIn(equity, opening.asset)) return undefined;
    const marked = opening.minus(equity);
    return { loss: realised.isNegative() ? marked.max(realised.negated()) : marked, base: opening };
  });
}
