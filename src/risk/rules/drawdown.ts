// RC06: loss from the highest equity ever marked, or since a person last resumed.

import { lossRule } from "../loss-rule.ts";
import type { Rule } from "../rule.ts";

export function drawdown(maxBps: number): Rule {
  return lossRule({ code: "RC06", what: "loss from the peak", baseOf: ({ peak }) => peak }, maxBps);
}
