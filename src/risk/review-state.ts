// RC23 and RC24, the first checks of the gate, and RC33, the last: they need no price, counter or balance. HALTED and
// frozen assets let nothing out; REDUCED is decided by `reduceOnly`.

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
      // HALTED, and any invalid state.
      return stopped(isPersons(tradingState) ? "RC23" : "RC24", "no order", tradingState);
  }
}

/** The pre-send check would hold the order back for the same reason after it had been counted as sent. */
export function reviewFrozen(pair: Instrument, context: RiskContext): Refusal | undefined {
  const reason = context.frozenBy?.(pair);
  if (reason === undefined) return undefined;
  const { symbol } = pair;
  return { rule: "RC33", limit: "nothing frozen", value: symbol, message: `${symbol} is frozen: ${reason}` };
}

export function stopped(rule: string, limit: string, { state, reason, wayOut, by }: TradingState): Refusal {
  return { rule, limit, value: state, message: `${state} by ${by}: ${reason}; limit is ${limit}; way out: ${wayOut}` };
}
