// RC06: loss from the highest equity ever marked, or since a person last resumed.

import { lossRule } from "../loss-rule.ts";
import type { Rule } from "../rule.ts";
import { isIn } from "../ruling.ts";

export function drawdown(maxBps: number): Rule {
  return lossRule("RC06", "loss from the peak", maxBps, ({ books, pricing }) => {
    const equity = pricing.equity();
    if (books.peak === undefined || !isIn(equity, books.peak.asset)) return undefined;
    return { loss: books.peak.minus(equity), base: books.peak };
  });
}
