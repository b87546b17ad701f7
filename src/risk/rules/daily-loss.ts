// RC05: loss of one UTC day, against the equity that opened it: the worse of what is marked (orders of unknown outcome at
// their worst) and what was realised.

import { lossRule } from "../loss-rule.ts";
import type { Rule } from "../rule.ts";

export function dailyLoss(maxBps: number): Rule {
  const measure = {
    code: "RC05",
    what: "loss of the day",
    baseOf: ({ day }) => day.opening,
    realisedOf: ({ day }) => day.realised,
  } satisfies Parameters<typeof lossRule>[0];
  return lossRule(measure, maxBps);
}
