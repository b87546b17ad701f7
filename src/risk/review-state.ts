// RC23 and RC24: the first question of the gate, which needs no price, no book and no balance. KILLED and HALTED let nothing
// out; what REDUCED lets out is the business of `reduceOnly`.

import type { Refusal } from "../domain/step.ts";
import type { Standing } from "./standing.ts";

export function reviewState(standing: Standing): Refusal | undefined {
  switch (standing.state) {
    case "ACTIVE":
    case "REDUCED":
      return undefined;
    case "KILLED":
      return stopped("RC23", "no order", standing);
    default:
      // HALTED, and whatever else a damaged state may say.
      return stopped("RC24", "no order", standing);
  }
}

export function stopped(rule: string, limit: string, { state, reason, wayOut, by }: Standing): Refusal {
  return { rule, limit, value: state, message: `${state} by ${by}: ${reason}; limit is ${limit}; way out: ${wayOut}` };
}
