// RC23 and RC24, the first question of the gate, and RC33, the last: they need no price, no book and no balance. HALTED
// lets nothing out, nor does what is frozen; what REDUCED lets out is the business of `reduceOnly`.

import type { Instrument } from "../domain/instrument.ts";
import type { Refusal } from "../domain/step.ts";
import type { RiskContext } from "./rule.ts";
import { isPersons, type TradingState } from "./trading-state.ts";

export function reviewState(tradingState: TradingState): Refusal | undefined {
  switch (tradingState.state) {
    case "ACTIVE":
    case "REDUCED":
      return undefined;
    default:
      // HALTED, and whatever else a damaged state may say.
      return stopped(isPersons(tradingState) ? "RC23" : "RC24", "no order", tradingState);
  }
}

/** At its slot the order is held back for the same reason: then it would have been counted as one that was sent. */
export function reviewFrozen(pair: Instrument, context: RiskContext): Refusal | undefined {
  const reason = context.frozenBy?.(pair);
  if (reason === undefined) return undefined;
  const { symbol } = pair;
  return { rule: "RC33", limit: "nothing frozen", value: symbol, message: `${symbol} is frozen: ${reason}` };
}

export function stopped(rule: string, limit: string, { state, reason, wayOut, by }: TradingState): Refusal {
  return { rule, limit, value: state, message: `${state} by ${by}: ${reason}; limit is ${limit}; way out: ${wayOut}` };
}
