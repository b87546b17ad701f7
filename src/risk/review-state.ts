// RC23 and RC24: the first question of the gate, which needs no price, no book and no balance. KILLED and HALTED let nothing
// out; REDUCED lets out only what brings back the currency of the limits.

import type { Asset } from "../domain/asset.ts";
import type { Refusal } from "../domain/step.ts";
import type { Assessment } from "./rule.ts";
import type { Standing } from "./standing.ts";

export function reviewState(order: Assessment, currency: Asset, standing: Standing): Refusal | undefined {
  switch (standing.state) {
    case "ACTIVE":
      return undefined;
    case "REDUCED":
      return order.bought === currency ? undefined : stopped("RC24", `only orders that bring ${currency}`, standing);
    case "KILLED":
      return stopped("RC23", "no order", standing);
    default:
      // HALTED, and whatever else a damaged state may say.
      return stopped("RC24", "no order", standing);
  }
}

function stopped(rule: string, limit: string, { state, reason, wayOut, by }: Standing): Refusal {
  return { rule, limit, value: state, message: `${state} by ${by}: ${reason}; limit is ${limit}; way out: ${wayOut}` };
}
