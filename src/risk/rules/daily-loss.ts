// RC05: loss of one UTC day, against the equity that opened it: the worse of what is marked (what is open at its worst) and
// what was realised.

import { lossRule, type Measure, type MintLossRule, mintLossRule, orderLossRule } from "../loss-rule.ts";
import type { Rule } from "../rule.ts";

const MEASURE: Measure = {
  code: "RC05",
  what: "loss of the day",
  baseOf: ({ day }) => day.opening,
  realisedOf: ({ day }) => day.realised,
};

export function dailyLoss(maxBps: number): Rule {
  return lossRule(MEASURE, maxBps);
}

export function dailyLossWithOrder(maxBps: number, feeBps: number): Rule {
  return orderLossRule(MEASURE, maxBps, feeBps);
}

export function dailyLossWithMint(maxBps: number): MintLossRule {
  return mintLossRule(MEASURE, maxBps);
}
