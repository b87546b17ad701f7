// RC06: loss from the highest equity ever marked, or since a person last resumed.

import { lossRule, type Measure, type MintLossRule, mintLossRule, orderLossRule } from "../loss-rule.ts";
import type { Rule } from "../rule.ts";

const MEASURE: Measure = { code: "RC06", what: "loss from the peak", baseOf: ({ peak }) => peak };

export function drawdown(maxBps: number): Rule {
  return lossRule(MEASURE, maxBps);
}

export function drawdownWithOrder(maxBps: number, feeBps: number): Rule {
  return orderLossRule(MEASURE, maxBps, feeBps);
}

export function drawdownWithMint(maxBps: number): MintLossRule {
  return mintLossRule(MEASURE, maxBps);
}
